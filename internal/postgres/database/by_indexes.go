package database

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
)

// ByIndexes has the statements of its transaction go by the indexes. A plan that sorts all due messages to take the first of them, or that
// goes through the whole table for each that it takes, looks cheap to a planner whose statistics are from a time when there were few, and
// the server keeps it for the connection until it has counted the table again.
const ByIndexes = `set local enable_sort = off; set local enable_seqscan = off`

// byIndexes is the same within a pipeline. The plan is kept, whatever the values are: to make it takes longer than to run it.
const byIndexes = `select set_config('enable_sort', 'off', true), set_config('enable_seqscan', 'off', true),
  set_config('plan_cache_mode', 'force_generic_plan', true)`

// Batcher is a pool or a transaction.
type Batcher interface {
	SendBatch(ctx context.Context, b *pgx.Batch) pgx.BatchResults
}

// ValueByIndexes returns the only value of a query that goes by the indexes, as do the statements behind it in the same transaction; the
// zero value means that there is no row. It takes one round trip.
func ValueByIndexes[T any](ctx context.Context, q Batcher, sql string, args ...any) (value T, err error) {
	batch := new(pgx.Batch) // without a transaction around it, it is one of its own
	batch.Queue(byIndexes)
	batch.Queue(sql, args...).QueryRow(func(row pgx.Row) error {
		if err := row.Scan(&value); !errors.Is(err, pgx.ErrNoRows) {
			return err
		}
		return nil
	})
	err = q.SendBatch(ctx, batch).Close()
	return value, err
}
