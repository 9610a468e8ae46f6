package crash

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/google/uuid"

	"sheetdrop/internal/postgres/pgtest"
)

// byTargets is what happens to files that are loaded into a named target. T1 and T2: what there is in the end is what loading each of them
// once, in their order, leads to.
var byTargets = map[string]scenario{
	"files of a target wait":               {prepare: filesFor(upserted, 5, 7), after: wantLoads("5 0 0, 2 0 5")},
	"a file is inserted into one":          {prepare: filesFor(`"key":["id"],"mode":"insert"`, 5), after: wantLoads("5 0 0")},
	"a file is appended to one":            {prepare: filesFor(`"mode":"insert"`, 5), after: wantLoads("5 0 0")},
	"a file replaces a target's":           {prepare: filesFor(`"key":["id"],"mode":"replace"`, 7, 5), after: wantLoads("7 0 0, 0 0 5")},
	"a file follows another of its series": {prepare: ofASeries(filesFor(upserted, 7, 5)), after: wantLoads("7 0 0, 5 0 0")},
	"a target's load is interrupted": {
		hold: "parse-worker.targetRun.intoTarget NewSheetID", prepare: filesFor(upserted, 5, 7), after: wantLoads("5 0 0, 2 0 5"),
		act: func(t *testing.T, s *scene) {
			s.Database.Await(t, `select pg_terminate_backend(pid) from pg_stat_activity
where datname = current_database() and state = 'idle in transaction' and query = 'begin isolation level read committed' limit 1`)
			s.release(t)
		},
	},
	"a load is undone": {
		prepare: filesFor(upserted, 5, 7),
		act: func(t *testing.T, s *scene) {
			s.files[1].again = 1
			s.Database.Await(t, `select count(*) = 2 from sheetdrop.target_load`)
			s.insist(t, http.MethodPost, pgtest.Query[string](t, s.Database,
				`select concat('/api/targets/', target_id, '/loads/', id, '/undo') from sheetdrop.target_load order by id desc limit 1`),
				nil, nil, http.StatusConflict) // an answer that was lost
		},
		after: func(t *testing.T, s *scene) {
			got := pgtest.Query[string](t, s.Database, `select concat((select count(*) from data.list), ' ', (select sum(id) from data.list), ' ',
  (select count(*) from data.list__was), ' ', (select count(*) from data.list__seen), ' ', (select count(undone_at) from sheetdrop.target_load))`)
			if got != "5 10 0 0 1" {
				t.Errorf("rows, their sum, displaced ones, repeated ones, loads undone: %s; want 5 10 0 0 1", got)
			}
		},
	},
	"a file is deleted with its loads": {
		prepare: filesFor(upserted, 5, 7),
		act: func(t *testing.T, s *scene) {
			s.files[0].again, s.files[0].deleted = 2, true
			s.Database.Await(t, `select count(*) = 2 from sheetdrop.target_load`)
			s.Exec(t, `insert into sheetdrop.target_load (id, target_id, task_id, file_id, file_name, sheet_number, version, mode, columns, mapping)
select nextval('sheetdrop.load_id'), target_id, task_id, file_id, file_name, 2, version, mode, columns, mapping from sheetdrop.target_load order by id limit 1`)
			s.insist(t, http.MethodDelete, "/api/files/"+s.files[0].id.String()+"?loads=undo", nil, nil, http.StatusNotFound) // an answer that was lost
			s.Database.Await(t, `select deleted_at is not null from sheetdrop.source_file where id = $1`, s.files[0].id)
		},
		after: func(t *testing.T, s *scene) {
			got := pgtest.Query[string](t, s.Database, `select concat((select count(*) from data.list), ' ', (select count(distinct _load) from data.list), ' ',
  (select count(*) from data.list__was), ' ', (select count(*) from data.list__seen), ' ', (select count(undone_at) from sheetdrop.target_load), ' ',
  (select count(*) from sheetdrop.task where kind = 'UNDO'))`)
			if got != "7 1 0 0 2 2" {
				t.Errorf("rows, loads that they are of, displaced rows, repeated ones, loads undone, undos: %s; want 7 1 0 0 2 2", got)
			}
		},
	},
}

const upserted = `"key":["id"],"mode":"upsert"`

// filesFor makes a target, and stores files of so many rows for it, with their messages.
func filesFor(mode string, rows ...int) func(t *testing.T, s *scene) {
	return func(t *testing.T, s *scene) {
		id := uuid.New()
		definition := `{"name":"list",` + mode + `,"columns":[{"name":"id","type":"integer","required":true},{"name":"text","type":"text"}]}`
		s.Exec(t, `with made as (
  insert into sheetdrop.target (id, owner, name, kind, schema_name, table_name, ordered)
  values ($1, 'local', 'list', 'MANAGED', sheetdrop.schema_of('local'), 'list', $2::jsonb ? 'key')
) insert into sheetdrop.target_version (target_id, version, definition, made_by) values ($1, 1, $2, 'local')`, id, definition)
		s.Exec(t, `select sheetdrop.target_create($1)`, id)
		for _, n := range rows {
			u := s.store(t, sheet(n, 10))
			s.files[len(s.files)-1].elsewhere = true
			s.Exec(t, `update sheetdrop.task set options = jsonb_build_object('target', jsonb_build_object('id', $2::text, 'name', 'list')),
  target_id = $2::text::uuid, ordered = t.ordered, turn = nextval('sheetdrop.turn') from sheetdrop.target t where task.id = $1`, u.TaskID, id.String())
			s.enqueue(t, u)
		}
	}
}

// ofASeries has the files be of one series.
func ofASeries(prepare func(t *testing.T, s *scene)) func(t *testing.T, s *scene) {
	return func(t *testing.T, s *scene) {
		prepare(t, s)
		s.Exec(t, `update sheetdrop.task set options = jsonb_set(options, '{target,series}', '"tokyo"')`)
	}
}

// wantLoads compares what the loads of the target have done, in their order: rows inserted, updated and unchanged. The rows are those of the
// last file, each with the load that has written it.
func wantLoads(want string) func(t *testing.T, s *scene) {
	return func(t *testing.T, s *scene) {
		t.Helper()
		got := pgtest.Query[string](t, s.Database, `select coalesce(string_agg(concat_ws(' ', inserted, updated, unchanged), ', ' order by id), '') from sheetdrop.target_load`)
		if got != want {
			t.Errorf("loads: %s, want %s", got, want)
		}
		rows := s.files[len(s.files)-1].rows()
		there := pgtest.Query[string](t, s.Database, `select concat(count(*), ' ', sum(id), ' ', bool_and(_load in (select id from sheetdrop.target_load))) from data.list`)
		if there != fmt.Sprintf("%d %d t", rows, rows*(rows-1)/2) {
			t.Errorf("the target has rows, their sum, from known loads: %s; want %d rows", there, rows)
		}
		if !pgtest.Query[bool](t, s.Database, `select count(*) = (select count(*) from sheetdrop.task) and array_agg(l.task_id order by l.id) = array_agg(l.task_id order by t.turn)
from sheetdrop.target_load l join sheetdrop.task t on t.id = l.task_id`) {
			t.Error("the files were not loaded once each, in their order")
		}
	}
}
