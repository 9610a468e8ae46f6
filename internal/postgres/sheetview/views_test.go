package sheetview_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/pgtest"
)

// addSheet writes a file with a COMPLETED task and a sheet, whose columns are JSON and whose rows are arrays of cells, as PostgreSQL writes them.
func addSheet(t *testing.T, db *pgtest.Database, owner string, id int64, columns string, rows ...string) (file uuid.UUID) {
	t.Helper()
	u := db.AddUpload(t, func(u *postgres.Upload) { u.File.Owner = owner })
	db.Exec(t, `update sheetdrop.task set status = 'COMPLETED', attempt = 1, started_at = now(), finished_at = now(), summary = '{}' where id = $1`, u.TaskID)
	db.Exec(t, `insert into sheetdrop.sheet (id, task_id, number, name, visible, dialect, columns, rows_read, rows_loaded, rows_rejected, rows_skipped)
values ($1, $2, 1, 'sheet', true, '{}', $3, $4, $4, 0, 0)`, id, u.TaskID, columns, len(rows))
	db.Exec(t, `insert into sheetdrop.sheet_row (sheet_id, row_no, cells) select $1, n, cells::text[] from unnest($2::text[]) with ordinality r (cells, n)`, id, rows)
	return u.File.ID
}

func addView(t *testing.T, db *pgtest.Database, owner, name string, sheet int64) (view string, err error) {
	t.Helper()
	id := uuid.New()
	db.Exec(t, `insert into sheetdrop.sheet_view (id, owner, name, sheet_id) values ($1, $2, $3, $4)`, id, owner, name, sheet)
	conn, err := pgx.Connect(t.Context(), db.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	err = conn.QueryRow(t.Context(), `select sheetdrop.view_create($1)`, id).Scan(&view)
	return view, err
}

// One statement adds up a column of a sheet, whatever its file called it, and shows every row, until the file is deleted.
func TestViewOfSheet(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	file := addSheet(t, db, "local", 7, `[
  {"name": "Preis", "type": "decimal", "format": "#.##0,0", "digits": 6}, {"name": "受注日", "type": "date", "format": "era"},
  {"name": "Artikel", "type": "text"}, {"name": "Kunde", "type": "integer", "format": "0", "digits": 19}]`,
		`{"1.200,50",令和6年1月31日,007,1234567890123456789}`, `{"0,25","",NULL,""}`)
	view, err := addView(t, db, "local", "prices", 7)
	if err != nil || view != "data.prices" {
		t.Fatalf("%s, %v", view, err)
	}
	const all = `select string_agg(concat_ws('|', _row, "Preis", pg_typeof("Preis"), "受注日", pg_typeof("受注日"), "Artikel", "Kunde"), E'\n' order by _row) from data.prices`
	const want = "1|1200.50|numeric|2024-01-31|date|007|1234567890123456789\n2|0.25|numeric|date"
	if got := pgtest.Query[string](t, db, all); got != want {
		t.Errorf("the view shows\n%s\nnot\n%s", got, want)
	}
	about := pgtest.Query[string](t, db, `select obj_description('data.prices'::regclass) || ' ' || (select id from sheetdrop.task)`)
	if task := about[len(about)-36:]; about != "Sheet 1 of list.csv, as task "+task+" has read it "+task {
		t.Errorf("its comment is %s", about)
	}
	db.Exec(t, `update sheetdrop.source_file set deleted_at = now() where id = $1`, file)
	if n := pgtest.Query[int](t, db, `select count(*)::int from data.prices`); n != 0 {
		t.Errorf("%d rows of a deleted file", n)
	}
}

// A page of a view is found by the index and not by reading the sheet, although the view is a security barrier.
func TestPageOfView(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	addSheet(t, db, "local", 7, `[{"name": "x", "type": "integer", "format": "0", "digits": 1}]`, "{1}", "{2}")
	if _, err := addView(t, db, "local", "list", 7); err != nil {
		t.Fatal(err)
	}
	tx := db.Begin(t)
	if _, err := tx.Exec(t.Context(), `set local enable_seqscan = off; set local enable_bitmapscan = off`); err != nil { // as for a large sheet
		t.Fatal(err)
	}
	rows, err := tx.Query(t.Context(), `explain select * from data.list where _row > 1 order by _row limit 100`)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	if text := strings.Join(plan, "\n"); !strings.Contains(text, "Index Cond: ((sheet_id = 7) AND (row_no > 1))") || strings.Contains(text, "Sort") {
		t.Errorf("the page is read by\n%s", text)
	}
}

// A file's names for its columns become names in SQL, and never SQL.
func TestColumnsOfView(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	long := strings.Repeat("商品名称", 6) // 72 bytes
	names := []string{`a"b`, `'; drop table sheetdrop.task; --`, "%I", `$view$`, "_row", "a b", "A B", long + "甲", long + "乙", long[:63], "ctid", "select", "x\ny", "値"}
	columns := make([]string, len(names))
	cells := make([]string, len(names))
	for i, name := range names {
		columns[i] = fmt.Sprintf(`{"name": %q, "type": "integer", "format": "0", "digits": 2}`, name)
		cells[i] = fmt.Sprint(i)
	}
	addSheet(t, db, "local", 1, "["+strings.Join(columns, ",")+"]", "{"+strings.Join(cells, ",")+"}")
	view, err := addView(t, db, "local", `"odd"; name`, 1)
	if err != nil {
		t.Fatal(err)
	}
	got := pgtest.Query[map[string]int](t, db, `select to_jsonb(v) from `+view+` v`)
	want := map[string]int{`a"b`: 0, `'; drop table sheetdrop.task; --`: 1, "%I": 2, `$view$`: 3, "_row_5": 4, "a b": 5, "A B": 6, long[:63]: 7, long[:60] + "_9": 8, long[:60] + "_10": 9,
		"ctid": 10, "select": 11, "x\ny": 12, "値": 13, "_row": 1}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("columns\n%v\nnot\n%v", got, want)
	}
}

