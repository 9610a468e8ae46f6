package flap

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sheetdrop/internal/chaos/storageproxy"
	"sheetdrop/internal/devstack/await"
	"sheetdrop/internal/funchost"
	"sheetdrop/internal/postgres/pgtest"
	"sheetdrop/verify/e2e"
)

// scene is sheetdrop under a host that reaches storage through a proxy. The handler reaches it directly.
type scene struct {
	*e2e.App
	t            *testing.T
	step         step
	fault        storageproxy.Fault
	config       funchost.Config
	lease, retry string // for how many seconds the host hides a message that it has received, and one that failed

	failing  atomic.Bool
	failures atomic.Int64
	bad      atomic.Value // id of the message that no worker takes
	address  atomic.Value // of the host that runs now

	accepted atomic.Int64 // files

	host    *funchost.Host
	release func() // lets parsing go on, where it is held
}

const rowsOfAFile = 20

func newScene(t *testing.T, step step, fault storageproxy.Fault) *scene {
	t.Helper()
	s := &scene{t: t, step: step, fault: fault, release: func() {}}
	options := e2e.Options{TimeScale: 0.02, Settings: map[string]string{
		"RELAY_SCHEDULE": "* * * * * *", "RELAY_PERIOD": "1s", "RELAY_LEASE": "3s", "TASK_LEASE": "10s",
	}}
	// The message that no worker takes becomes a dead letter, and uploads are refused while the handler's storage is away.
	expected := []string{"not a parse message", `"alert":"dead_letter"`, "storage_unavailable"}
	s.lease, s.retry = "12", "1"
	if *realPace {
		options = e2e.Options{Settings: map[string]string{"RELAY_SCHEDULE": "*/30 * * * * *", "RELAY_PERIOD": "30s"}}
		s.lease, s.retry = "600", "30"
	}
	options.Errors = expected
	s.App = e2e.Prepare(t, options)
	s.config = s.HostConfig(t, options)
	throughProxy := storageproxy.Through(t, s.Storage.ConnectionString, s.judge)
	s.config.Settings["AzureWebJobsStorage"], s.config.Settings["AzureWebJobsDATA_STORAGE"] = throughProxy, throughProxy
	if step.whole {
		s.config.Settings["DATA_STORAGE"] = throughProxy
		s.fail()
	}
	s.startHost()
	t.Cleanup(func() { s.release(); _ = s.host.Stop(context.WithoutCancel(t.Context())) })
	return s
}

func (s *scene) startHost() {
	host, err := funchost.Start(s.t.Context(), s.config)
	if err != nil {
		s.t.Fatal(err)
	}
	s.host = host
	s.address.Store(host.URL())
}

// restart has the host stopped, as a deployment does, and started again.
func (s *scene) restart() {
	_ = s.host.Stop(s.t.Context())
	s.startHost()
}

// restartUntilFailure does so until the step has failed: a host that has no lock, or that is out of time, does not come to it.
func (s *scene) restartUntilFailure() {
	for s.failures.Load() == 0 && !s.t.Failed() {
		started := pgtest.Query[time.Time](s.t, s.Database, `select clock_timestamp()`)
		s.await("the host has the timer", func() bool {
			return pgtest.Query[bool](s.t, s.Database, `select ran_at > $1 from sheetdrop.reconciler`, started)
		})
		s.restart()
	}
}

// startElsewhere does the same with a host of another id, which finds no lock.
func (s *scene) startElsewhere() {
	_ = s.host.Stop(s.t.Context())
	s.config.Settings["AzureFunctionsWebHost__hostid"] = uuid.NewString()
	s.startHost()
}

// judge says whether a request fails, and how.
func (s *scene) judge(r *http.Request) storageproxy.Fault {
	if !s.failing.Load() || !s.step.is(s, r) {
		return storageproxy.None
	}
	s.failures.Add(1)
	return s.fault
}

func (s *scene) fail()    { s.failing.Store(true) }
func (s *scene) recover() { s.failing.Store(false); s.release() }

