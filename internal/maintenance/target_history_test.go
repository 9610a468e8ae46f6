package maintenance_test

import (
	"testing"

	"github.com/google/uuid"

	"sheetdrop/internal/maintenance"
	"sheetdrop/internal/postgres/pgtest"
)

// loadedTarget makes a target with three loads: 40 and 30 days old, and new. Each displaced a row, and repeated one.
func (f *fixture) loadedTarget(t *testing.T) {
	t.Helper()
	id := uuid.New()
	f.Exec(t, `insert into sheetdrop.target (id, owner, name, kind, schema_name, table_name, ordered) values ($1, 'local', 'list', 'MANAGED', 'data', 'list', true)`, id)
	f.Exec(t, `insert into sheetdrop.target_version (target_id, version, definition, made_by) values ($1, 1,
  '{"name": "list", "key": ["k"], "columns": [{"name": "k", "type": "text", "required": true}]}', 'local')`, id)
	f.Exec(t, `select sheetdrop.target_create($1)`, id)
	f.Exec(t, `insert into sheetdrop.target_load (id, target_id, task_id, file_id, file_name, sheet_number, version, mode, columns, mapping, applied_at)
select n, $1, gen_random_uuid(), gen_random_uuid(), 'f', 1, 1, 'upsert', '{k}', '{}', now() - days * interval '1 day' from (values (1, 40), (2, 30.1), (3, 0)) l (n, days)`, id)
	f.Exec(t, `insert into data.list__was (k, _load, _row, _edited, _by) select n, 0, 0, false, n from generate_series(1, 3) n`)
	f.Exec(t, `insert into data.list__seen select n, n, 1 from generate_series(1, 3) n`)
}

// What a target keeps for undos goes with the time in which its loads can be undone, and not otherwise.
func TestHistoryOfTargetsIsDeleted(t *testing.T) {
	t.Parallel()
	for days, want := range map[int]string{0: "0 123 123", 30: "2 3 3", 35: "1 23 23"} {
		f := newFixture(t, func(s *maintenance.Settings) { s.UndoDays = days })
		f.loadedTarget(t)
		f.run(t)
		got := pgtest.Query[string](t, f.Database, `select concat_ws(' ', (select count(settled_at) from sheetdrop.target_load),
(select string_agg(_by::text, '' order by _by) from data.list__was), (select string_agg(_load::text, '' order by _load) from data.list__seen))`)
		if got != want {
			t.Errorf("with %d days, settled loads, displaced and repeated rows: %s, want %s", days, got, want)
		}
	}
}

// A run deletes so many rows of what a target keeps, and the next one goes on.
func TestDeletingHistoryOfTargetsIsBounded(t *testing.T) {
	t.Parallel()
	f := newFixture(t, withoutTime, func(s *maintenance.Settings) { s.UndoDays = 30 })
	f.loadedTarget(t)
	f.Exec(t, `insert into data.list__was (k, _load, _row, _edited, _by) select n, 0, 0, false, 1 from generate_series(1, 11000) n`)
	for _, want := range []int{1003, 1} {
		f.run(t)
		if left := pgtest.Query[int](t, f.Database, `select count(*) from data.list__was`); left != want {
			t.Errorf("after a run %d rows are left, want %d", left, want)
		}
	}
}
