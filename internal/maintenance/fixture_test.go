package maintenance_test

import (
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/google/uuid"

	"sheetdrop/internal/azure"
	"sheetdrop/internal/chaos/faultproxy"
	"sheetdrop/internal/devstack/devtest"
	"sheetdrop/internal/maintenance"
	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/pgtest"
	"sheetdrop/internal/task"
)

// fixture is a Runner between a database and a storage account of the test's own, with a proxy in front of each service of the latter.
// No relay runs, so that what is enqueued stays in the outbox.
type fixture struct {
	*pgtest.Database
	Runner     *maintenance.Runner
	Blobs      *azure.Blobs
	Queue      *azure.Queue
	QueueProxy *faultproxy.Proxy
	BlobProxy  *faultproxy.Proxy
	Log        *devtest.Log
	parts      devtest.StorageParts // past the proxies
}

func newFixture(t *testing.T, change ...func(*maintenance.Settings)) *fixture {
	t.Helper()
	f := &fixture{Database: pgtest.New(t), Log: new(devtest.Log), parts: devtest.Storage(t)}
	var through devtest.StorageParts
	through, f.BlobProxy, f.QueueProxy = faultproxy.Storage(t, f.parts)
	var err error
	f.Blobs, f.Queue, err = azure.Open(azure.Settings{Connection: through.ConnectionString, Container: through.Container, Queue: through.Queue})
	if err != nil {
		t.Fatal(err)
	}
	s := defaults()
	for _, c := range change {
		c(&s)
	}
	f.Runner = f.runner(t, s, f.DB)
	return f
}

func defaults() maintenance.Settings {
	return maintenance.Settings{Period: 10 * time.Second, Lease: 30 * time.Second, HistoryDays: 14, PendingAlert: time.Hour}
}

// storage returns settings past the proxies.
func (f *fixture) storage() azure.Settings {
	return azure.Settings{Connection: f.parts.ConnectionString, Container: f.parts.Container, Queue: f.parts.Queue}
}

// runner makes another Runner, with settings and a way to the database of its own.
func (f *fixture) runner(t *testing.T, s maintenance.Settings, db *postgres.DB) *maintenance.Runner {
	t.Helper()
	r, err := maintenance.New(s, db, f.Queue, f.Blobs, slog.New(slog.NewJSONHandler(f.Log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// tick is what the timer has the Runner do.
func (f *fixture) tick(t *testing.T) error {
	t.Helper()
	return errors.Join(f.Runner.Run(t.Context()), f.Runner.PurgeRows(t.Context()))
}

func (f *fixture) run(t *testing.T) {
	t.Helper()
	if err := f.tick(t); err != nil {
		t.Fatal(err)
	}
}

// wantEnqueued says that the outbox holds one due message for each of the tasks, and no other, and takes them out, as a relay does.
func (f *fixture) wantEnqueued(t *testing.T, want ...uuid.UUID) {
	t.Helper()
	times := map[uuid.UUID]int{}
	for _, id := range pgtest.Query[[]uuid.UUID](t, f.Database, `with due as (
  delete from sheetdrop.outbox_message where event_type = 'PARSE_TASK' and status = 'PENDING' and next_attempt_at <= now() returning task_id
) select coalesce(array_agg(task_id), '{}') from due`) {
		times[id]++
	}
	for _, id := range want {
		if times[id] != 1 {
			t.Errorf("the outbox holds %d messages for task %s, want one", times[id], id)
		}
		delete(times, id)
	}
	if len(times) > 0 {
		t.Errorf("the outbox holds messages for other tasks: %v", times)
	}
}

// send puts an upload's message into the queue.
func (f *fixture) send(t *testing.T, u postgres.Upload) {
	t.Helper()
	if err := f.Queue.Send(t.Context(), task.ParseMessage{Version: 1, MessageID: u.MessageID, TaskID: u.TaskID}.Encode()); err != nil {
		t.Fatal(err)
	}
}

// periodPasses makes the next run one that releases expired leases.
func (f *fixture) periodPasses(t *testing.T) {
	t.Helper()
	f.Exec(t, `update sheetdrop.reconciler set ran_at = ran_at - interval '10 s'`)
}

// claimed commits an upload and lets a worker claim its task; the lease ends after ttl.
func (f *fixture) claimed(t *testing.T, ttl string) postgres.Upload {
	t.Helper()
	u := f.AddSentUpload(t)
	f.Exec(t, `update sheetdrop.task set status = 'PROCESSING', attempt = 1, started_at = now(), locked_by = gen_random_uuid(),
locked_until = now() + $2::text::interval where id = $1`, u.TaskID, ttl)
	return u
}

func (f *fixture) status(t *testing.T, taskID uuid.UUID) task.Status {
	t.Helper()
	return task.Status(pgtest.Query[string](t, f.Database, `select status from sheetdrop.task where id = $1`, taskID))
}
