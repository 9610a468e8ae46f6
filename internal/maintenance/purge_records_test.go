package maintenance_test

import (
	"testing"

	"sheetdrop/internal/maintenance"
	"sheetdrop/internal/postgres/pgtest"
)

// Records of what people did, of bulk operations and of what the queue gave up are kept for as long as the setting says, and not for ever
// unless it says so. A FAILED message is no record: it stays until a person sends it again.
func TestOldRecordsAreForgotten(t *testing.T) {
	t.Parallel()
	for days, want := range map[int]string{0: "2 2 2 4 1", 30: "1 1 1 2 1"} {
		f := newFixture(t, func(s *maintenance.Settings) { s.RecordDays = days })
		for _, age := range []string{"29 days 23 h", "30 days 1 h"} {
			f.record(t, age, 2)
		}
		f.AddUpload(t)
		f.Exec(t, `update sheetdrop.outbox_message set status = 'FAILED', next_attempt_at = 'infinity', created_at = now() - interval '1 year'`)
		f.run(t)
		if left := f.records(t); left != want {
			t.Errorf("with %d days, left are %s, want %s", days, left, want)
		}
	}
}

// record writes one record of each kind as old as age, the bulk operation with so many items.
func (f *fixture) record(t *testing.T, age string, items int) {
	t.Helper()
	f.Exec(t, `insert into sheetdrop.operator_action (id, at, caller, action, target)
values (gen_random_uuid(), now() - $1::text::interval, 'a', 'b', gen_random_uuid())`, age)
	f.Exec(t, `insert into sheetdrop.dead_letter (id, queue_message_id, text, dequeue_count, seen_at)
values (gen_random_uuid(), gen_random_uuid(), '', 5, now() - $1::text::interval)`, age)
	f.Exec(t, `with bulk as (
  insert into sheetdrop.bulk_operation (id, owner, created_at) values (gen_random_uuid(), 'local', now() - $1::text::interval) returning id
)
insert into sheetdrop.bulk_item (bulk_id, item_no, file_id, reason) select id, n, gen_random_uuid(), 'gone' from bulk, generate_series(1, $2::int) n`, age, items)
}

// records counts actions, dead letters, bulk operations, their items, and FAILED messages.
func (f *fixture) records(t *testing.T) string {
	t.Helper()
	return pgtest.Query[string](t, f.Database, `select concat_ws(' ', (select count(*) from sheetdrop.operator_action), (select count(*) from sheetdrop.dead_letter),
(select count(*) from sheetdrop.bulk_operation), (select count(*) from sheetdrop.bulk_item), (select count(*) from sheetdrop.outbox_message where status = 'FAILED'))`)
}

// P10: records are found by their age, not by looking at all of them, and a run forgets so many, the oldest first.
func TestForgettingRecordsIsBounded(t *testing.T) {
	t.Parallel()
	f := newFixture(t, withoutTime, func(s *maintenance.Settings) { s.RecordDays = 30 })
	f.Exec(t, `insert into sheetdrop.operator_action (id, at, caller, action, target)
select gen_random_uuid(), now() - interval '31 days' - n * interval '1 min', 'a', 'b', gen_random_uuid() from generate_series(1, 21000) n`)
	f.Exec(t, `analyze sheetdrop.operator_action`)
	scans := `select coalesce(seq_scan, 0)::int from pg_stat_user_tables where relname = 'operator_action'`
	before := pgtest.Query[int](t, f.Database, scans)
	f.run(t)
	f.Await(t, `select coalesce(idx_scan, 0) >= 1 from pg_stat_user_indexes where indexrelname = 'operator_action_by_age'`)
	if after := pgtest.Query[int](t, f.Database, scans); after != before {
		t.Errorf("the table of actions was read from end to end %d times", after-before)
	}
	got := pgtest.Query[string](t, f.Database, `select count(*) || ' ' || round(extract(epoch from now() - interval '31 days' - min(at)) / 60) from sheetdrop.operator_action`)
	if got != "20000 20000" {
		t.Errorf("records that are left after a run and the age of the oldest: %s, want 20000 20000", got)
	}
}

// What an owner used is kept while the day lasts that it counts for, and does not stay for ever: it says who was here.
func TestOldUsageIsForgotten(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.Exec(t, `insert into sheetdrop.owner_usage (owner, day, files, bytes, tasks)
select name, (now() at time zone 'utc')::date - days, 1, 1, 1 from (values ('today', 0), ('a week ago', 7), ('long ago', 8)) as o (name, days)`)
	f.run(t)
	if left := pgtest.Query[string](t, f.Database, `select string_agg(owner, ', ' order by day) from sheetdrop.owner_usage`); left != "a week ago, today" {
		t.Errorf("left are %s", left)
	}
}
