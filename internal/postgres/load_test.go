package postgres_test

import (
	"bytes"
	"context"
	"reflect"
	"strconv"
	"testing"
	"time"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/pgtest"
	"sheetdrop/internal/task"
)

// P4: while a load is under way nobody waits for it, and heartbeats change the very task that it will complete. P7: it has finished when
// it says so, not when its transaction began.
func TestLoadIsInNobodysWay(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	c := claim(t, db, db.AddUpload(t).TaskID)
	load, err := db.BeginLoad(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	defer load.Rollback(t.Context())
	cell := bytes.Repeat([]byte("x"), 1<<20)
	for n := range int64(4) {
		if err := load.Row(1, n+2, n+2, [][]byte{cell}); err != nil {
			t.Fatal(err)
		}
	}
	db.Await(t, `select exists (select from pg_stat_activity where datname = current_database() and backend_xid is not null)`)
	other := db.Begin(t)
	if _, err := other.Exec(t.Context(), `select from sheetdrop.task for update nowait`); err != nil {
		t.Errorf("the load locks the task: %v", err)
	}
	if err := other.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := pgtest.Query[int](t, db, `select count(*) from sheetdrop.sheet_row`); n != 0 {
		t.Errorf("%d rows can be seen before the end", n)
	}
	if held, err := db.Heartbeat(t.Context(), time.Hour, []postgres.Beat{{Claim: c}}); err != nil || len(held) != 1 {
		t.Fatalf("heartbeat: %v, %v", held, err)
	}
	before, err := db.Now(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if held, err := load.Complete(t.Context(), pgtest.Sheets(), task.Summary{}, task.Progress{}, nil); err != nil || !held {
		t.Fatalf("complete: %t, %v", held, err)
	}
	if finished := pgtest.Query[time.Time](t, db, `select finished_at from sheetdrop.task`); finished.Before(before) {
		t.Errorf("finished at %s, which is before %s", finished, before)
	}
	if n := pgtest.Query[int](t, db, `select count(*) from sheetdrop.sheet_row`); n != 4 {
		t.Errorf("%d rows, want 4", n)
	}
}

// P9, P5: what a load keeps of its rejects is bounded in bytes, too; what is kept are the first ones, whole and without a gap.
func TestKeptRejectsAreBounded(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	load, err := db.BeginLoad(t.Context(), claim(t, db, db.AddUpload(t).TaskID))
	if err != nil {
		t.Fatal(err)
	}
	defer load.Rollback(t.Context())
	for n, size := range []int{3 << 20, 3 << 20, 3 << 20, 1, 1} {
		if err := load.Reject(postgres.LoadReject{SheetID: 1, RowNo: int64(n + 2), Errors: []postgres.RejectError{{Code: "x"}}, Raw: make([]byte, size)}); err != nil {
			t.Fatal(err)
		}
	}
	load.Rollback(t.Context())
	for range 2 { // as when the transaction is tried again
		inTransaction(t, db, func(ctx context.Context, tx postgres.Tx) error { return tx.InsertRejects(ctx, load.KeptRejects()) })
		got := pgtest.Query[string](t, db, `select concat_ws(' ', count(*), max(row_no), sum(length(raw))) from sheetdrop.row_reject`)
		if want := "2 3 6291456"; got != want {
			t.Errorf("kept rejects, their last row and bytes: %s, want %s", got, want)
		}
		db.Exec(t, `truncate sheetdrop.row_reject`)
	}
}

// P5: rows that come back to a number, at once or much later, lose no reject and fail no load; usual ones are numbered from 1.
func TestRejectsOfRowsThatShareANumber(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	c := claim(t, db, db.AddUpload(t).TaskID)
	load, err := db.BeginLoad(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	defer load.Rollback(t.Context())
	records := []struct {
		sheet, row int64
		errors     int
	}{{1, 2, 3}, {1, 5, 2}, {1, 5, 1}, {1, 9, 1}, {1, 5, 2}, {1, 2, 1}, {1, 3, 1}, {1, 3, 1}, {1, 9, 1}, {1, 10, 2}, {2, 2, 2}, {2, 1, 1}, {2, 1, 1}}
	for n, r := range records {
		for range r.errors {
			reject := postgres.LoadReject{SheetID: r.sheet, RowNo: r.row, Errors: []postgres.RejectError{{Code: "x", Message: strconv.Itoa(n)}}}
			if err := load.Reject(reject); err != nil {
				t.Fatal(err)
			}
		}
	}
	if held, err := load.Complete(t.Context(), pgtest.Sheets(), task.Summary{}, task.Progress{}, nil); err != nil || !held {
		t.Fatalf("complete: %t, %v", held, err)
	}
	// each record's place in the list: the numbers of its errors
	got := pgtest.Query[string](t, db, `select string_agg(concat_ws(' ', message || ':', numbers), ', ' order by message::int)
from (select message, string_agg(error_no::text, ' ' order by error_no) as numbers from sheetdrop.row_reject group by message) record`)
	want := "0: 1 2 3, 1: 1 2, 2: 3, 3: 1, 4: 4 5, 5: 6, 6: 7, 7: 8, 8: 9, 9: 1 2, 10: 1 2, 11: 3, 12: 4"
	if got != want {
		t.Errorf("numbers of errors:\n%s, want\n%s", got, want)
	}
}

// P5: all that is wrong with a record is kept, in both languages. A reject of a program that knew no Japanese, or wrote a row for each reason,
// is read as it was meant.
func TestRejectsKeepAllReasons(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	taskID := db.AddUpload(t).TaskID
	load, err := db.BeginLoad(t.Context(), claim(t, db, taskID))
	if err != nil {
		t.Fatal(err)
	}
	defer load.Rollback(t.Context())
	sheet, err := load.NewSheetID(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	missing := postgres.RejectError{ColumnNo: 2, LastColumnNo: 4, ColumnName: "b", Code: "missing_cell", Message: "3 cells are missing.", MessageJA: "セルがありません。"}
	noText := postgres.RejectError{ColumnNo: 1, LastColumnNo: 1, ColumnName: "\"a\" <é>", Code: "invalid_encoding", Message: "No text.", MessageJA: "文字ではない"}
	whole := postgres.RejectError{Code: "record_too_long", Message: "Too long."}
	written := [][]postgres.RejectError{{missing}, {noText}, {whole}, {missing, noText, whole}}
	for i, errors := range written {
		if err := load.Reject(postgres.LoadReject{SheetID: sheet, RowNo: int64(i + 2), ByteOffset: -1, Errors: errors}); err != nil {
			t.Fatal(err)
		}
	}
	const old = `insert into sheetdrop.row_reject (sheet_id, row_no, error_no, column_no, column_name, code, message) values ($1, 9, $2, $3, 'b', 'missing_cell', 'no cell')`
	for no, column := range []int{2, 3} {
		db.Exec(t, old, sheet, no+1, column)
		written = append(written, []postgres.RejectError{{ColumnNo: column, LastColumnNo: column, ColumnName: "b", Code: "missing_cell", Message: "no cell"}})
	}
	sheets := []postgres.Sheet{{
		ID: sheet, Number: 1, Dialect: []byte(`{}`), Columns: []byte(`[]`), Warnings: []byte(`[]`), Counts: task.Counts{Read: 7, Rejected: 4, Skipped: 3, Valid: 2},
	}}
	if held, err := load.Complete(t.Context(), pgtest.Sheets(sheets...), task.Summary{}, task.Progress{}, nil); err != nil || !held {
		t.Fatalf("complete: %t, %v", held, err)
	}
	rejects, more, err := db.Rejects(t.Context(), sheet, 0, 0, 10)
	if err != nil || more {
		t.Fatalf("more %t, %v", more, err)
	}
	var read [][]postgres.RejectError
	for _, r := range rejects {
		read = append(read, r.Errors)
	}
	if !reflect.DeepEqual(read, written) {
		t.Errorf("read\n%+v\nwant\n%+v", read, written)
	}
	if found, _, err := db.Sheets(t.Context(), taskID, 0, 10); err != nil || len(found) != 1 || found[0].Counts != sheets[0].Counts {
		t.Errorf("sheets %+v, %v", found, err)
	}
}
