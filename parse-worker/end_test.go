package parse_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/pgtest"
	"sheetdrop/internal/task"
	parse "sheetdrop/parse-worker"
)

// Operators hear of each task that is FAILED for a reason which is not its file's, and of no other.
func TestFailedTaskAlerts(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	w := f.worker(t, usual, "")
	bad, good, gone := f.upload(t, "\r\n"), f.upload(t, "a\n1\n"), f.upload(t, "a\n1\n")
	if err := f.Blobs.Delete(t.Context(), gone.File.BlobName); err != nil {
		t.Fatal(err)
	}
	for _, u := range []postgres.Upload{bad, good, gone} {
		handle(t, w, u)
	}
	f.wantTask(t, gone.TaskID, "FAILED 1 0 0 content_missing") // at once: nothing can mend that
	alerts := pgtest.Query[string](t, f.Database, `select coalesce(string_agg(concat_ws(' ', kind, subject, code), ', '), '') from sheetdrop.alert`)
	if want := "task_failed " + gone.TaskID.String() + " content_missing"; alerts != want {
		t.Errorf("alerts: %q, want %q", alerts, want)
	}
}

// P2: an outage of the blob store fails no task however often it is met, because transient errors do not count as
// attempts.
func TestBlobStoreOutagesAreNotCounted(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	w := f.worker(t, usual, "")
	content, rows := rowsOf(3)
	u := f.upload(t, content)
	f.BlobProxy.Cut()
	for range 6 { // more often than a task may crash
		handle(t, w, u)
	}
	f.wantTask(t, u.TaskID, "PENDING 6 0 6")
	f.wantMessages(t, u.TaskID, 6)
	if n := pgtest.Query[int](t, f.Database, `select count(*) from sheetdrop.outbox_message where next_attempt_at <= now()`); n == 6 {
		t.Error("no message waits")
	}
	f.BlobProxy.Restore(t)
	handle(t, w, u)
	f.wantTask(t, u.TaskID, "COMPLETED 7 0 6")
	f.wantRows(t, rows...)
}

// Internal errors are counted, and fail the task at exactly the fifth.
func TestInternalErrorsAreCounted(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for name, broken := range map[string]struct {
		arrange func(u postgres.Upload)
		worker  *parse.Worker
	}{
		"an error": {
			func(u postgres.Upload) {
				f.Exec(t, `update sheetdrop.task set options = '{"header": "none"}' where id = $1`, u.TaskID)
			},
			f.worker(t, usual, ""),
		},
		"a panic": {func(postgres.Upload) {}, f.workerWith(t, usual, f.DB, nil)},
	} {
		t.Run(name, func(t *testing.T) {
			u := f.upload(t, "a\n1\n")
			broken.arrange(u)
			for range 4 {
				handle(t, broken.worker, u)
			}
			f.wantTask(t, u.TaskID, "PENDING 4 4 0")
			f.wantMessages(t, u.TaskID, 4)
			handle(t, broken.worker, u)
			f.wantTask(t, u.TaskID, "FAILED 5 5 0 internal_error")
			f.wantMessages(t, u.TaskID, 4)
		})
	}
}

// Options, or values of them, that only a newer version knows are left to it: the task is returned, uncounted,
// however often.
func TestUnknownOptionsAreLeftToANewerProgram(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	w := f.worker(t, usual, "")
	for _, options := range []string{`{"no_such_option": 1}`, `{"encoding": "no-such-encoding"}`} {
		u := f.uploadWith(t, "a\n1\n", options)
		for range 6 {
			handle(t, w, u)
		}
		f.wantTask(t, u.TaskID, "PENDING 6 0 6")
		f.Exec(t, `update sheetdrop.task set options = '{}' where id = $1`, u.TaskID) // as good as a newer program
		handle(t, w, u)
		f.wantTask(t, u.TaskID, "COMPLETED 7 0 6")
	}
}

// A run ends itself before the host ends it, and kills its neighbours with it: the task's end is written while the call still goes on.
func TestRunThatTakesTooLong(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	brief := usual
	brief.FunctionTimeout = 5 * time.Second
	w := f.worker(t, brief, "")
	u := f.upload(t, "a\n1\n")
	f.BlobProxy.Hang()
	// A run that began late, which the first one may on a busy machine, is not held against its file.
	wantEnd := func(want string) {
		t.Helper()
		for range 10 {
			call, end := context.WithTimeout(t.Context(), brief.FunctionTimeout)
			if err := w.Handle(call, message(u)); err != nil {
				t.Errorf("deliver again: %v", err)
			}
			end()
			got := pgtest.Query[string](t, f.Database, `select concat_ws(' ', status, crashes, attempt - faults, error_code) from sheetdrop.task`)
			if got == want {
				return
			}
			if late := pgtest.Query[int](t, f.Database, `select faults from sheetdrop.task`); late == 0 {
				t.Fatalf("task: %s, want %s", got, want)
			}
		}
		t.Fatalf("ten runs were late")
	}
	wantEnd("PENDING 1 1")
	f.Exec(t, `update sheetdrop.task set crashes = 4, attempt = 4, faults = 0`)
	wantEnd("FAILED 5 5 took_too_long")
}

// A cancel reaches a running task.
func TestCancelOfARunningTask(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	u := f.upload(t, "a\n1\n")
	wait := f.startHanging(t.Context(), t, f.worker(t, usual, ""), u)
	f.Exec(t, `update sheetdrop.task set cancel_requested_at = now()`)
	if err := wait(); err != nil {
		t.Error(err)
	}
	f.wantTask(t, u.TaskID, "CANCELLED 1 0 0")
	f.wantMessages(t, u.TaskID, 0)
}

