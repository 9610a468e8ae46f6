package postgres_test

import (
	"bytes"
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
