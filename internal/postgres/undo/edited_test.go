package undo_test

import (
	"encoding/json"
	"testing"

	"sheetdrop/internal/postgres/pgtest"
	"sheetdrop/internal/postgres/undo"
)

// of makes a file with all columns of one row a key; its number is its place.
func of(load int64, mode string, rows ...[4]string) file {
	f := file{load: load, columns: names, mode: mode, rows: map[string]fields{}, partition: map[string]bool{}}
	for i, r := range rows {
		f.rows[r[0]] = fields{[3]string{r[1], r[2], r[3]}, int64(i + 1)}
		f.partition[r[1]] = true
	}
	return f
}

// Rows that somebody has changed by hand stay as they are, with the rest of the load gone, and are named. T4.
func TestUndoKeepsWhatPeopleEdited(t *testing.T) {
	t.Parallel()
	first := of(1, "upsert", [4]string{"changed", "x", "1", ""}, [4]string{"updated", "x", "1", ""}, [4]string{"deleted", "x", "1", ""})
	second := of(2, "upsert", [4]string{"changed", "x", "2", ""}, [4]string{"updated", "x", "2", ""}, [4]string{"deleted", "x", "2", ""}, [4]string{"new", "x", "2", ""})
	for name, c := range map[string]struct {
		edit    string
		kept    string // its key
		removed int64
		then    map[string]string // a by key
	}{
		"a changed row": {`update data.list set a = 99 where k = 'changed'`, "changed", 1,
			map[string]string{"changed": "99", "updated": "1", "deleted": "1"}},
		"a new row that was changed": {`update data.list set a = 99 where k = 'new'`, "new", 0,
			map[string]string{"changed": "1", "updated": "1", "deleted": "1", "new": "99"}},
		"a row that was deleted": {`delete from data.list where k = 'deleted'`, "deleted", 1,
			map[string]string{"changed": "1", "updated": "1"}},
		"a row that was deleted and added again": {
			`with d as (delete from data.list where k = 'deleted') insert into data.list (k, p, a) values ('other', 'x', 5)`, "deleted", 1,
			map[string]string{"changed": "1", "updated": "1", "other": "5"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			target := newTarget(t)
			target.load(first)
			target.load(second)
			target.db.Exec(t, c.edit)
			counts, kept := target.undoNaming(2)
			if len(kept) != 1 || kept[0]["k"] != c.kept || counts.Kept != 1 || counts.Removed != c.removed {
				t.Errorf("kept %v, counts %+v, want %q alone and %d removed", kept, counts, c.kept, c.removed)
			}
			target.wantA(c.then)
		})
	}
}

// A row that a person has edited, and that a load has overwritten later, comes back as the person left it when that load is undone.
func TestUndoBringsAnEditedRowBack(t *testing.T) {
	t.Parallel()
	target := newTarget(t)
	target.load(of(1, "upsert", [4]string{"one", "x", "1", ""}))
	target.db.Exec(t, `update data.list set a = 50, b = 3`)
	target.load(of(2, "upsert", [4]string{"one", "x", "2", ""}))
	target.load(of(3, "upsert", [4]string{"one", "x", "3", ""}))
	target.undoNaming(2)
	target.wantA(map[string]string{"one": "3"})
	target.undoNaming(3)
	target.wantA(map[string]string{"one": "50"})
	if !pgtest.Query[bool](t, target.db, `select _edited and b = 3 and _load = 1 from data.list`) {
		t.Error("the row is not the edited one")
	}
}

// Rows that people have added have no load. A load that changed or deleted them is undone like any other.
func TestUndoBringsAddedRowsBack(t *testing.T) {
	t.Parallel()
	target := newTarget(t)
	target.db.Exec(t, `insert into data.list (k, p, a) values ('mine', 'x', 1), ('yours', 'x', 1)`)
	target.load(of(1, "replace", [4]string{"mine", "x", "2", ""}))
	target.load(of(2, "upsert", [4]string{"mine", "x", "3", ""}))
	target.load(of(3, "upsert", [4]string{"mine", "x", "4", ""}))
	target.undoNaming(2)
	target.wantA(map[string]string{"mine": "4"})
	target.undoNaming(3)
	target.wantA(map[string]string{"mine": "2"})
	target.load(of(4, "upsert", [4]string{"mine", "x", "5", ""}))
	target.undoNaming(1)
	target.wantA(map[string]string{"mine": "5", "yours": "1"})
	target.undoNaming(4)
	target.wantA(map[string]string{"mine": "1", "yours": "1"})
}