// awaitFailures waits until the step has failed and the host has ended for it, or has failed as often as it is tried in
// a row twice over.
func (s *scene) awaitFailures() {
	const tries = 6
	enough := int64(2 * tries)
	if s.step.rare {
		enough = 1
	}
	s.await("the step fails", func() bool {
		return s.failures.Load() >= enough || (s.failures.Load() > 0 && s.host.Stats().Restarts > 0)
	})
}

func (s *scene) await(what string, condition func() bool) {
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for deadline := await.Deadline(s.t); !condition(); {
		select {
		case <-tick.C:
		case <-s.t.Context().Done():
			return
		case <-deadline:
			s.t.Errorf("never: %s", what)
			return
		}
	}
}

// upload sends n files, each until it is accepted, as a patient client does.
func (s *scene) upload(n int) {
	for range n {
		key := uuid.NewString()
		s.await("an upload is accepted", func() bool { return s.uploadOnce(key) })
	}
}

func (s *scene) uploadOnce(key string) bool {
	address, _ := s.address.Load().(string)
	body := bytes.NewBufferString("n,text\n")
	for n := range rowsOfAFile {
		fmt.Fprintf(body, "%d,%s\n", n, key)
	}
	request, err := http.NewRequestWithContext(s.t.Context(), http.MethodPost, address+"/api/files?name=list.csv", body)
	if err != nil {
		s.t.Error(err)
		return true
	}
	request.Header = http.Header{"Content-Type": {"text/csv"}, "Idempotency-Key": {key}}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return false // the host is down
	}
	defer answer.Body.Close()
	_, _ = io.Copy(io.Discard, answer.Body)
	if answer.StatusCode != http.StatusAccepted {
		return false
	}
	s.accepted.Add(1)
	return true
}

// holdParsing keeps each file from being loaded, so that calls are under way, until the fault is over.
func (s *scene) holdParsing() {
	conn, err := pgx.Connect(s.t.Context(), s.URL)
	if err == nil {
		_, err = conn.Exec(s.t.Context(), `begin; lock table sheetdrop.sheet_row in access exclusive mode`)
	}
	if err != nil {
		s.t.Fatal(err)
	}
	s.release = sync.OnceFunc(func() { _ = conn.Close(context.WithoutCancel(s.t.Context())) })
}

// sendBad sends a message that every worker refuses.
func (s *scene) sendBad() {
	queue, _ := s.Storage.Queues(s.t)
	answer, err := queue.EnqueueMessage(s.t.Context(), "bm8gdGFzaw==", nil) // "no task"
	if err != nil {
		s.t.Fatal(err)
	}
	s.bad.Store(*answer.Messages[0].MessageID)
}

// awaitAll waits until every task has ended, and until the bad message is kept as a dead letter. It returns how many
// seconds a task took at the longest.
func (s *scene) awaitAll() float64 {
	accepted := s.accepted.Load()
	s.await("all tasks have ended", func() bool {
		return pgtest.Query[int64](s.t, s.Database, `select count(*) from sheetdrop.task where status not in ('PENDING', 'PROCESSING')`) == accepted
	})
	completed := pgtest.Query[int64](s.t, s.Database, `select count(*) from sheetdrop.task where status = 'COMPLETED'`)
	rows := pgtest.Query[int64](s.t, s.Database, `select count(*) from sheetdrop.sheet_row`)
	if completed != accepted || rows != accepted*rowsOfAFile {
		s.t.Errorf("%d of %d accepted files COMPLETED with %d rows", completed, accepted, rows)
	}
	if s.bad.Load() != nil {
		s.await("the bad message is a dead letter", func() bool {
			return pgtest.Query[bool](s.t, s.Database, `select exists (select from sheetdrop.dead_letter)`)
		})
	}
	return pgtest.Query[float64](s.t, s.Database, `select extract(epoch from max(finished_at - created_at))::float8 from sheetdrop.task`)
}
