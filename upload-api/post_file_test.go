package upload

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"testing"

	"sheetdrop/internal/task"
)

// P1: what a 202 says is true: the bytes are kept, and file, task and message are there.
func TestUpload(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	const content = "sku,price\nA-1,12\n"
	answer := d.post("/api/files?name=prices.csv&delimiter=comma", content)
	var taken FileAndTask
	answer.into(http.StatusAccepted, &taken)

	hash := sha256.Sum256([]byte(content))
	if f := taken.File; f.Name != "prices.csv" || f.MediaType != "text/csv" || f.SizeBytes != int64(len(content)) || f.SHA256 != hex.EncodeToString(hash[:]) {
		t.Errorf("file %+v", f)
	}
	if taken.Task.Status != task.Pending || taken.Task.FileID != taken.File.ID || string(taken.Task.Options) != `{"delimiter":","}` {
		t.Errorf("task %+v with options %s", taken.Task, taken.Task.Options)
	}
	if got, want := answer.header.Get("Location"), "/api/tasks/"+taken.Task.ID.String(); got != want {
		t.Errorf("Location %q, want %q", got, want)
	}
	if got := string(d.blob(taken.File.ID)); got != content {
		t.Errorf("the blob is %q", got)
	}
	var shown Task
	d.get(answer.header.Get("Location")).into(http.StatusOK, &shown)
	if shown.ID != taken.Task.ID || shown.Status != task.Pending {
		t.Errorf("task %+v", shown)
	}

	var message task.ParseMessage
	d.query(&message, `select payload from sheetdrop.outbox_message where task_id = $1`, taken.Task.ID)
	if message.TaskID != taken.Task.ID || message.Version != 1 {
		t.Errorf("message %+v", message)
	}
	if nudged := d.nudges(); len(nudged) != 1 || nudged[0] != message.MessageID {
		t.Errorf("nudged %v, want %s", nudged, message.MessageID)
	}
}
