package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// ExpiredHistory returns the slots of outbox_history that have messages and none from the last days days. The slot of the minute that
// comes is not among them, whatever it holds: it may be written to before it is emptied.
func (db *DB) ExpiredHistory(ctx context.Context, days int) ([]int, error) {
	rows, err := db.pool.Query(ctx, `with today as (
  select floor(extract(epoch from now()) / 86400)::bigint as first, floor(extract(epoch from now() + interval '1 minute') / 86400)::bigint as last
)
select slot from generate_series(0, 31) slot
where slot not in (select day % 32 from today, generate_series(first - $1::int, last) day)
  and exists (select from sheetdrop.outbox_history where day_slot = slot)`, days)
	if err != nil {
		return nil, fmt.Errorf("find old history: %w", err)
	}
	return pgx.CollectRows(rows, pgx.RowTo[int])
}

// TruncateHistory empties a slot; false means that somebody reads it at this moment. Nobody waits behind it for 50 ms, also where
// the server is busy.
func (db *DB) TruncateHistory(ctx context.Context, slot int) (emptied bool, err error) {
	const lockNotAvailable = "55P03"
	table := pgx.Identifier{"sheetdrop", fmt.Sprintf("outbox_history_%02d", slot)}.Sanitize()
	again := func(context.Context) (bool, error) { return false, nil } // it is empty twice as well as once
	err = db.InTx(ctx, again, func(ctx context.Context, tx Tx) error {
		if _, err := tx.tx.Exec(ctx, `set local lock_timeout = '20ms'`); err != nil {
			return err
		}
		_, err := tx.tx.Exec(ctx, `truncate `+table)
		return err
	})
	if pgErr, ok := errors.AsType[*pgconn.PgError](err); ok && pgErr.Code == lockNotAvailable {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("truncate old history: %w", err)
	}
	return true, nil
}
