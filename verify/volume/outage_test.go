package volume

import (
	"testing"
	"time"

	"sheetdrop/internal/chaos/faultproxy"
	"sheetdrop/internal/postgres/pgtest"
)

// The queue is away for an hour. No message is given up for that, and each is sent once when it is back. P2.
func TestHourWithoutQueue(t *testing.T) {
	t.Parallel()
	o := newOutbox(t)
	n, period := messages(300, 10_000), 30*time.Second
	if !*full {
		period = 3 * time.Minute // fewer looks
	}
	o.add(t, n)
	through, _, queue := faultproxy.Storage(t, o.Storage)
	relay := o.relay(t, "1h", "DATA_STORAGE", through.ConnectionString)
	queue.Cut()
	for range time.Hour / period {
		relay.Tick(t)
		o.pass(t, period)
	}
	got := pgtest.Query[string](t, o.Database, `select format('%s failed, %s refused, %s in hands', count(*) filter (where status = 'FAILED'),
  count(*) filter (where rejections > 0), count(*) filter (where status = 'PROCESSING')) from sheetdrop.outbox_message`)
	if want := "0 failed, 0 refused, 0 in hands"; got != want {
		t.Errorf("after the hour: %s, want %s", got, want)
	}
	tries := pgtest.Query[int](t, o.Database, `select sum(attempts) from sheetdrop.outbox_message`)
	if least := int(time.Hour / period); tries < least {
		t.Errorf("%d sends were tried, want one at each of %d ticks at the least", tries, least)
	}
	t.Logf("%d messages, %d sends failed in an hour", n, tries)

	queue.Restore(t)
	o.pass(t, time.Minute) // none waits longer than that
	relay.Tick(t)
	o.wantSent(t, n)
}

// pass lets time go by for all that waits or is held: in the database, whose clock decides, each moment lies so much further back.
func (o *outbox) pass(t *testing.T, d time.Duration) {
	t.Helper()
	o.Exec(t, `update sheetdrop.outbox_message
set next_attempt_at = next_attempt_at - $1::interval, locked_until = locked_until - $1::interval, created_at = created_at - $1::interval`, d)
	o.Exec(t, `update sheetdrop.reconciler set ran_at = ran_at - $1::interval, locked_until = locked_until - $1::interval`, d)
}
