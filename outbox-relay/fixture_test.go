package outbox_test

import (
	"encoding/base64"
	"testing"
	"time"

	"github.com/google/uuid"

	"sheetdrop/internal/azure"
	"sheetdrop/internal/chaos/faultproxy"
	"sheetdrop/internal/devstack/devtest"
	"sheetdrop/internal/postgres/pgtest"
	"sheetdrop/internal/task"
	outbox "sheetdrop/outbox-relay"
)

// fixture is a relay between a database and a storage account of the test's own, with a proxy in front of each service of the latter.
type fixture struct {
	*pgtest.Database
	Relay      *outbox.Relay
	Blobs      *azure.Blobs
	QueueProxy *faultproxy.Proxy
	BlobProxy  *faultproxy.Proxy
	parts      devtest.StorageParts // past the proxies
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	f := &fixture{Database: pgtest.New(t), parts: devtest.Storage(t)}
	var through devtest.StorageParts
	through, f.BlobProxy, f.QueueProxy = faultproxy.Storage(t, f.parts)
	f.Relay = f.relay(t, outbox.Settings{Period: 10 * time.Second, Lease: 30 * time.Second, SendTimeout: 10 * time.Second}, f.DB, through)
	var err error
	if f.Blobs, _, err = azure.Open(settings(through)); err != nil {
		t.Fatal(err)
	}
	return f
}

func settings(p devtest.StorageParts) azure.Settings {
	return azure.Settings{Connection: p.ConnectionString, Container: p.Container, Queue: p.Queue}
}

// run drains the outbox.
func (f *fixture) run(t *testing.T) {
	t.Helper()
	if err := f.Relay.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// received takes all messages out of the queue, past the proxy, and returns the ids of their tasks.
func (f *fixture) received(t *testing.T) []uuid.UUID {
	t.Helper()
	var tasks []uuid.UUID
	for {
		batch := f.parts.Receive(t)
		if len(batch) == 0 {
			return tasks
		}
		for _, m := range batch {
			text, err := base64.StdEncoding.DecodeString(*m.MessageText)
			if err != nil {
				t.Fatal(err)
			}
			message, err := task.DecodeParseMessage(text)
			if err != nil {
				t.Fatal(err)
			}
			tasks = append(tasks, message.TaskID)
		}
	}
}

func (f *fixture) wantReceived(t *testing.T, want ...uuid.UUID) {
	t.Helper()
	times := map[uuid.UUID]int{}
	for _, id := range f.received(t) {
		times[id]++
	}
	for _, id := range want {
		if times[id] != 1 {
			t.Errorf("the queue holds task %s %d times, want once", id, times[id])
		}
		delete(times, id)
	}
	if len(times) > 0 {
		t.Errorf("the queue holds tasks that nobody awaits: %v", times)
	}
}

// addMessages commits messages of tasks that are nowhere, and returns their ids.
func (f *fixture) addMessages(t *testing.T, n int) []uuid.UUID {
	t.Helper()
	return pgtest.Query[[]uuid.UUID](t, f.Database, `with message as (
  insert into sheetdrop.outbox_message (id, event_type, task_id, payload)
  select id, 'PARSE_TASK', id, jsonb_build_object('v', 1, 'message_id', id, 'task_id', id) from (select gen_random_uuid() as id from generate_series(1, $1)) m
  returning id
) select array_agg(id) from message`, n)
}

// waitsLong makes messages wait for up to a minute after a failure, as after twenty tries, so that one run does not try them twice.
func (f *fixture) waitsLong(t *testing.T) {
	t.Helper()
	f.Exec(t, `update sheetdrop.outbox_message set attempts = 20`)
}

// makeDue lets the time pass that failed messages have to wait.
func (f *fixture) makeDue(t *testing.T) {
	t.Helper()
	f.Exec(t, `update sheetdrop.outbox_message set next_attempt_at = now() where status = 'PENDING'`)
}