// The worker returns the task while a cancel has been requested: no other run may start.
func TestReturnedAfterCancelIsCancelled(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	u := f.upload(t, "a\n1\n")
	ctx, stop := context.WithCancel(t.Context())
	patient := usual
	patient.Lease, patient.FunctionTimeout = time.Hour, time.Hour
	wait := f.startHanging(ctx, t, f.worker(t, patient, ""), u)
	tx := f.Begin(t)
	if _, err := tx.Exec(t.Context(), `update sheetdrop.task set cancel_requested_at = now()`); err != nil {
		t.Fatal(err)
	}
	stop() // the release now waits for the cancel's lock, and must see the cancel
	f.Await(t, lockAwaited)
	if err := tx.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := wait(); err != nil {
		t.Error(err)
	}
	if got := pgtest.Query[string](t, f.Database, `select status from sheetdrop.task where id = $1`, u.TaskID); got != string(task.Cancelled) {
		t.Errorf("task: %s, want CANCELLED", got)
	}
	f.wantMessages(t, u.TaskID, 0)
}

// A handler that is told to stop returns its tasks at once, so that nobody waits for a lease.
func TestStoppedWorkerReturnsItsTasks(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	u := f.upload(t, "a\n1\n")
	ctx, stop := context.WithCancel(t.Context())
	wait := f.startHanging(ctx, t, f.worker(t, usual, ""), u)
	stop()
	if err := wait(); err != nil {
		t.Error(err)
	}
	f.wantTask(t, u.TaskID, "PENDING 1 0 1")
	f.wantMessages(t, u.TaskID, 1)
}

// Settings that cannot work are refused at the start.
func TestSettings(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for setting, change := range map[string]func(s *parse.Settings){
		"PARSE_CONCURRENCY is 0":    func(s *parse.Settings) { s.Concurrency = 0 },
		"PARSE_CONCURRENCY is 9":    func(s *parse.Settings) { s.Concurrency = 9 }, // of ten connections
		"TASK_LEASE is 1s":          func(s *parse.Settings) { s.Lease = time.Second },
		"LIMIT_UNZIP_RATIO is 0":    func(s *parse.Settings) { s.Limits.UnzipRatio = 0 },
		"LIMIT_ROWS is -1":          func(s *parse.Settings) { s.Limits.Rows = -1 },
		"LIMIT_RECORD_BYTES is 268": func(s *parse.Settings) { s.Limits.RecordBytes = 256<<20 + 1 }, // rows of 1 GiB
		"LIMIT_CELL_BYTES is 268":   func(s *parse.Settings) { s.Limits.CellBytes = 256<<20 + 1 },
	} {
		changed := usual
		change(&changed)
		if _, err := parse.New(changed, f.DB, f.DB, f.Blobs, nil); err == nil || !strings.HasPrefix(err.Error(), setting) {
			t.Errorf("%s: %v", setting, err)
		}
	}
}

// On an old schema nothing is touched and the message stays.
func TestOldSchema(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	u := f.upload(t, "a\n1\n")
	f.Exec(t, `delete from sheetdrop.schema_version where version_id > 0`)
	err := f.worker(t, usual, "").Handle(t.Context(), message(u))
	if !errors.Is(err, postgres.ErrSchemaOld) || !strings.Contains(err.Error(), "sheetdrop migrate") {
		t.Errorf("error %v, want %v", err, postgres.ErrSchemaOld)
	}
	f.wantTask(t, u.TaskID, "PENDING 0 0 0")
}

// Rows are those of the uploaded bytes, or there are none: a change in the store, by whomever, is detected whatever the
// file is and however little of it is read, and operators are alerted.
func TestContentThatHasChanged(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	w := f.worker(t, usual, "")
	text, _ := rowsOf(500_000) // more than is kept in memory, so that it is read in pieces
	book := string(workbook(t, func(b *excelize.File) error { return b.SetCellStr("Sheet1", "A1", "id") }))
	for name, c := range map[string]struct{ uploaded, stored string }{
		"a cell":                     {"a\n1\n", "a\n2\n"},
		"a cell of a large file":     {text, strings.Replace(text, "name 9\n", "name 8\n", 1)},
		"the last byte of a book":    {book + " ", book + "\n"},
		"shorter":                    {"a\n1\n22\n", "a\n1\n"},
		"longer":                     {"a\n1\n", "a\n1\n22\n"},
		"so that it cannot be read":  {book, strings.Repeat("x", 7) + "\x00" + book[8:]},
		"so that a record is broken": {"a\n1\n", "a\n\xff\n"},
	} {
		u := f.uploadWith(t, c.uploaded, `{"policy":"fail"}`)
		if err := f.Blobs.Upload(t.Context(), u.File.BlobName+"x", strings.NewReader(c.stored)); err != nil {
			t.Fatal(err)
		}
		f.Exec(t, `update sheetdrop.source_file set blob_name = blob_name || 'x' where id = $1`, u.File.ID)
		handle(t, w, u)
		if got := pgtest.Query[string](t, f.Database, `select concat_ws(' ', status, attempt, crashes, faults, error_code) from sheetdrop.task where id = $1`, u.TaskID); got != "FAILED 1 0 0 content_changed" {
			t.Errorf("%s: task %s", name, got)
		}
		if !pgtest.Query[bool](t, f.Database, `select exists (select from sheetdrop.alert where subject = $1 and code = 'content_changed')`, u.TaskID.String()) {
			t.Errorf("%s: nobody is alerted", name)
		}
	}
	f.wantRows(t)
	if n := pgtest.Query[int](t, f.Database, `select (select count(*) from sheetdrop.sheet) + (select count(*) from sheetdrop.row_reject)`); n != 0 {
		t.Errorf("%d sheets and rejects of other bytes", n)
	}
}
