package postgres_test

import (
	"slices"
	"testing"

	"sheetdrop/internal/postgres/pgtest"
)

// In the last minute of a day the partition that the next day writes to is left alone, whatever it still holds from 32 days before: it may
// be written to before it is emptied.
func TestPartitionOfTheNextDayIsNotEmptiedBeforeMidnight(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	// The database's clock is set by a function of that name, which the connections made from here on find first.
	db.Exec(t, `create schema clock`)
	db.Exec(t, `create table clock.moment (now timestamptz not null)`)
	db.Exec(t, `insert into clock.moment values ('2026-01-31 12:00Z')`)
	db.Exec(t, `create function clock.now() returns timestamptz stable language sql as 'select now from clock.moment'`)
	db.Exec(t, `do $$ begin execute format('alter database %I set search_path = clock, pg_catalog, public', current_database()); end $$`)
	atMidnight := pgtest.Open(t, db.URL)
	// Every partition holds a message.
	db.Exec(t, `insert into sheetdrop.outbox_history (day_slot, id, event_type, task_id, payload, attempts, created_at, processed_at)
select slot, gen_random_uuid(), 'PARSE_TASK', gen_random_uuid(), '{}', 1, pg_catalog.now(), pg_catalog.now() from generate_series(0, 31) slot`)
	slot := func(day string) int {
		return pgtest.Query[int](t, db, `select (floor(extract(epoch from $1::timestamptz) / 86400)::bigint % 32)::int`, day)
	}
	const keep = 30 // days
	for moment, expired := range map[string]bool{"2026-01-31 23:58:30Z": true, "2026-01-31 23:59:30Z": false} {
		db.Exec(t, `update clock.moment set now = $1`, moment)
		slots, err := atMidnight.ExpiredHistory(t.Context(), keep)
		if err != nil {
			t.Fatal(err)
		}
		if got := slices.Contains(slots, slot("2026-02-01 00:00Z")); got != expired {
			t.Errorf("at %s, tomorrow's partition may be emptied: %t, want %t (of %v)", moment, got, expired, slots)
		}
		for _, kept := range []string{moment, "2026-01-01 00:00Z"} { // today, and thirty days before
			if slices.Contains(slots, slot(kept)) {
				t.Errorf("at %s, the partition of %s may be emptied", moment, kept)
			}
		}
	}
}
