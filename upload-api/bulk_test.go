package upload

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"

	"sheetdrop/internal/task"
	"sheetdrop/upload-api/internal/problem"
)

// Many files are parsed again at once; of each that is not, the answer says why, and can be read again.
func TestBulk(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t, withEasyAuth())
	ann, bob := signedIn("ann"), signedIn("bob")
	upload := func(status task.Status, who string) FileAndTask {
		taken := d.upload("a.csv&delimiter=tab", "a\n", who)
		setStatus(d, taken.Task.ID, status)
		return taken
	}
	good, seen, changed := upload(task.Failed, ann), upload(task.Failed, ann), upload(task.Cancelled, ann)
	running, gone, others := upload(task.Processing, ann), upload(task.Failed, ann), upload(task.Failed, bob)
	d.change(http.MethodDelete, "/api/files/"+gone.File.ID.String(), ann)
	nobodys := uuid.NewString()
	item := func(file FileAndTask) string { return fmt.Sprintf(`{"file_id":%q}`, file.File.ID) }
	body := fmt.Sprintf(`{"items":[%s,{"file_id":%q,"task_id":%q},{"file_id":%q,"task_id":%q},%s,%s,%s,{"file_id":%q},%s]}`, item(good),
		seen.File.ID, seen.Task.ID, changed.File.ID, uuid.NewString(), item(running), item(gone), item(others), nobodys, item(good))

	var done BulkDone
	a := d.postJSON("/api/bulk/tasks", body, ann)
	a.into(http.StatusAccepted, &done)
	excluded := fmt.Sprintf(`[{"file_id":%q,"reason":"changed"},{"file_id":%q,"reason":"already_running"},{"file_id":%q,"reason":"gone"},`+
		`{"file_id":%q,"reason":"not_yours"},{"file_id":%q,"reason":"not_yours"},{"file_id":%q,"reason":"already_running"}]`,
		changed.File.ID, running.File.ID, gone.File.ID, others.File.ID, nobodys, good.File.ID)
	if got := jsonOf(done.Excluded); got != excluded {
		t.Errorf("excluded are\n%s\nwant\n%s", got, excluded)
	}
	if len(done.Accepted) != 2 || done.Accepted[0].FileID != good.File.ID || done.Accepted[1].FileID != seen.File.ID || done.Next != nil {
		t.Fatalf("accepted are %+v", done)
	}
	for _, accepted := range done.Accepted {
		var made Task
		d.get("/api/tasks/"+accepted.TaskID.String(), ann).into(http.StatusOK, &made)
		if made.FileID != accepted.FileID || made.Status != task.Pending || !equalJSON(made.Options, good.Task.Options) {
			t.Errorf("task %+v", made)
		}
		if n := d.count(fmt.Sprintf("outbox_message where task_id = '%s'", made.ID)); n != 1 {
			t.Errorf("%d messages for a task", n)
		}
	}
	var read Bulk
	if d.get(a.header.Get("Location"), ann).into(http.StatusOK, &read); jsonOf(read) != jsonOf(done.Bulk) {
		t.Errorf("read again: %+v, was %+v", read, done.Bulk)
	}
	d.get(a.header.Get("Location"), bob).problem(problem.NotFound)
}

