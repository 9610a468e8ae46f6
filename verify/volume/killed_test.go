package volume

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"time"

	"sheetdrop/internal/chaos/faultproxy"
	"sheetdrop/internal/devstack/devtest"
	"sheetdrop/verify/e2e"
)

// What a deployed app has.
const (
	lease  = 30 * time.Second
	period = 30 * time.Second
)

// How long a message waits whose relay was killed in the middle of its sends: for the first tick of the timer after the end of its lease.
func BenchmarkKilledRelay(b *testing.B) {
	secondsAfterKill(b, lease+period, func(app *e2e.App, _, queue *faultproxy.Proxy) (goesOn string) {
		queue.Hang()
		app.Upload(b, "list.csv", []byte("a\n1\n"))
		app.Database.Await(b, `select status = 'PROCESSING' from sheetdrop.outbox_message`)
		return `select count(*) = 1 from sheetdrop.outbox_history`
	})
}

// How long a task waits whose worker was killed in the middle of its file: for the second tick after the end of its lease. At the first, it may be
// that only the database was away.
func BenchmarkKilledWorker(b *testing.B) {
	file := append([]byte("text\n"), bytes.Repeat([]byte(strings.Repeat("x", 1000)+"\n"), 20_000)...)
	secondsAfterKill(b, lease+2*period, func(app *e2e.App, blobs, _ *faultproxy.Proxy) (goesOn string) {
		blobs.Throttle()
		app.Upload(b, "list.csv", file)
		app.Database.Await(b, `select status = 'PROCESSING' and (progress->>'rows_loaded')::int > 0 from sheetdrop.task`)
		return `select attempt = 2 from sheetdrop.task`
	})
}

// secondsAfterKill kills the handler at times spread over the timer's period, where until brings it, which says how to see that somebody else has
// gone on, and measures how long that takes.
func secondsAfterKill(b *testing.B, most time.Duration, until func(app *e2e.App, blobs, queue *faultproxy.Proxy) (goesOn string)) {
	b.Helper()
	shortest, longest := time.Duration(1<<62), time.Duration(0)
	for round := range b.N {
		storage, blobs, queue := faultproxy.Storage(b, devtest.Storage(b))
		app := e2e.Start(b, e2e.Options{Storage: &storage, Settings: map[string]string{"RELAY_SCHEDULE": "*/30 * * * * *", "RELAY_PERIOD": period.String()}})
		app.Database.Await(b, `select floor(extract(epoch from now()))::int % $1 = $2`, int(period.Seconds()), int(period.Seconds())*round/b.N)
		goesOn := until(app, blobs, queue)
		process, err := os.FindProcess(app.Host.HandlerPID())
		if err != nil {
			b.Fatal(err)
		}
		if err := process.Kill(); err != nil {
			b.Fatal(err)
		}
		killed := time.Now()
		blobs.Restore(b)
		queue.Restore(b)
		app.Database.Await(b, goesOn)
		took := time.Since(killed)
		shortest, longest = min(shortest, took), max(longest, took)
	}
	if longest > most+time.Second { // the timer's run takes a moment itself
		b.Errorf("it took %s, want %s at the most", longest, most)
	}
	b.ReportMetric(shortest.Seconds(), "s/shortest")
	b.ReportMetric(longest.Seconds(), "s/longest")
}
