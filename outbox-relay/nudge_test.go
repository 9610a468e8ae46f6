package outbox_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/uuid"

	"sheetdrop/internal/azure"
	"sheetdrop/internal/postgres/pgtest"
	"sheetdrop/internal/task"
)

// A file that was just uploaded does not wait for the timer.
func TestNudgeSendsAtOnce(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	other, nudged := f.AddUpload(t), f.AddUpload(t) // the timer would take the other one first
	f.Relay.Nudge(nudged.MessageID)
	f.Await(t, `select exists (select from sheetdrop.outbox_history where id = $1)`, nudged.MessageID)
	f.wantReceived(t, nudged.TaskID)
	if n := pgtest.Query[int](t, f.Database, `select count(*) from sheetdrop.outbox_message where id = $1`, other.MessageID); n != 1 {
		t.Errorf("a message that nobody asked for is gone")
	}
}

// Nudges that come while a batch is being sent are not lost: they make the next one.
func TestNudgesDuringABatch(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	ids := f.addMessages(t, 20)
	parts, gate := gated(t, f.parts)
	relay := f.relay(t, patient, f.DB, parts)
	relay.Nudge(ids[0])
	<-gate.Arrived
	relay.Nudge(ids[1:]...)
	gate.Open()
	f.Await(t, `select count(*) = 20 from sheetdrop.outbox_history`)
	f.wantReceived(t, ids...)
}

// A nudge never holds up the request that gives it, however many come and however slow the queue is.
func TestNudgeNeverWaits(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	u := f.AddUpload(t)
	parts, gate := gated(t, f.parts)
	relay := f.relay(t, patient, f.DB, parts)
	relay.Nudge(u.MessageID)
	<-gate.Arrived
	for range 10_000 {
		relay.Nudge(uuid.New())
	}
	gate.Open()
}

// A deleted file's bytes go; a blob that is gone already is no failure.
func TestBlobDelete(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	if err := f.Blobs.Upload(t.Context(), "2026/01/01/here", strings.NewReader("a,b\n")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"2026/01/01/here", "2026/01/01/gone"} {
		payload, err := json.Marshal(task.BlobDeletePayload{BlobName: name})
		if err != nil {
			t.Fatal(err)
		}
		f.Exec(t, `insert into sheetdrop.outbox_message (id, event_type, payload) values ($1, 'BLOB_DELETE', $2)`, uuid.New(), payload)
	}
	f.run(t)
	if n := pgtest.Query[int](t, f.Database, `select count(*) from sheetdrop.outbox_history`); n != 2 {
		t.Errorf("%d messages are done, want 2", n)
	}
	if _, err := f.Blobs.Open(t.Context(), "2026/01/01/here", ""); !errors.Is(err, azure.ErrBlobNotFound) {
		t.Errorf("open the deleted blob: %v, want %v", err, azure.ErrBlobNotFound)
	}
}
