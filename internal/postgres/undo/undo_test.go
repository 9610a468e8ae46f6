package undo_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sheetdrop/internal/postgres/pgtest"
	"sheetdrop/internal/postgres/undo"
)

const definition = `{"name": "list", "key": ["k"], "columns": [{"name": "k", "type": "text", "required": true},
  {"name": "p", "type": "text"}, {"name": "a", "type": "decimal", "default": "7"}, {"name": "b", "type": "integer"}]}`

// target is a target with its table on a real server.
type target struct {
	*testing.T
	db    *pgtest.Database
	table undo.Table
	last  int64
}

func newTarget(t *testing.T) *target { return newTargetOf(t, definition) }

func newTargetOf(t *testing.T, definition string) *target {
	t.Helper()
	db := pgtest.New(t)
	id := uuid.New()
	db.Exec(t, `insert into sheetdrop.target (id, owner, name, kind, schema_name, table_name, ordered) values ($1, 'local', 'list', 'MANAGED', 'data', 'list', true)`, id)
	db.Exec(t, `insert into sheetdrop.target_version (target_id, version, definition, made_by) values ($1, 1, $2, 'local')`, id, definition)
	db.Exec(t, `select sheetdrop.target_create($1)`, id)
	return &target{t, db, undo.Table{
		TargetID: id, Schema: "data", Name: "list", Key: []string{"k"}, Columns: names, Defaults: map[string]string{"a": "7"},
	}, 0}
}

// empty returns the target without rows, history and loads.
func (t target) empty(test *testing.T) *target {
	t.db.Exec(test, `truncate data.list, data.list__was, data.list__seen, sheetdrop.target_load`)
	t.T = test
	return &t
}

// load writes what a load of the file leaves behind.
func (t *target) load(f file) {
	t.Helper()
	tx := t.db.Begin(t.T)
	var scope any
	switch f.mode {
	case "replace":
		scope = map[string]bool{"all": true}
	case "partition":
		rows := []map[string]string{}
		for p := range f.partition {
			rows = append(rows, map[string]string{"p": p})
		}
		scope = map[string]any{"rows": rows}
	}
	mode := map[string]string{"upsert": "upsert"}[f.mode]
	if mode == "" {
		mode = "replace"
	}
	t.exec(tx, `insert into sheetdrop.target_load (id, target_id, task_id, file_id, file_name, sheet_number, version, mode, columns, scope, mapping)
values ($1, $2, gen_random_uuid(), gen_random_uuid(), 'f.csv', 1, 1, $3, $4, $5, '{}')`, f.load, t.table.TargetID, mode, append([]string{"k"}, f.columns...), scope)
	type staged struct {
		K    string `json:"k"`
		P    string `json:"p"`
		A    string `json:"a"`
		B    string `json:"b"`
		RowN int64  `json:"row_no"`
	}
	rows := make([]staged, 0, len(f.rows))
	for _, k := range f.keys() {
		g := f.rows[k]
		rows = append(rows, staged{k, g.values[0], g.values[1], g.values[2], g.no})
	}
	t.exec(tx, `create temp table stage (k text, p text, a numeric, b bigint, _row bigint) on commit drop`)
	t.exec(tx, `insert into stage select k, nullif(p, ''), nullif(a, '')::numeric, nullif(b, '')::bigint, row_no
from jsonb_to_recordset($1) as f (k text, p text, a text, b text, row_no bigint)`, rows)
	list := strings.Join(f.columns, ", ")
	from := "s." + strings.Join(f.columns, ", s.")
	here := "t." + strings.Join(f.columns, ", t.")
	t.exec(tx, `insert into data.list__seen (k, _load, _row) select k, $1, s._row from stage s join data.list t using (k) where (`+here+`) is not distinct from (`+from+`)`, f.load)
	t.exec(tx, `delete from stage s using data.list t where t.k = s.k and (`+here+`) is not distinct from (`+from+`)`)
	t.exec(tx, `insert into data.list__was select t.*, $1, false from data.list t join stage s using (k)`, f.load)
	t.exec(tx, `update data.list t set (`+list+`, _load, _row, _edited) = row(`+from+`, $1, s._row, false) from stage s where t.k = s.k`, f.load)
	t.exec(tx, `insert into data.list (k, `+list+`, _load, _row) select k, `+list+`, $1, _row from stage s where not exists (select from data.list t where t.k = s.k)`, f.load)
	if scope != nil {
		partition := []string{}
		for p := range f.partition {
			partition = append(partition, p)
		}
		t.exec(tx, `with gone as (delete from data.list t where k <> all ($2::text[]) and ($3 or p = any ($4::text[])) returning t.*)
insert into data.list__was select gone.*, $1, true from gone`, f.load, f.keys(), f.mode == "replace", partition)
	}
	if err := tx.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func (t *target) exec(tx pgx.Tx, sql string, args ...any) {
	t.Helper()
	if _, err := tx.Exec(t.Context(), sql, args...); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
}

func (t *target) undo(load int64) (undo.Counts, []json.RawMessage) {
	t.Helper()
	tx := t.db.Begin(t.T)
	counts, kept, err := undo.Apply(context.Background(), tx, t.table, load)
	if err != nil {
		t.Fatal(err)
	}
	t.exec(tx, `update sheetdrop.target_load set undone_at = now() where id = $1`, load)
	if err := tx.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	return counts, kept
}

// rows are those of the table.
func (t *target) rows() map[string]row {
	t.Helper()
	found := map[string]row{}
	list := pgtest.Query[[]map[string]any](t.T, t.db, `select coalesce(jsonb_agg(to_jsonb(t)), '[]') from data.list t`)
	text := func(v any) string {
		if v == nil {
			return ""
		}
		return fmt.Sprint(v)
	}
	for _, r := range list {
		if r["_edited"] != false {
			t.Errorf("%v counts as edited", r)
		}
		found[r["k"].(string)] = row{[3]string{text(r["p"]), text(r["a"]), text(r["b"])}, int64(r["_load"].(float64)), int64(r["_row"].(float64))}
	}
	return found
}

// Whatever was loaded and in whatever order it is undone, the table is as if only the other files had been loaded, with the provenance of
// each row. T4.
func TestUndoIsAsIfTheLoadHadNeverBeen(t *testing.T) {
	t.Parallel()
	const sequences, groups = 60, 100
	target := newTarget(t)
	for seed := range uint64(sequences) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			random := rand.New(rand.NewPCG(seed, 15))
			target := target.empty(t)
			var files []file
			for step := range 8 {
				if len(files) > 0 && random.IntN(5) < 2 {
					i := random.IntN(len(files))
					target.undo(files[i].load)
					files = slices.Delete(files, i, i+1)
				} else {
					f := randomFile(random, int64(step+1), groups)
					target.load(f)
					files = append(files, f)
				}
				compare(t, target.rows(), replayAll(files))
			}
		})
	}
}

func compare(t *testing.T, got, want map[string]row) {
	t.Helper()
	differ := 0
	for key := range got {
		if got[key] != want[key] {
			differ++
			if differ < 4 {
				t.Errorf("%s is %v, want %v", key, got[key], want[key])
			}
		}
	}
	for key := range want {
		if _, found := got[key]; !found {
			t.Errorf("%s is not there, want %v", key, want[key])
			break
		}
	}
	if t.Failed() {
		t.FailNow()
	}
}
