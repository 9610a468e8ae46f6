package outbox_test

import (
	"testing"

	"sheetdrop/internal/postgres/pgtest"
)

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
