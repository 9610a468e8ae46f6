package upload

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"

	"sheetdrop/internal/task"
	"sheetdrop/upload-api/internal/export"
	"sheetdrop/upload-api/internal/problem"
)

// The list goes through all files, newest first, without gap or repetition, and ends.
func TestFilesList(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	var empty export.List[FileDetail]
	if d.get("/api/files").into(http.StatusOK, &empty); empty.Items == nil || len(empty.Items) > 0 || empty.Next != nil {
		t.Errorf("of nothing: %+v", empty)
	}
	const files = 5
	for i := range files {
		d.upload(fmt.Sprintf("%d.csv", i), "a\n")
	}
	for _, limit := range []int{2, files, files + 1} {
		var names []string
		cursor := ""
		for {
			var list export.List[FileDetail]
			d.get(fmt.Sprintf("/api/files?limit=%d&cursor=%s", limit, cursor)).into(http.StatusOK, &list)
			for _, item := range list.Items {
				names = append(names, item.Name)
				if item.Task.FileID != item.ID {
					t.Errorf("file %+v with task %+v", item.File, item.Task)
				}
			}
			if list.Next == nil {
				break
			}
			cursor = *list.Next
		}
		if got := strings.Join(names, " "); got != "4.csv 3.csv 2.csv 1.csv 0.csv" {
			t.Errorf("by %d: %s", limit, got)
		}
	}
}

// The bytes come back as they were sent, for a browser to save and never to run.
func TestContent(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t, withSettings(func(s *Settings) { s.MaxBytes = 16 << 20 }))
	body := make([]byte, 9<<20) // more than one block of the blob store
	random := rand.NewChaCha8([32]byte{1})
	random.Read(body)
	var taken FileAndTask
	d.send(http.MethodPost, "/api/files?name=%E6%B3%A8%E6%96%87%20_a_.html", bytes.NewReader(body), "Content-Type: text/html").into(http.StatusAccepted, &taken)
	path := "/api/files/" + taken.File.ID.String() + "/content"
	a := d.get(path)
	if a.status != http.StatusOK || !bytes.Equal(a.body, body) {
		t.Fatalf("%d, %d bytes", a.status, len(a.body))
	}
	for name, want := range map[string]string{
		"Content-Type":            "application/octet-stream",
		"Content-Length":          fmt.Sprint(len(body)),
		"Content-Disposition":     "attachment; filename*=utf-8''%E6%B3%A8%E6%96%87%20_a_.html",
		"X-Content-Type-Options":  "nosniff",
		"Content-Security-Policy": "sandbox",
		"ETag":                    `"` + taken.File.SHA256 + `"`,
	} {
		if got := a.header.Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if again := d.get(path, "If-None-Match: "+a.header.Get("ETag")); again.status != http.StatusNotModified || len(again.body) > 0 {
		t.Errorf("with its ETag: %d", again.status)
	}
	if head := d.send(http.MethodHead, path, nil); head.status != http.StatusOK || head.header.Get("Content-Length") != fmt.Sprint(len(body)) {
		t.Errorf("HEAD: %d %v", head.status, head.header)
	}
	if err := d.store.Delete(t.Context(), d.blobNames()[0]); err != nil {
		t.Fatal(err)
	}
	d.get(path).problem(problem.ContentMissing)
}

// A deleted file is gone for every reader, its tasks are cancelled, running ones too, and the message that deletes its bytes is there.
func TestDeleteFile(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	for _, status := range []task.Status{task.Pending, task.Processing} {
		taken := d.upload("a.csv", "a\n")
		setStatus(d, taken.Task.ID, status)
		file, own := "/api/files/"+taken.File.ID.String(), "/api/tasks/"+taken.Task.ID.String()
		if a := d.send(http.MethodDelete, file, nil); a.status != http.StatusNoContent || len(a.body) > 0 {
			t.Fatalf("delete: %d %s", a.status, a.body)
		}
		for _, path := range []string{file, file + "/content", own, own + "/sheets", own + "/sheets/1/rows"} {
			d.get(path).problem(problem.NotFound)
		}
		d.send(http.MethodDelete, file, nil).problem(problem.NotFound)
		d.send(http.MethodPost, own+"/cancel", nil).problem(problem.NotFound)
		var left string
		if d.query(&left, `select status from sheetdrop.task where id = $1`, taken.Task.ID); left != "CANCELLED" {
			t.Errorf("the task that was %s is %s", status, left)
		}
		var messages int
		d.query(&messages, `select count(*) from sheetdrop.outbox_message m join sheetdrop.source_file f on m.payload ->> 'blob_name' = f.blob_name
where m.event_type = 'BLOB_DELETE' and f.id = $1`, taken.File.ID)
		if messages != 1 {
			t.Errorf("%d messages that delete its bytes", messages)
		}
	}
	var list export.List[FileDetail]
	if d.get("/api/files").into(http.StatusOK, &list); len(list.Items) > 0 {
		t.Errorf("still listed: %+v", list)
	}
	if n := len(d.nudges()); n != 4 {
		t.Errorf("%d nudges, want 4", n)
	}
}

// A delete whose COMMIT lost its answer is a delete, also when it takes effect late.
func TestDeleteLostCommitAnswer(t *testing.T) {
	t.Parallel()
	d, proxy := newTestAPIBehindProxy(t)
	first, second := d.upload("a.csv", "a\n"), d.upload("b.csv", "b\n")
	proxy.CutAfterCommit(1)
	if a := d.send(http.MethodDelete, "/api/files/"+first.File.ID.String(), nil); a.status != http.StatusNoContent {
		t.Errorf("delete: %d %s", a.status, a.body)
	}
	held := proxy.HoldCommit()
	status := make(chan int, 1)
	go func() { status <- d.send(http.MethodDelete, "/api/files/"+second.File.ID.String(), nil).status }()
	d.untilLockAwaited()
	held.Release()
	if got := <-status; got != http.StatusNoContent {
		t.Errorf("late: %d", got)
	}
	var messages int
	d.query(&messages, `select count(*) from sheetdrop.outbox_message where event_type = 'BLOB_DELETE'`)
	if messages != 2 {
		t.Errorf("%d messages, want 2", messages)
	}
}
