package upload

import (
	"net/http"
	"strings"
	"sync"
	"testing"

	"sheetdrop/internal/task"
	"sheetdrop/upload-api/internal/problem"
)

const key = "Idempotency-Key: order-42"

// The same again under the same key gives the same ids and the task's present state, and keeps nothing twice.
func TestIdempotencyKey(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	const body = "sku,price\nA-1,12\n"
	accepted := d.post("/api/files?name=a.csv", body, key)
	var first FileAndTask
	if accepted.into(http.StatusAccepted, &first); accepted.header.Values("Idempotent-Replayed") != nil {
		t.Errorf("the first upload is a replay: %v", accepted.header)
	}
	d.exec(`update sheetdrop.task set status = 'CANCELLED', finished_at = now() where id = $1`, first.Task.ID)
	repeated := d.post("/api/files?name=a.csv", body, key)
	var again FileAndTask
	if repeated.into(http.StatusAccepted, &again); repeated.header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("nothing says that it was uploaded before: %v", repeated.header)
	}
	if again.File != first.File || again.Task.ID != first.Task.ID || again.Task.Status != task.Cancelled {
		t.Errorf("first %+v, again %+v", first, again)
	}
	if files, messages := d.count("source_file"), d.count("outbox_message"); files != 1 || messages != 1 {
		t.Errorf("%d files, %d messages", files, messages)
	}
	if got := string(d.blob(first.File.ID)); got != body {
		t.Errorf("the file's bytes are %q", got)
	}
	if blobs := d.blobNames(); len(blobs) != 1 {
		t.Errorf("blobs %v", blobs)
	}
	if n := len(d.nudges()); n != 1 {
		t.Errorf("%d nudges", n)
	}
}

// Another upload under the same key is refused, whatever differs, and nothing of it is kept.
func TestIdempotencyKeyReused(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	d.upload("a.csv", "a\n1\n", key)
	for name, again := range map[string]answer{
		"name":    d.post("/api/files?name=b.csv", "a\n1\n", key),
		"bytes":   d.post("/api/files?name=a.csv", "a\n2\n", key),
		"options": d.post("/api/files?name=a.csv&delimiter=tab", "a\n1\n", key),
		"count":   d.postForm(filePart("a.csv", "a\n1\n")+filePart("b.csv", "b\n"), key),
	} {
		if again.status != http.StatusUnprocessableEntity {
			t.Errorf("another %s: %d %s", name, again.status, again.body)
			continue
		}
		again.problem(problem.KeyReused)
	}
	if files, blobs := d.count("source_file"), d.blobNames(); files != 1 || len(blobs) != 1 {
		t.Errorf("%d files, blobs %v", files, blobs)
	}
	d.upload("a.csv", "a\n1\n", "Idempotency-Key: another")
}

// A key belongs to its owner: two people may use the same one.
func TestIdempotencyKeyOfOwner(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t, withEasyAuth())
	mine := d.upload("a.csv", "a\n1\n", key, signedIn("ann"))
	theirs := d.upload("b.csv", "b\n2\n", key, signedIn("bob"))
	if mine.File.ID == theirs.File.ID {
		t.Error("both got the same file")
	}
}

// A deleted upload is not repeated by a late retry.
func TestIdempotencyKeyOfDeleted(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	taken := d.upload("a.csv", "a\n1\n", key)
	if a := d.send(http.MethodDelete, "/api/files/"+taken.File.ID.String(), nil); a.status != http.StatusNoContent {
		t.Fatalf("delete: %d %s", a.status, a.body)
	}
	d.post("/api/files?name=a.csv", "a\n1\n", key).problem(problem.Gone)
	// In time the reconciler takes the tasks away, the one that the upload began with first.
	d.exec(`update sheetdrop.task set options = '{"header":2}' where source_file_id = $1`, taken.File.ID)
	d.post("/api/files?name=a.csv", "a\n1\n", key).problem(problem.Gone)
}

// A multipart request is repeated as a whole.
func TestIdempotencyKeyMultipart(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	body := filePart("a.csv", "a\n") + filePart("b.csv", "b\n")
	var first, again Uploaded
	d.postForm(body, key).into(http.StatusAccepted, &first)
	d.postForm(body, key).into(http.StatusAccepted, &again)
	if len(again.Items) != 2 || again.Items[0].File != first.Items[0].File || again.Items[1].File != first.Items[1].File {
		t.Errorf("first %+v, again %+v", first, again)
	}
}

// Of many simultaneous requests with one key one wins, all get its ids, and its blob remains.
func TestLosersKeepTheWinnersBlob(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	body := strings.Repeat("sku,price\n", 1000)
	taken := make([]FileAndTask, 16)
	var wg sync.WaitGroup
	for i := range taken {
		wg.Go(func() { taken[i] = d.upload("a.csv", body, key) })
	}
	wg.Wait()
	for _, one := range taken {
		if one.File != taken[0].File || one.Task.ID != taken[0].Task.ID {
			t.Errorf("got %+v and %+v", taken[0], one)
		}
	}
	if files, messages := d.count("source_file"), d.count("outbox_message"); files != 1 || messages != 1 {
		t.Errorf("%d files, %d messages", files, messages)
	}
	if got := string(d.blob(taken[0].File.ID)); got != body {
		t.Errorf("the file has %d bytes, want %d", len(got), len(body))
	}
	if blobs := d.blobNames(); len(blobs) != 1 {
		t.Errorf("blobs %v", blobs)
	}
}
