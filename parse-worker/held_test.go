package parse_test

import (
	"fmt"
	"testing"

	"sheetdrop/internal/chaos/pgproxy"
	"sheetdrop/internal/devstack/await"
)

// P2: a delivery waits for the database. The queue gives up a message after five that fail, and an outage would leave a
// dead letter for each task that waits.
func TestDeliveryIsHeldWhileTheDatabaseIsAway(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		warm    bool
		refused int // more than one try to see the schema, or to claim the task, where each connection may count twice
	}{
		"of a process that has just started": {false, 4},
		"of one that has worked before":      {true, 25},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			proxy := pgproxy.New(t, f.URL)
			w := f.worker(t, usual, proxy.URL())
			if c.warm {
				handle(t, w, f.upload(t, "a\n1\n"))
			}
			u := f.upload(t, "a\n1\n")
			proxy.Refuse()
			proxy.Cut()
			wait := start(t.Context(), w, u)
			awaitRefused(t, proxy, c.refused)
			proxy.Restore()
			if err := wait(); err != nil {
				t.Errorf("deliver again: %v", err)
			}
			f.wantTask(t, u.TaskID, "COMPLETED 1 0 0")
		})
	}
}

func awaitRefused(t *testing.T, proxy *pgproxy.Proxy, times int) {
	t.Helper()
	await.Value(t, fmt.Sprintf("%d refused connections", times), proxy.Refused, func(n int) bool { return n >= times })
}
