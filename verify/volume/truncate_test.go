package volume

import (
	"testing"

	"sheetdrop/internal/postgres/pgtest"
)

// Messages are sent and written down while a day of the history is being emptied: nobody waits for that. P4.
func TestNobodyWaitsForTruncation(t *testing.T) {
	t.Parallel()
	if *full {
		manyTruncations(t)
		return
	}
	o := newOutbox(t)
	const n = 200
	o.add(t, n)
	// Somebody reconciles, and is in the middle of emptying a day that is past its time.
	o.Exec(t, `update sheetdrop.reconciler set locked_by = gen_random_uuid(), locked_until = 'infinity'`)
	o.sentDaysAgo(t, 20, 100)
	emptying := o.Begin(t)
	if _, err := emptying.Exec(t.Context(), `truncate sheetdrop.outbox_history_`+o.slot(t, 20)); err != nil {
		t.Fatal(err)
	}
	o.relay(t, "1h").Tick(t)
	if err := emptying.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	o.wantSent(t, n)
}

// slot is the last part of the name of the partition with what was sent so many days ago.
func (o *outbox) slot(t *testing.T, daysAgo int) string {
	t.Helper()
	return pgtest.Query[string](t, o.Database, `select to_char((floor(extract(epoch from now()) / 86400)::bigint - $1) % 32, 'FM00')`, daysAgo)
}

// sentDaysAgo fills the history of a day with n messages.
func (o *outbox) sentDaysAgo(t *testing.T, daysAgo, n int) {
	t.Helper()
	o.Exec(t, `insert into sheetdrop.outbox_history (day_slot, id, event_type, task_id, payload, attempts, created_at, processed_at)
select $1::int, id, 'PARSE_TASK', id, jsonb_build_object('v', 1, 'message_id', id, 'task_id', id), 1, now(), now()
from (select gen_random_uuid() as id from generate_series(1, $2)) m`, o.slot(t, daysAgo), n)
}

// manyTruncations empties big days by the relay's own reconciler while that relay and another one send a steady stream and somebody reads the
// history, and has the server tell of each wait for a lock of 50 ms and more.
func manyTruncations(t *testing.T) {
	const rounds = 20
	o := newOutboxOn(t, newServers(t, "log_lock_waits", "on", "deadlock_timeout", "50ms", "logging_collector", "on", "log_filename", "log"))
	for range 2 {
		runRepeatedly(t, o.relay(t, "1s"))
	}
	slot, size := o.slot(t, 20), messages(0, 200_000)
	for range rounds {
		o.sentDaysAgo(t, 20, size)
		reader := o.Begin(t) // for as long as it reads, the day cannot be emptied
		if _, err := reader.Exec(t.Context(), `select from sheetdrop.outbox_history_`+slot+` limit 1`); err != nil {
			t.Fatal(err)
		}
		o.streamAndRead(t)
		if err := reader.Rollback(t.Context()); err != nil {
			t.Fatal(err)
		}
		for pgtest.Query[bool](t, o.Database, `select exists (select from sheetdrop.outbox_history where day_slot = $1::int)`, slot) {
			o.streamAndRead(t)
		}
	}
	for _, wait := range o.longWaits(t) {
		t.Errorf("a wait of 50 ms and more: %s", wait)
	}
	t.Logf("%d days of %d messages emptied, while %d messages were sent", rounds, size, o.sent(t))
	o.waitLong(t)
	if len(o.longWaits(t)) == 0 {
		t.Error("the server does not tell of long waits")
	}
}

// streamAndRead goes on for about a second.
func (o *outbox) streamAndRead(t *testing.T) {
	t.Helper()
	for range 20 {
		o.stream(t, *rate/20, *rate)
		o.Exec(t, `select from sheetdrop.outbox_history limit 1`)
	}
}

// longWaits are the lines of the server's log that tell of long waits for tables, with the statements that waited. Truncation locks no row.
func (o *outbox) longWaits(t *testing.T) []string {
	t.Helper()
	return pgtest.Query[[]string](t, o.Database, `select coalesce(array_agg(line), '{}')
from regexp_matches(pg_read_file('log/log'), 'process \d+ still waiting for \w+ on relation[^\n]*\n(?:[^\n]*(?:DETAIL|CONTEXT)[^\n]*\n)*[^\n]*STATEMENT[^\n]*', 'g') m (line)`)
}

// waitLong waits for a lock until the server tells.
func (o *outbox) waitLong(t *testing.T) {
	t.Helper()
	const lock = `set local lock_timeout = '200ms'; lock sheetdrop.bulk_item`
	holder, waiter := o.Begin(t), o.Begin(t)
	if _, err := holder.Exec(t.Context(), lock); err != nil {
		t.Fatal(err)
	}
	if _, err := waiter.Exec(t.Context(), lock); err == nil {
		t.Error("the lock was free")
	}
}
