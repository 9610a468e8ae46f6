package postgres_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/pgtest"
	"sheetdrop/internal/task"
)

// claim takes a task for an hour.
func claim(t *testing.T, db *pgtest.Database, taskID uuid.UUID) postgres.Claim {
	t.Helper()
	var claimed *postgres.ClaimedTask
	inTransaction(t, db, func(ctx context.Context, tx postgres.Tx) (err error) {
		claimed, _, err = tx.ClaimTask(ctx, taskID, uuid.New(), time.Hour, false)
		return err
	})
	if claimed == nil {
		t.Fatal("the task cannot be claimed")
	}
	return claimed.Claim
}

// inTransaction commits what fn does, which must be idempotent.
func inTransaction(t *testing.T, db *pgtest.Database, fn func(ctx context.Context, tx postgres.Tx) error) {
	t.Helper()
	if err := db.InTx(t.Context(), nil, fn); err != nil {
		t.Fatal(err)
	}
}

// beginLoad begins a load, which is rolled back at the test's end unless it is complete.
func beginLoad(t *testing.T, db *postgres.DB, c postgres.Claim) *postgres.Load {
	t.Helper()
	load, err := db.BeginLoad(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { load.Rollback(context.Background()) })
	return load
}

// completeLoad completes a load that must hold its task.
func completeLoad(t *testing.T, load *postgres.Load, sheets ...postgres.Sheet) {
	t.Helper()
	if held, err := load.Complete(t.Context(), pgtest.Sheets(sheets...), task.Summary{}, task.Progress{}, nil); err != nil || !held {
		t.Fatalf("complete: %t, %v", held, err)
	}
}
