package volume

import (
	"net/http"
	"os"
	"testing"
	"time"

	"sheetdrop/internal/postgres/pgtest"
	"sheetdrop/verify/e2e"
)

// Four relays, each a process of its own, share the work without a word to each other: every message is sent once, and no statement of
// theirs fails, be it for a deadlock or a conflict. P2, P3.
func TestFourRelays(t *testing.T) {
	t.Parallel()
	o := newOutbox(t)
	n := messages(2_000, 100_000)
	o.add(t, n)
	relays := make([]*e2e.Handler, 4)
	for i := range relays {
		relays[i] = o.relay(t, "1h")
	}
	began := time.Now()
	runs := make([]<-chan int, len(relays))
	for i, relay := range relays {
		runs[i] = relay.Relay(t)
	}
	for _, run := range runs {
		if status := <-run; status != http.StatusOK {
			t.Errorf("a relay's run ended with %d", status)
		}
	}
	took := time.Since(began)
	o.wantSent(t, n)
	if again := pgtest.Query[int](t, o.Database, `select count(*) from sheetdrop.outbox_history where attempts <> 1`); again != 0 {
		t.Errorf("%d messages were claimed more than once", again)
	}
	o.wantNoFailure(t, relays)
	t.Logf("%d messages by %d relays in %s, %.0f a second", n, len(relays), took.Round(time.Second/10), float64(n)/took.Seconds())
}

// wantNoFailure says that no transaction in the database was rolled back: each statement that failed would have been. A connection's
// counts are complete when it has ended, so the relays end first.
func (o *outbox) wantNoFailure(t *testing.T, relays []*e2e.Handler) {
	t.Helper()
	for _, relay := range relays {
		relay.Signal(t, os.Kill)
	}
	o.awaitEnd(t)
	got := pgtest.Query[string](t, o.Database, `select format('%s rolled back, %s deadlocks', xact_rollback, deadlocks)
from pg_stat_database where datname = current_database()`)
	if want := "0 rolled back, 0 deadlocks"; got != want {
		t.Errorf("transactions: %s, want %s", got, want)
	}
}

// awaitEnd waits until no relay has a connection.
func (o *outbox) awaitEnd(t *testing.T) {
	t.Helper()
	o.Database.Await(t, `select count(*) = 0 from pg_stat_activity where datname = current_database() and application_name = 'relay'`)
}
