package undo_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sheetdrop/internal/postgres"
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
		scope = map[string]any{"columns": []string{}}
	case "partition":
		rows := []map[string]string{}
		for p := range f.partition {
			rows = append(rows, map[string]string{"p": p})
		}
		scope = map[string]any{"columns": []string{"p"}, "values": rows}
	}
	mode := map[string]string{"upsert": "upsert"}[f.mode]
	if mode == "" {
		mode = "replace"
	}
	place := undo.Place{Target: t.table.TargetID, Series: f.series, File: uuid.New(), Sheet: 1}
	if f.sheet > 0 && f.corrects == 0 {
		place.File, place.Sheet = uuid.Nil, f.sheet
	}
	if f.corrects == 0 {
		if err := undo.Supersede(t.Context(), tx, t.table, place, f.load); err != nil {
			t.Fatal(err)
		}
	}
	t.exec(tx, `insert into sheetdrop.target_load (id, target_id, task_id, file_id, file_name, sheet_number, series, replaces_sheet, version, mode, columns, scope, mapping, corrects)
values ($1, $2, gen_random_uuid(), $6, 'f.csv', $7, nullif($8, ''), $9 = 0, 1, $3, $4, $5, '{}', nullif($9, 0))`, f.load, t.table.TargetID, mode,
		append([]string{"k"}, f.columns...), scope, place.File, place.Sheet, place.Series, f.corrects)
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

// settle settles the loads up to one, and has what nobody needs any more deleted in pieces.
func (t *target) settle(upTo int64) {
	t.Helper()
	t.db.Exec(t.T, `update sheetdrop.target_load set applied_at = now() - interval '91 days' where id <= $1`, upTo)
	for _, step := range []func(context.Context, postgres.Tx) (bool, error){
		func(ctx context.Context, tx postgres.Tx) (bool, error) { return undo.Settle(ctx, tx, 90*24*time.Hour) },
		func(ctx context.Context, tx postgres.Tx) (bool, error) { return undo.DeleteHistory(ctx, tx, 100) },
	} {
		for more := true; more; {
			err := t.db.InTx(t.Context(), nil, func(ctx context.Context, tx postgres.Tx) (err error) {
				more, err = step(ctx, tx)
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
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
	isSuperseded := pgtest.Query[bool](t.T, t.db, `select superseded_by is not null from sheetdrop.target_load where id = $1`, load)
	taken, err := undo.TakeBackIn(t.Context(), tx, t.table, load, isSuperseded)
	if err != nil {
		t.Fatal(err)
	}
	if err := tx.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	return taken.Counts, taken.KeptKeys
}

// tables reads what the target has.
func (t *target) tables() tables {
	t.Helper()
	type stored struct {
		K      string
		P      *string
		A      json.Number
		B      *int64
		Load   int64 `json:"_load"`
		No     int64 `json:"_row"`
		By     int64 `json:"_by"`
		Edited bool  `json:"_edited"`
	}
	read := func(name string, into func(s stored, r row)) {
		for _, s := range pgtest.Query[[]stored](t.T, t.db, `select coalesce(jsonb_agg(to_jsonb(t)), '[]') from data.`+name) {
			if s.Edited {
				t.Errorf("%+v counts as edited", s)
			}
			r := row{load: s.Load, no: s.No}
			if s.P != nil {
				r.values[0] = *s.P
			}
			r.values[1] = s.A.String()
			if s.B != nil {
				r.values[2] = fmt.Sprint(*s.B)
			}
			into(s, r)
		}
	}
	found := replayAll(nil)
	read("list t", func(s stored, r row) { found.rows[s.K] = r })
	read("list__was t where _by > 0", func(s stored, r row) {
		by := fmt.Sprint(s.K, " ", s.By)
		if _, twice := found.was[by]; twice {
			t.Errorf("two versions of %s were displaced by load %d", s.K, s.By)
		}
		found.was[by] = r
	})
	read("list__was t where _by = 0", func(s stored, _ row) { found.aside[fmt.Sprint(s.K, " ", s.Load)] = s.No })
	read("list__seen t", func(s stored, _ row) { found.seen[fmt.Sprint(s.K, " ", s.Load)] = s.No })
	return found
}

// Whatever was loaded, and corrected, and in whatever order it is undone, the target is as if only the other files had been loaded, with the
// provenance of each row and with all that later undos need; corrections come and go with the load whose rejects they are. T4. These are 5,000 histories, fifty groups of keys in each of 100 sequences.
func TestUndoIsAsIfTheLoadHadNeverBeen(t *testing.T) {
	t.Parallel()
	undoHistories(t, 100, false)
}

// What only undos of settled loads would need is forgotten, piece by piece, and no other undo misses it. T4, for 2,500 histories.
func TestUndosAfterOldLoadsAreSettled(t *testing.T) {
	t.Parallel()
	undoHistories(t, 50, true)
}

func undoHistories(t *testing.T, sequences uint64, settling bool) {
	t.Helper()
	const groups = 50
	target := newTarget(t)
	for seed := range sequences {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			random := rand.New(rand.NewPCG(seed, 15))
			target := target.empty(t)
			var files []file
			old := settled{aside: map[int64]bool{}}
			for step := range 8 {
				first := slices.IndexFunc(files, func(f file) bool { return f.load > old.upTo })
				switch {
				case first >= 0 && random.IntN(5) < 2:
					i := first + random.IntN(len(files)-first)
					target.undo(files[i].load)
					files = without(files, files[i].load)
				case settling && first >= 0 && random.IntN(4) == 0:
					old.settle(files, files[first].load, int64(step+1))
					target.settle(old.upTo)
				default:
					f := randomFile(random, int64(step+1), groups)
					if old.refuses(files, f) {
						f.sheet = 0
					}
					if c, found := randomCorrection(random, files, f.load, groups); found && random.IntN(3) == 0 {
						f = c
					}
					target.load(f)
					files = append(files, f)
				}
				got, want := target.tables(), replayAll(files)
				old.forget(want)
				compare(t, "rows", got.rows, want.rows)
				compare(t, "displaced versions", got.was, want.was)
				compare(t, "repeated rows", got.seen, want.seen)
				compare(t, "rows of superseded loads", got.aside, want.aside)
			}
		})
	}
}

func compare[V comparable](t *testing.T, what string, got, want map[string]V) {
	t.Helper()
	if maps.Equal(got, want) {
		return
	}
	for key := range got {
		if _, found := want[key]; !found || got[key] != want[key] {
			t.Fatalf("%s: %s is %v, want %v", what, key, got[key], want[key])
		}
	}
	for key := range want {
		if _, found := got[key]; !found {
			t.Fatalf("%s: %s is not there, want %v", what, key, want[key])
		}
	}
}
