package volume

import (
	"context"
	"net/http"
	"os"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"sheetdrop/internal/devstack"
	"sheetdrop/internal/devstack/devtest"
	"sheetdrop/internal/postgres/pgtest"
	"sheetdrop/verify/e2e"
)

// An old transaction, such as that of a report or a dump, keeps the server from taking away what has been sent meanwhile. The relay does
// not walk over all of that at each claim. P10.
func TestOldSnapshot(t *testing.T) {
	t.Parallel()
	if *full {
		besideOldSnapshot(t)
		return
	}
	o := newOutbox(t)
	const n = 4_000
	o.add(t, n)
	o.holdSnapshot(t)
	relay := o.relay(t, "1h", "RELAY_LEASE", "1h") // a third of which is between claims from the beginning
	relay.Tick(t)
	relay.Signal(t, os.Kill)
	o.awaitEnd(t)
	read := pgtest.Query[int](t, o.Database, `select idx_tup_read from pg_stat_user_indexes where indexrelname = 'outbox_message_due'`)
	t.Logf("%d entries of the index of due times were read for %d messages", read, n)
	if most := 10 * n; read > most {
		t.Errorf("%d entries of the index of due times were read for %d messages, want %d at the most", read, n, most)
	}
}

// holdSnapshot opens a transaction that has looked once and idles until the test ends.
func (o *outbox) holdSnapshot(t *testing.T) {
	t.Helper()
	report, err := pgx.Connect(t.Context(), o.URL)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = report.Close(context.Background()) })
	for _, sql := range []string{`begin isolation level repeatable read`, `select count(*) from sheetdrop.task`} {
		if _, err := report.Exec(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
}

// besideOldSnapshot compares the rates of two relays with the same work, one of them in a database where a snapshot is held. They take
// turns, so that whatever else the machine does meets both.
func besideOldSnapshot(t *testing.T) {
	const least = 5 * time.Minute
	n := messages(0, 100_000)
	servers := devtest.Private(t)
	without, with := newTurns(t, servers), newTurns(t, servers)
	with.holdSnapshot(t)
	began := time.Now()
	for without.done < n || with.done < n || *count == 0 && time.Since(began) < least {
		without.turn(t)
		with.turn(t)
		t.Logf("%6.0f s: without %6d messages, %.0f/s, with %6d messages, %.0f/s", time.Since(began).Seconds(), without.done, without.last, with.done, with.last)
	}
	ratio := with.rate() / without.rate()
	t.Logf("without %.0f messages a second, with an old snapshot %.0f, %.1f %%", without.rate(), with.rate(), 100*ratio)
	if ratio < 0.9 {
		t.Errorf("beside an old snapshot the relay has %.1f %% of its rate, want 90 %% at the least", 100*ratio)
	}
}

// turns are an outbox whose relay runs for some seconds at a time.
type turns struct {
	*outbox
	relay *e2e.Handler
	done  int           // messages
	took  time.Duration // all turns
	last  float64       // messages a second, in the last turn
}

func newTurns(t *testing.T, servers *devstack.Stack) *turns {
	o := newOutboxOn(t, servers)
	o.commit(t, ahead)
	return &turns{outbox: o, relay: o.relay(t, "5s")}
}

// turn lets the relay run for a period, with messages coming in all the time.
func (s *turns) turn(t *testing.T) {
	t.Helper()
	began := time.Now()
	if status := s.streamUntil(t, s.relay.Relay(t)); status != http.StatusOK {
		t.Fatalf("a relay's run ended with %d", status)
	}
	took := time.Since(began)
	sent := s.added - pgtest.Query[int](t, s.Database, `select count(*) from sheetdrop.outbox_message`) - s.done
	s.done, s.took, s.last = s.done+sent, s.took+took, float64(sent)/took.Seconds()
	if _, err := s.queue.ClearMessages(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
}

func (s *turns) rate() float64 { return float64(s.done) / s.took.Seconds() }
