package parse_test

import (
	"strings"
	"testing"
	"time"

	"sheetdrop/internal/chaos/pgproxy"
)

// P2: a server that refuses to write, since its disk is full or another one is the primary now, is an outage: the run is written down when it
// writes again, and is not counted.
func TestReadOnlyServerIsAnOutage(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	u := f.upload(t, "a\n1\n")
	f.BlobProxy.Hang(t)
	proxy := pgproxy.New(t, f.URL)
	wait := start(t.Context(), f.worker(t, usual, proxy.URL()), u)
	f.Await(t, `select status = 'PROCESSING' from sheetdrop.task`)
	f.ReadOnly(t, true)
	proxy.Cut()
	f.BlobProxy.Restore(t)
	awaitStatement(t, proxy, "with ended as", 2) // the first one was refused
	f.ReadOnly(t, false)
	proxy.Cut() // what was connected meanwhile goes on refusing
	if err := wait(); err != nil {
		t.Error(err)
	}
	f.wantTask(t, u.TaskID, "PENDING 1 0 1")
	f.wantMessages(t, u.TaskID, 1)
}

// awaitStatement waits until a statement with this text has been sent so many times.
func awaitStatement(t *testing.T, proxy *pgproxy.Proxy, text string, times int) {
	t.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	giveUp := time.After(2 * time.Minute)
	for {
		sent := 0
		for _, sql := range proxy.Statements() {
			if strings.Contains(sql, text) {
				sent++
			}
		}
		if sent >= times {
			return
		}
		select {
		case <-tick.C:
		case <-giveUp:
			t.Fatalf("%q was sent %d times, want %d", text, sent, times)
		}
	}
}
