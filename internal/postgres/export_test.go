package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"sheetdrop/internal/task"
)

// Pgx returns the transaction's own handle, so that a test can run statements that no step has.
func Pgx(tx Tx) pgx.Tx { return tx.tx }

// PgxOfLoad is the same of a load.
func PgxOfLoad(l *Load) pgx.Tx { return l.tx }

// LastWord does what a load of no sheets does last, but for COMMIT.
func LastWord(ctx context.Context, l *Load) (held bool, err error) {
	return l.lastWord(ctx, func(func(Sheet, error) bool) {}, task.Summary{}, task.Progress{}, nil)
}
