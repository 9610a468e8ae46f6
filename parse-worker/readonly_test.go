package parse_test

import (
	"fmt"
	"strings"
	"testing"

	"sheetdrop/internal/chaos/pgproxy"
	"sheetdrop/internal/devstack/await"
)

// P2: a server that refuses to write, since its disk is full or another one is the primary now, is an outage: the run
// is written down when it writes again, and is not counted.
func TestReadOnlyServerIsAnOutage(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	u := f.upload(t, "a\n1\n")
	proxy := pgproxy.New(t, f.URL)
	wait := f.startHanging(t.Context(), t, f.worker(t, usual, proxy.URL()), u)
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
	sent := func() (n int) {
		for _, sql := range proxy.Statements() {
			if strings.Contains(sql, text) {
				n++
			}
		}
		return n
	}
	await.Value(t, fmt.Sprintf("%q was sent %d times", text, times), sent, func(n int) bool { return n >= times })
}