// A filter finds the caller's files by their newest task; more than one request takes are found by the next.
func TestBulkByFilter(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	failed, cancelled := d.upload("a.csv", "a\n"), d.upload("b.csv", "a\n")
	setStatus(d, failed.Task.ID, task.Failed)
	setStatus(d, cancelled.Task.ID, task.Cancelled)
	var done BulkDone
	d.postJSON("/api/bulk/tasks?delimiter=tab", `{"filter":{"status":"FAILED","error_code":"damaged_file"}}`).into(http.StatusAccepted, &done)
	if len(done.Accepted) != 1 || done.Accepted[0].FileID != failed.File.ID || len(done.Excluded) != 0 {
		t.Errorf("%+v", done)
	}
	d.postJSON("/api/bulk/tasks?delimiter=tab", `{"filter":{"status":"FAILED"}}`).into(http.StatusAccepted, &done)
	if len(done.Accepted)+len(done.Excluded) != 0 {
		t.Errorf("once more: %+v", done)
	}
	d.exec(`with file as (
  insert into sheetdrop.source_file (id, owner, name, media_type, size_bytes, sha256, blob_name, part_no)
  select gen_random_uuid(), 'local', 'n', 'text/csv', 1, sha256(''), n::text, 1 from generate_series(1, 1000) n returning id
)
insert into sheetdrop.task (id, source_file_id, options, status, finished_at) select gen_random_uuid(), id, '{}', 'CANCELLED', now() from file`)
	var rest BulkDone
	d.postJSON("/api/bulk/tasks", `{"filter":{"status":"CANCELLED"}}`).into(http.StatusAccepted, &done)
	if len(done.Accepted) != bulkItems || done.Next == nil {
		t.Fatalf("%d accepted, next %v", len(done.Accepted), done.Next)
	}
	d.postJSON("/api/bulk/tasks", `{"filter":{"status":"CANCELLED","after":"`+done.Next.String()+`"}}`).into(http.StatusAccepted, &rest)
	if len(rest.Accepted) != 1 || rest.Next != nil {
		t.Errorf("the rest: %d accepted, next %v", len(rest.Accepted), rest.Next)
	}
}

// Who goes through the pages of a filter meets every file once, and none twice, also where each page's files are still what it asks for.
func TestBulkPagesHaveEachFileOnce(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	const files = bulkItems + 1
	d.exec(`with file as (
  insert into sheetdrop.source_file (id, owner, name, media_type, size_bytes, sha256, blob_name, part_no)
  select gen_random_uuid(), 'local', 'n', 'text/csv', 1, sha256(''), n::text, 1 from generate_series(1, $1::int) n returning id
)
insert into sheetdrop.task (id, source_file_id, options, status, finished_at) select gen_random_uuid(), id, '{}', 'CANCELLED', now() from file`, files)
	seen := map[uuid.UUID]int{}
	for after := uuid.Nil; ; {
		var page BulkDone
		d.postJSON("/api/bulk/tasks", fmt.Sprintf(`{"filter":{"after":%q}}`, after)).into(http.StatusAccepted, &page)
		for _, file := range page.Accepted {
			seen[file.FileID]++
		}
		for _, file := range page.Excluded {
			seen[file.FileID]++
		}
		if page.Next == nil {
			break
		}
		after = *page.Next
	}
	for id, n := range seen {
		if n != 1 {
			t.Errorf("file %s is on %d pages", id, n)
		}
	}
	if len(seen) != files {
		t.Errorf("%d files on all pages, want %d", len(seen), files)
	}
}

// Long options, which each task keeps, are taken for fewer files at once.
func TestBulkWithLongOptions(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	var items []string
	for range 5 {
		taken := d.upload("a.csv", "a\n")
		setStatus(d, taken.Task.ID, task.Failed)
		items = append(items, fmt.Sprintf(`{"file_id":%q}`, taken.File.ID))
	}
	path := "/api/bulk/tasks?"
	for n := range 28 {
		path += fmt.Sprintf("&column=a%d:text;allowed=", n) + strings.Repeat("abcdefgh|", 900) + "x"
	}
	d.postJSON(path, `{"items":[`+strings.Join(items, ",")+`]}`).problem(problem.InvalidOption)
	var done BulkDone
	d.postJSON(path, `{"filter":{"status":"FAILED"}}`).into(http.StatusAccepted, &done)
	if len(done.Accepted) == 0 || len(done.Accepted) >= len(items) || done.Next == nil {
		t.Fatalf("%d of %d accepted, next %v", len(done.Accepted), len(items), done.Next)
	}
	d.postJSON(path, `{"filter":{"status":"FAILED","after":"`+done.Next.String()+`"}}`).into(http.StatusAccepted, &done)
	if n := d.count("task"); n != 2*len(items) {
		t.Errorf("%d tasks, want two for each of %d files", n, len(items))
	}
}
