package volume

import (
	"flag"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/storage/azqueue"
	"github.com/jackc/pgx/v5"

	"sheetdrop/internal/devstack"
	"sheetdrop/internal/devstack/devtest"
	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/pgtest"
	"sheetdrop/internal/task"
	"sheetdrop/verify/e2e"
)

var (
	full  = flag.Bool("full", false, "each run in its whole size, on servers of its own")
	count = flag.Int("messages", 0, "so many messages, rather than what the run has")
	rate  = flag.Int("rate", 400, "messages a second in a steady stream")
)

func TestMain(m *testing.M) { e2e.Main(m) }

// messages is how many a run has: a few in `go test`, all of them with -full.
func messages(few, all int) int {
	switch {
	case *count > 0:
		return *count
	case *full:
		return all
	default:
		return few
	}
}

// outbox is a database and a queue, without a host: relays are handlers whose timer is the test.
type outbox struct {
	*e2e.App
	queue *azqueue.QueueClient
	added int // messages so far
}

// newOutbox makes one on the servers that all tests share, or, for a run in its whole size, on servers of its own.
func newOutbox(t *testing.T) *outbox {
	t.Helper()
	if *full {
		return newOutboxOn(t, devtest.Private(t))
	}
	return newOutboxOn(t, devtest.Shared(t))
}

func newOutboxOn(t *testing.T, servers *devstack.Stack) *outbox {
	t.Helper()
	parts := devtest.StorageOn(t, servers)
	app := e2e.Prepare(t, e2e.Options{Database: pgtest.NewOn(t, servers), Storage: &parts})
	queue, _ := parts.Queues(t)
	return &outbox{App: app, queue: queue}
}

// newServers starts servers of the test's own, with settings of PostgreSQL changed: name and value in turn.
func newServers(t testing.TB, settings ...string) *devstack.Stack {
	t.Helper()
	servers := devtest.Private(t)
	server, err := pgx.Connect(t.Context(), servers.DatabaseURL)
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close(t.Context())
	for i := 0; i < len(settings); i += 2 {
		if _, err := server.Exec(t.Context(), `alter system set `+settings[i]+` = '`+settings[i+1]+`'`); err != nil {
			t.Fatal(err)
		}
	}
	if err := servers.StopPostgres(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	if err := servers.StartPostgres(t.Context()); err != nil {
		t.Fatal(err)
	}
	return servers
}

// relay starts a handler that relays at each tick until nothing is due or a period is over: name and value of further settings in turn.
// A send has as long as it needs, for a busy machine is no fault of the queue's.
func (o *outbox) relay(t *testing.T, period string, settings ...string) *e2e.Handler {
	t.Helper()
	all := map[string]string{"RELAY_PERIOD": period, "RELAY_SEND_TIMEOUT": "1h", "LOG_LEVEL": "ERROR", "PGAPPNAME": "relay"}
	for i := 0; i < len(settings); i += 2 {
		all[settings[i]] = settings[i+1]
	}
	return o.StartHandler(t, all)
}

// add commits n messages of tasks that are nowhere. Each is due 100 ms after the one before, the last one now.
func (o *outbox) add(t *testing.T, n int) {
	t.Helper()
	o.Exec(t, `insert into sheetdrop.outbox_message (id, event_type, task_id, payload, next_attempt_at)
select id, 'PARSE_TASK', id, jsonb_build_object('v', 1, 'message_id', id, 'task_id', id), now() - ($1 - i) * interval '100 ms'
from (select gen_random_uuid() as id, i from generate_series(1, $1) i) m`, n)
	o.added += n
}

// claimed is how many messages a relay claims at once.
const claimed = 100

// sendBatch claims messages and writes them down as sent, as a relay does before and after it sends them. It returns how many they were, and
// how long the claim took.
func (o *outbox) sendBatch(t *testing.T) (n int, took time.Duration) {
	t.Helper()
	token := task.NewID()
	began := time.Now()
	messages, err := o.ClaimMessages(t.Context(), token, lease, time.Time{}, claimed)
	took = time.Since(began)
	if err != nil {
		t.Fatal(err)
	}
	var s postgres.Settlement
	for _, m := range messages {
		s.Sent = append(s.Sent, m.ID)
	}
	if err := o.Settle(t.Context(), token, s); err != nil {
		t.Fatal(err)
	}
	return len(messages), took
}

// queued is how many messages the queue holds.
func (o *outbox) queued(t *testing.T) int {
	t.Helper()
	properties, err := o.queue.GetProperties(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return int(*properties.ApproximateMessagesCount)
}

// wantSent says that n messages were sent, each once: each is in the history, and the queue holds no more than these.
func (o *outbox) wantSent(t *testing.T, n int) {
	t.Helper()
	if sent := pgtest.Query[int](t, o.Database, `select count(*) from sheetdrop.outbox_history`); sent != n {
		t.Errorf("%d messages are in the history, want %d", sent, n)
	}
	if live := pgtest.Query[int](t, o.Database, `select count(*) from sheetdrop.outbox_message`); live != 0 {
		t.Errorf("%d messages are left, want 0", live)
	}
	if queued := o.queued(t); queued != n {
		t.Errorf("the queue holds %d messages, want %d", queued, n)
	}
}
