package main

import (
	"errors"
	"log/slog"
	"maps"
	"testing"

	"github.com/caarlos0/env/v11"

	"sheetdrop/internal/devstack/devtest"
	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/pgtest"
)

// timerFixture is the handler's timer as its settings make it, between a database and a storage account of the test's own.
type timerFixture struct {
	*pgtest.Database
	timer   timer
	log     *devtest.Log
	storage devtest.StorageParts
}

func newTimer(t *testing.T, change map[string]string) *timerFixture {
	t.Helper()
	f := &timerFixture{Database: pgtest.New(t), log: new(devtest.Log), storage: devtest.Storage(t)}
	values := map[string]string{
		"FUNCTIONS_CUSTOMHANDLER_PORT": "7071", "AUTH": "local", "DATABASE_URL": f.URL,
		"DATA_STORAGE": f.storage.ConnectionString, "BLOB_CONTAINER": f.storage.Container, "PARSE_QUEUE": f.storage.Queue,
	}
	maps.Copy(values, change)
	s, err := env.ParseAsWithOptions[settings](env.Options{Environment: values})
	if err != nil {
		t.Fatal(err)
	}
	services, err := open(s, slog.New(slog.NewJSONHandler(f.log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(services.close)
	f.timer = services.timer
	return f
}

func (f *timerFixture) run(t *testing.T) {
	t.Helper()
	if err := f.timer.run(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// wantSent says how many messages the queue has been sent since the last time.
func (f *timerFixture) wantSent(t *testing.T, want int) {
	t.Helper()
	if got := len(f.storage.Receive(t)); got != want {
		t.Errorf("%d messages were sent, want %d", got, want)
	}
}

// P2: the task of a worker that died is asked for again in the very run that finds it, and not a period later.
func TestMessageOfADeadWorkersTaskIsSentInTheSameRun(t *testing.T) {
	t.Parallel()
	f := newTimer(t, nil)
	f.AddSentUpload(t)
	f.Exec(t, `update sheetdrop.task set status = 'PROCESSING', attempt = 1, started_at = now(), locked_by = gen_random_uuid(), locked_until = now() - interval '1 h'`)
	f.Exec(t, `update sheetdrop.reconciler set ran_at = now() - interval '1 minute'`)
	f.run(t)
	f.wantSent(t, 1)
}

// A message that waited for an hour and was sent a moment ago has not been lost: its task gets no second one under overload.
func TestTaskIsNotForgottenWhenItsMessageWasSentLate(t *testing.T) {
	t.Parallel()
	f := newTimer(t, nil)
	f.AddUpload(t)
	f.Exec(t, `update sheetdrop.task set enqueued_at = now() - interval '1 h'`)
	f.run(t)
	f.run(t)
	f.wantSent(t, 1)
	if lines := f.log.Lines(t, "message written anew, since none has come for the task"); len(lines) != 0 {
		t.Errorf("it was taken for forgotten: %v", lines)
	}
}

// Another process that froze with a lock on the lease of maintenance, and maintenance that fails, keep nobody from sending.
func TestSendingGoesOnWithoutMaintenance(t *testing.T) {
	t.Parallel()
	f := newTimer(t, map[string]string{"RELAY_LEASE": "1s"})
	frozen := f.Begin(t)
	if _, err := frozen.Exec(t.Context(), `update sheetdrop.reconciler set locked_until = now()`); err != nil {
		t.Fatal(err)
	}
	f.AddUpload(t)
	if err := f.timer.run(t.Context()); err == nil {
		t.Error("nobody hears that maintenance hangs")
	}
	f.wantSent(t, 1)
	if err := frozen.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	f.Exec(t, `drop table sheetdrop.reconciler`)
	f.AddUpload(t)
	if err := f.timer.run(t.Context()); err == nil {
		t.Error("nobody hears that maintenance fails")
	}
	f.wantSent(t, 1)
}

// No message waits for the purge of rows, which may take half a period: it comes last.
func TestMessagesAreSentBeforeRowsArePurged(t *testing.T) {
	t.Parallel()
	f := newTimer(t, nil)
	f.AddUpload(t)
	f.Exec(t, `insert into sheetdrop.sheet_purge (sheet_id, last_row) values (nextval('sheetdrop.sheet_id'), 10)`)
	f.Exec(t, `insert into sheetdrop.sheet_row (sheet_id, row_no, cells) select sheet_id, 1, '{a}' from sheetdrop.sheet_purge`)
	f.Exec(t, `create function sheetdrop.too_early() returns trigger language plpgsql as $$ begin raise 'a message waits'; end $$`)
	f.Exec(t, `create function sheetdrop.message_waits() returns bool language sql as 'select exists (select from sheetdrop.outbox_message)'`)
	f.Exec(t, `create trigger too_early before delete on sheetdrop.sheet_row for each row
when (sheetdrop.message_waits()) execute function sheetdrop.too_early()`)
	f.run(t)
	f.wantSent(t, 1)
	if rows := pgtest.Query[int](t, f.Database, `select count(*) from sheetdrop.sheet_row`); rows != 0 {
		t.Errorf("%d rows are left", rows)
	}
}

// On an old schema nothing is touched, and whoever reads the log is told what to do.
func TestOldSchema(t *testing.T) {
	t.Parallel()
	f := newTimer(t, nil)
	f.AddUpload(t)
	f.Exec(t, `delete from sheetdrop.schema_version where version_id > 0`)
	if err := f.timer.run(t.Context()); !errors.Is(err, postgres.ErrSchemaOld) {
		t.Errorf("%v, want %v", err, postgres.ErrSchemaOld)
	}
	f.wantSent(t, 0)
}
