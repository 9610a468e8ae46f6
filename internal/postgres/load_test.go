package postgres_test

import (
	"bytes"
	"context"
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
	if held, err := load.Complete(t.Context(), nil, task.Summary{}, task.Progress{}); err != nil || !held {
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
		if err := load.Reject(postgres.LoadReject{SheetID: 1, RowNo: int64(n + 2), ErrorNo: 1, Code: "x", Raw: make([]byte, size)}); err != nil {
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
