package postgres_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/pgtest"
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
