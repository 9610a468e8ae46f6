package postgres_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"

	"sheetdrop/internal/devstack/devtest"
	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/pgtest"
)

// BenchmarkClaim claims a task that has no target, and returns it: what every file waits for before it is read.
func BenchmarkClaim(b *testing.B) {
	db := pgtest.NewOn(b, devtest.Private(b))
	u := db.AddSentUpload(b)
	for b.Loop() {
		err := db.InTx(b.Context(), nil, func(ctx context.Context, tx postgres.Tx) error {
			claimed, _, err := tx.ClaimTask(ctx, u.TaskID, uuid.New(), time.Hour, false)
			if err != nil || claimed == nil {
				b.Fatal(claimed, err)
			}
			_, err = tx.EndRun(ctx, claimed.Claim, postgres.Outcome{Faults: 1}, postgres.NewParseMessage(uuid.New(), u.TaskID))
			return err
		})
		if err != nil {
			b.Fatal(err)
		}
	}
}