// A sheet of more columns than PostgreSQL's views have shows the first ones, also where all names begin alike.
func TestViewOfWideSheet(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	const wide = 2000
	columns := make([]string, wide)
	for i := range columns {
		columns[i] = fmt.Sprintf(`{"name": "%s %d", "type": "integer", "format": "0", "digits": 1}`, strings.Repeat("商品名称", 6), i)
	}
	addSheet(t, db, "local", 1, "["+strings.Join(columns, ",")+"]", "{"+strings.TrimSuffix(strings.Repeat("1,", wide), ",")+"}")
	view, err := addView(t, db, "local", "wide", 1)
	if err != nil {
		t.Fatal(err)
	}
	if n := pgtest.Query[int](t, db, `select count(*)::int from jsonb_object_keys((select to_jsonb(v) from `+view+` v))`); n != 1600 {
		t.Errorf("%d columns, want 1600", n)
	}
}

// A view is of a sheet that is there and is the owner's own.
func TestViewOfNoSheet(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	addSheet(t, db, "alice", 1, `[{"name": "x", "type": "text"}]`, "{x}")
	deleted := addSheet(t, db, "bob", 2, `[{"name": "x", "type": "text"}]`, "{x}")
	db.Exec(t, `update sheetdrop.source_file set deleted_at = now() where id = $1`, deleted)
	addSheet(t, db, "bob", 3, `[{"name": "x", "type": "money"}]`, "{x}")
	for sheet, code := range map[int64]string{1: "P0002", 2: "P0002", 4: "P0002", 3: "0A000"} {
		_, err := addView(t, db, "bob", fmt.Sprint("view ", sheet), sheet)
		if pgErr, ok := errors.AsType[*pgconn.PgError](err); !ok || pgErr.Code != code {
			t.Errorf("sheet %d: %v, want %s", sheet, err, code)
		}
	}
	if n := pgtest.Query[int](t, db, `select count(*)::int from pg_views where schemaname like 'data%'`); n != 0 {
		t.Errorf("%d views", n)
	}
}

// Owners never share a schema, and a schema's name says nothing that is SQL.
func TestSchemasOfOwners(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	seen := map[string]string{}
	for i, owner := range []string{"local", "Local", "data", "a.b", "a_b", "a-b", `"; drop`, "髙橋", strings.Repeat("x", 200), strings.Repeat("x", 201)} {
		addSheet(t, db, owner, int64(i+1), `[{"name": "x", "type": "text"}]`, "{x}")
		view, err := addView(t, db, owner, "list", int64(i+1))
		if err != nil {
			t.Fatal(err)
		}
		if other, found := seen[view]; found || len(view) > 63+len(".list") {
			t.Errorf("%s is of %s and of %s", view, owner, other)
		}
		seen[view] = owner
	}
}
