//go:build unix

package e2e_test

import (
	"net/http"
	"syscall"
	"testing"

	"sheetdrop/internal/chaos/faultproxy"
	"sheetdrop/internal/postgres/pgtest"
	"sheetdrop/verify/e2e"
)

// A relay that is frozen past its lease, in the middle of its sends, and thawed changes no row: neither while another one is sending the same
// messages nor after that. P3.
func TestFrozenRelay(t *testing.T) {
	t.Parallel()
	const messages = 20
	for name, c := range map[string]struct {
		otherHangs bool
		takenOver  string // true when the other one has come that far
	}{
		"while another one sends": {true, `select count(*) = $1 from sheetdrop.outbox_message where attempts = 2`},
		"after another one sent":  {false, `select count(*) = $1 from sheetdrop.outbox_history`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			app := e2e.Prepare(t, e2e.Options{})
			app.Exec(t, `update sheetdrop.reconciler set locked_by = gen_random_uuid(), locked_until = 'infinity'`) // it asks the queue, too
			for range messages {
				app.AddUpload(t)
			}
			frozen, queue := relayThroughProxy(t, app)
			queue.Hang()
			ended := frozen.Relay(t)
			app.Database.Await(t, `select count(*) = $1 from sheetdrop.outbox_message where status = 'PROCESSING'`, messages)
			frozen.Signal(t, syscall.SIGSTOP)
			app.Database.Await(t, `select max(locked_until) < now() from sheetdrop.outbox_message`)

			other, otherQueue := relayThroughProxy(t, app)
			if c.otherHangs {
				otherQueue.Hang()
			}
			other.Relay(t)
			app.Database.Await(t, c.takenOver, messages)
			before := outboxRows(t, app)
			queue.Cut() // the thawed relay's sends fail, and it wants to write that down
			frozen.Signal(t, syscall.SIGCONT)
			// Where it was frozen in the middle of a statement, whose time is over now, its run has failed. In either case it must have ended by itself.
			if status := <-ended; status != http.StatusOK && status != http.StatusInternalServerError {
				t.Errorf("the thawed relay's run ended with %d", status)
			}
			if after := outboxRows(t, app); after != before {
				t.Errorf("the thawed relay changed rows:\n%s\n%s", before, after)
			}
		})
	}
}

// relayThroughProxy starts a handler that reaches the queue through a proxy of its own, and sends for as long as the test may want.
func relayThroughProxy(t *testing.T, app *e2e.App) (*e2e.Handler, *faultproxy.Proxy) {
	t.Helper()
	through, _, queue := faultproxy.Storage(t, app.Storage)
	return app.StartHandler(t, map[string]string{
		"DATA_STORAGE": through.ConnectionString, "RELAY_LEASE": "3s", "RELAY_SEND_TIMEOUT": "5m", "RELAY_PERIOD": "5m",
	}), queue
}

// outboxRows returns all messages, live and sent, but for the end of their leases, which their holder moves.
func outboxRows(t *testing.T, app *e2e.App) string {
	t.Helper()
	return pgtest.Query[string](t, app.Database, `select string_agg(row::text, E'\n' order by row) from (
  select to_jsonb(m) - 'locked_until' as row from sheetdrop.outbox_message m union all select to_jsonb(h) from sheetdrop.outbox_history h) rows`)
}
