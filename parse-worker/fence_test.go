package parse_test

import (
	"testing"

	"sheetdrop/internal/postgres/pgtest"
)

// takeOver is what maintenance does to a task whose worker seems dead.
const takeOver = `update sheetdrop.task set status = 'PENDING', crashes = crashes + 1, locked_by = null, locked_until = null where id = $1`

// P3: a worker that slept past its lease and wakes after another one has finished changes nothing.
func TestWorkerThatWakesLateChangesNothing(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	content, rows := rowsOf(10)
	u := f.upload(t, content)
	wait := f.startHanging(t.Context(), t, f.worker(t, usual, ""), u)
	f.Exec(t, takeOver, u.TaskID)
	handle(t, f.workerWith(t, usual, f.DB, f.Blobs), u)
	f.wantTask(t, u.TaskID, "COMPLETED 2 1 0")
	before := pgtest.Query[string](t, f.Database, `select t::text from sheetdrop.task t`)
	f.BlobProxy.Restore(t)
	if err := wait(); err != nil {
		t.Error(err)
	}
	if after := pgtest.Query[string](t, f.Database, `select t::text from sheetdrop.task t`); after != before {
		t.Errorf("the sleeper changed the task:\n%s\n%s", before, after)
	}
	f.wantRows(t, rows...)
	f.wantMessages(t, u.TaskID, 0)
}

// The late worker's release is fenced too, while another run of the same task is in progress.
func TestLateReleaseIsFenced(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	content, rows := rowsOf(10)
	u := f.upload(t, content)
	first := f.startHanging(t.Context(), t, f.worker(t, usual, ""), u)
	f.Exec(t, takeOver, u.TaskID)
	second := start(t.Context(), f.worker(t, usual, ""), u)
	f.Await(t, `select status = 'PROCESSING' and attempt = 2 from sheetdrop.task`)
	if err := first(); err != nil { // the heartbeat tells it
		t.Error(err)
	}
	f.wantTask(t, u.TaskID, "PROCESSING 2 1 0")
	f.BlobProxy.Restore(t)
	if err := second(); err != nil {
		t.Error(err)
	}
	f.wantTask(t, u.TaskID, "COMPLETED 2 1 0")
	f.wantRows(t, rows...)
}

// A file is deleted while it is being loaded: the load has no effect.
func TestFileDeletedWhileLoadingHasNoRows(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	content, _ := rowsOf(10)
	u := f.upload(t, content)
	wait := f.startHanging(t.Context(), t, f.worker(t, usual, ""), u)
	f.deleteFile(t, u)
	f.BlobProxy.Restore(t)
	if err := wait(); err != nil {
		t.Error(err)
	}
	f.wantTask(t, u.TaskID, "CANCELLED 1 0 0")
	f.wantRows(t)
	f.wantMessages(t, u.TaskID, 0)
}

// The state PROCESSING must be visible outside the transaction that does the work: everybody sees who works on what and
// how far it is, and a long run keeps its lease.
func TestRunningTaskIsVisible(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	u := f.upload(t, "a\n1\n")
	wait := f.startHanging(t.Context(), t, f.worker(t, usual, ""), u)
	f.Exec(t, `update sheetdrop.task set locked_until = now() + interval '1 s'`)
	f.Await(t, `select locked_until > now() + interval '20 s' and progress->>'bytes_total' = '4' from sheetdrop.task`)
	f.BlobProxy.Restore(t)
	if err := wait(); err != nil {
		t.Error(err)
	}
}