// Without a key a load's rows are its own: undo takes out those, and brings back what it replaced.
func TestUndoWithoutKey(t *testing.T) {
	t.Parallel()
	target := newTargetOf(t, `{"name": "list", "columns": [{"name": "a", "type": "integer"}]}`)
	target.table.Key, target.table.Columns, target.table.Defaults = nil, []string{"a"}, nil
	add := func(load int64, scope any) {
		target.db.Exec(t, `insert into sheetdrop.target_load (id, target_id, task_id, file_id, file_name, sheet_number, version, mode, columns, scope, mapping)
values ($1, $2, gen_random_uuid(), gen_random_uuid(), 'f.csv', 1, 1, 'insert', '{a}', $3, '{}')`, load, target.table.TargetID, scope)
		if scope != nil {
			target.db.Exec(t, `with gone as (delete from data.list t returning t.*) insert into data.list__was select gone.*, $1, true from gone`, load)
		}
		target.db.Exec(t, `insert into data.list (a, _load, _row) select $1 * 10 + n, $1, n from generate_series(1, 2) n`, load)
	}
	sum := func() string {
		return pgtest.Query[string](t, target.db, `select coalesce(string_agg(a::text, ' ' order by a), '') from data.list`)
	}
	add(1, nil)
	add(2, nil)
	add(3, map[string]any{"columns": []string{}})
	add(4, nil)
	for _, step := range []struct {
		undo int64
		want string
	}{{2, "31 32 41 42"}, {3, "11 12 41 42"}, {1, "41 42"}, {4, ""}} {
		target.undoNaming(step.undo)
		if got := sum(); got != step.want {
			t.Fatalf("without load %d there is %q, want %q", step.undo, got, step.want)
		}
	}
}

// Which rows a load has replaced is told by values in the form that its session had for them: other settings than an undo's change nothing.
func TestUndoOfPartitionsInAnyForm(t *testing.T) {
	t.Parallel()
	target := newTargetOf(t, `{"name": "list", "columns": [{"name": "d", "type": "duration"}, {"name": "i", "type": "instant"}]}`)
	target.table.Key, target.table.Columns, target.table.Defaults = nil, []string{"d", "i"}, nil
	for load, scope := range []string{
		`null`, `{"columns": ["d", "i"], "values": [{"d": "27:30:00", "i": "2024-01-31T09:00:00+09:00"}]}`,
		`{"columns": ["d", "i"], "values": [{"d": "1 day 03:30:00", "i": "2024-01-30T00:00:00+00:00"}, {"d": "@ 27 hours 30 mins", "i": "2024-01-30T23:00:00-01:00"}]}`,
	} {
		target.db.Exec(t, `insert into sheetdrop.target_load (id, target_id, task_id, file_id, file_name, sheet_number, version, mode, columns, scope, mapping)
values ($1, $2, gen_random_uuid(), gen_random_uuid(), 'f.csv', 1, 1, 'insert', '{d,i}', nullif($3::jsonb, 'null'), '{}')`, load+1, target.table.TargetID, scope)
		target.db.Exec(t, `with gone as (delete from data.list t returning t.*) insert into data.list__was select gone.*, $1, true from gone`, load+1)
		target.db.Exec(t, `insert into data.list (d, i, _load, _row) values ('27:30:00', '2024-01-31T00:00:00Z', $1, 1)`, load+1)
	}
	for _, step := range []struct{ undo, left int64 }{{2, 3}, {3, 1}} {
		target.undoNaming(step.undo)
		if got := pgtest.Query[[]int64](t, target.db, `select array_agg(_load) from data.list`); len(got) != 1 || got[0] != step.left {
			t.Fatalf("without load %d there are rows of the loads %v, want one of %d", step.undo, got, step.left)
		}
	}
}

func (t *target) undoNaming(load int64) (undo.Counts, []map[string]any) {
	t.Helper()
	counts, kept := t.undo(load)
	named := make([]map[string]any, len(kept))
	for i, k := range kept {
		if err := json.Unmarshal(k, &named[i]); err != nil {
			t.Fatal(err)
		}
	}
	return counts, named
}

func (t *target) wantA(want map[string]string) {
	t.Helper()
	got := pgtest.Query[map[string]string](t.T, t.db, `select coalesce(jsonb_object_agg(k, a::text), '{}') from data.list`)
	if len(got) != len(want) {
		t.Fatalf("rows are %v, want %v", got, want)
	}
	for k := range want {
		if got[k] != want[k] {
			t.Fatalf("rows are %v, want %v", got, want)
		}
	}
}
