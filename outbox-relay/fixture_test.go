package outbox_test

import (
	"encoding/base64"
	"encoding/json"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/storage/azqueue"
	"github.com/google/uuid"

	"sheetdrop/internal/azure"
	"sheetdrop/internal/chaos/faultproxy"
	"sheetdrop/internal/devstack/devtest"
	"sheetdrop/internal/postgres"
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
	Log        *logLines
	parts      devtest.StorageParts // past the proxies
}

func newFixture(t *testing.T, change ...func(*outbox.Settings)) *fixture {
	f := &fixture{Database: pgtest.New(t), Log: new(logLines), parts: devtest.Storage(t)}
	var through devtest.StorageParts
	through, f.BlobProxy, f.QueueProxy = faultproxy.Storage(t, f.parts)
	blobs, queue, err := azure.Open(settings(through))
	if err != nil {
		t.Fatal(err)
	}
	f.Blobs = blobs
	s := relaySettings()
	for _, c := range change {
		c(&s)
	}
	f.Relay, err = outbox.New(s, f.DB, queue, blobs, slog.New(slog.NewJSONHandler(f.Log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.Relay.Close)
	return f
}

func relaySettings() outbox.Settings {
	return outbox.Settings{
		Period: 10 * time.Second, Lease: 30 * time.Second, SendTimeout: 10 * time.Second, HistoryDays: 14, PendingAlert: time.Hour,
	}
}

func settings(p devtest.StorageParts) azure.Settings {
	return azure.Settings{Connection: p.ConnectionString, Container: p.Container, Queue: p.Queue}
}

// run is one tick of the timer.
func (f *fixture) run(t *testing.T) {
	t.Helper()
	if err := f.Relay.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// received takes all messages out of the queue, past the proxy, and gives the ids of their tasks.
func (f *fixture) received(t *testing.T) []uuid.UUID {
	t.Helper()
	client, err := azqueue.NewQueueClientFromConnectionString(f.parts.ConnectionString, f.parts.Queue, nil)
	if err != nil {
		t.Fatal(err)
	}
	var tasks []uuid.UUID
	for {
		batch, err := client.DequeueMessages(t.Context(), &azqueue.DequeueMessagesOptions{NumberOfMessages: new(int32(32)), VisibilityTimeout: new(int32(600))})
		if err != nil {
			t.Fatal(err)
		}
		if len(batch.Messages) == 0 {
			return tasks
		}
		for _, m := range batch.Messages {
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

// addMessages commits messages of tasks that are nowhere, and gives their ids.
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

// periodPasses makes the next run one that looks at expired leases.
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

// logLines are lines of JSON.
type logLines struct{ devtest.Log }

// lines gives the log lines with a message.
func (l *logLines) lines(t *testing.T, message string) []map[string]any {
	t.Helper()
	var found []map[string]any
	for line := range strings.Lines(l.String()) {
		var fields map[string]any
		if err := json.Unmarshal([]byte(line), &fields); err != nil {
			t.Fatal(err)
		}
		if fields["msg"] == message {
			found = append(found, fields)
		}
	}
	return found
}
