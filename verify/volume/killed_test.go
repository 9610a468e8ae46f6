package volume

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"time"

	"sheetdrop/internal/chaos/faultproxy"
	"sheetdrop/internal/devstack/devtest"
	"sheetdrop/internal/postgres/pgtest"
	"sheetdrop/verify/e2e"
)

// What a deployed app has.
const (
	lease  = 30 * time.Second
	period = 30 * time.Second
)

// The first tick of the timer after the end of its lease sends what a killed relay had in its hands, and no earlier one. P2.
func TestKilledRelay(t *testing.T) {
	t.Parallel()
	if *full {
		secondsAfterKill(t, killRelay, lease+period)
		return
	}
	o := newOutbox(t)
	const n = 20
	o.add(t, n)
	through, _, queue := faultproxy.Storage(t, o.Storage)
	const lease = time.Hour // which does not end by itself on a slow machine
	killed := o.relay(t, "1h", "DATA_STORAGE", through.ConnectionString, "RELAY_LEASE", lease.String())
	queue.Hang()
	killed.Relay(t)
	o.Database.Await(t, `select count(*) = $1 from sheetdrop.outbox_message where status = 'PROCESSING'`, n)
	killed.Signal(t, os.Kill)

	other := o.relay(t, "1h")
	other.Tick(t)
	if left := pgtest.Query[int](t, o.Database, `select count(*) from sheetdrop.outbox_message`); left != n {
		t.Errorf("before its end, the lease holds %d of %d messages", left, n)
	}
	o.pass(t, lease)
	other.Tick(t)
	o.wantSent(t, n)
}

// The second look after the end of its lease gives back what a killed worker had in its hands: at the first, it may be that only the
// database was away. P2.
func TestKilledWorker(t *testing.T) {
	t.Parallel()
	if *full {
		secondsAfterKill(t, killWorker, lease+2*period)
		return
	}
	o := newOutbox(t)
	upload := o.AddFile(t, file())
	through, blobs, _ := faultproxy.Storage(t, o.Storage)
	const lease = time.Hour // which does not end by itself on a slow machine
	killed := o.StartHandler(t, map[string]string{"DATA_STORAGE": through.ConnectionString, "TASK_LEASE": lease.String()})
	blobs.Throttle()
	killed.Deliver(t, upload)
	o.Database.Await(t, loading)
	killed.Signal(t, os.Kill)

	relay := o.relay(t, lease.String())
	for _, want := range []string{"PROCESSING 0", "PENDING 1"} {
		o.pass(t, lease)
		relay.Tick(t)
		if got := pgtest.Query[string](t, o.Database, `select status || ' ' || shared_deaths from sheetdrop.task`); got != want {
			t.Errorf("task: %s, want %s", got, want)
		}
	}
	if sent := o.queued(t); sent != 1 {
		t.Errorf("%d messages ask for the task, want 1", sent)
	}
}

// loading is true when a worker is in the middle of a file.
const loading = `select status = 'PROCESSING' and (progress->>'rows_loaded')::int > 0 from sheetdrop.task`

// file has rows enough that a worker can be killed in the middle of it.
func file() []byte {
	return append([]byte("text\n"), bytes.Repeat([]byte(strings.Repeat("x", 1000)+"\n"), 20_000)...)
}

// secondsAfterKill kills the handler in some rounds, at times spread over the timer's period, and measures how long it takes until
// somebody else goes on.
func secondsAfterKill(t *testing.T, kill func(*testing.T, *e2e.App, *faultproxy.Proxy, *faultproxy.Proxy) (goesOn string), most time.Duration) {
	const rounds = 5
	for round := range rounds {
		t.Run("", func(t *testing.T) {
			t.Parallel()
			storage, blobs, queue := faultproxy.Storage(t, devtest.Storage(t))
			app := e2e.Start(t, e2e.Options{Storage: &storage, Settings: map[string]string{"RELAY_SCHEDULE": "*/30 * * * * *", "RELAY_PERIOD": period.String()}})
			app.Database.Await(t, `select floor(extract(epoch from now()))::int % $1 = $2`, int(period.Seconds()), int(period.Seconds())*round/rounds)
			goesOn := kill(t, app, blobs, queue)
			killed := time.Now()
			process, err := os.FindProcess(app.Host.HandlerPID())
			if err != nil {
				t.Fatal(err)
			}
			if err := process.Kill(); err != nil {
				t.Fatal(err)
			}
			blobs.Restore(t)
			queue.Restore(t)
			app.Database.Await(t, goesOn)
			took := time.Since(killed)
			t.Logf("somebody went on after %.1f s", took.Seconds())
			if took > most+time.Second { // the timer's run takes a moment itself
				t.Errorf("it took %s, want %s at the most", took, most)
			}
		})
	}
}

// killRelay brings a handler into the middle of its sends, and says how to see that another one has sent the message.
func killRelay(t *testing.T, app *e2e.App, _, queue *faultproxy.Proxy) (goesOn string) {
	t.Helper()
	queue.Hang()
	app.Upload(t, "list.csv", []byte("a\n1\n"))
	app.Database.Await(t, `select status = 'PROCESSING' from sheetdrop.outbox_message`)
	return `select count(*) = 1 from sheetdrop.outbox_history`
}

// killWorker brings a handler into the middle of a file, and says how to see that another worker has taken it.
func killWorker(t *testing.T, app *e2e.App, blobs, _ *faultproxy.Proxy) (goesOn string) {
	t.Helper()
	blobs.Throttle()
	app.Upload(t, "list.csv", file())
	app.Database.Await(t, loading)
	return `select attempt = 2 from sheetdrop.task`
}
