package maintenance_test

import (
	"fmt"
	"slices"
	"testing"

	"sheetdrop/internal/maintenance"
	"sheetdrop/internal/postgres/pgtest"
)

// history writes a message that was sent so many days ago.
func (f *fixture) history(t *testing.T, daysAgo int) {
	t.Helper()
	f.Exec(t, `insert into sheetdrop.outbox_history (day_slot, id, event_type, payload, attempts, created_at, processed_at)
select floor(extract(epoch from at) / 86400)::bigint % 32, gen_random_uuid(), 'PARSE_TASK', '{}', 1, at, at
from (select now() - $1::int * interval '1 day' as at) m`, daysAgo)
}

func (f *fixture) historyAges(t *testing.T) []int {
	t.Helper()
	return pgtest.Query[[]int](t, f.Database, `select coalesce(array_agg(round(extract(epoch from now() - processed_at) / 86400)::int order by processed_at desc), '{}')
from sheetdrop.outbox_history`)
}

// Sent messages are kept for as many days as the setting says, and go by the day after that.
func TestOldHistoryIsTruncated(t *testing.T) {
	t.Parallel()
	for days, want := range map[int][]int{1: {0, 1}, 14: {0, 1, 13, 14}, 30: {0, 1, 13, 14, 15, 30}} {
		f := newFixture(t, func(s *maintenance.Settings) { s.HistoryDays = days })
		for _, age := range []int{0, 1, 13, 14, 15, 30} {
			f.history(t, age)
		}
		f.run(t)
		if got := f.historyAges(t); !slices.Equal(got, want) {
			t.Errorf("with %d days of history, left are those %v days old, want %v", days, got, want)
		}
	}
}

// A slot that somebody reads is left to a later run: the relay does not wait for it, and nobody for the relay.
func TestHistoryInUseIsLeft(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.history(t, 20)
	f.history(t, 21)
	reader := f.Begin(t)
	slot := pgtest.Query[int](t, f.Database, `select min(day_slot) from sheetdrop.outbox_history`)
	if _, err := reader.Exec(t.Context(), fmt.Sprintf(`select from sheetdrop.outbox_history_%02d`, slot)); err != nil {
		t.Fatal(err)
	}
	f.run(t)
	if left := pgtest.Query[int](t, f.Database, `select count(*) from sheetdrop.outbox_history`); left != 1 {
		t.Errorf("%d messages are left, want the one that is read", left)
	}
	if err := reader.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	f.run(t)
	if left := pgtest.Query[int](t, f.Database, `select count(*) from sheetdrop.outbox_history`); left != 0 {
		t.Errorf("%d messages are left", left)
	}
}
