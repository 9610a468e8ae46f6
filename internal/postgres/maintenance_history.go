package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"sheetdrop/internal/postgres/database"
)

// ExpiredHistory returns the slots of outbox_history that have messages and none from the last days days. The slot of the minute that
// comes is not among them, whatever it holds: it may be written to before it is emptied.
func (db *DB) ExpiredHistory(ctx context.Context, days int) ([]int, error) {
	slots, err := selectColumn[int](ctx, db.pool, `with today as (
  select floor(extract(epoch from now()) / 86400)::bigint as first, floor(extract(epoch from now() + interval '1 minute') / 86400)::bigint as last
)
select slot from generate_series(0, 31) slot
where slot not in (select day % 32 from today, generate_series(first - $1::int, last) day)
  and exists (select from sheetdrop.outbox_history where day_slot = slot)`, days)
	if err != nil {
		return nil, fmt.Errorf("find old history: %w", err)
	}
	return slots, nil
}

// TruncateHistory empties a slot; false means that somebody reads it at this moment. Nobody waits behind it for 50 ms, also where
// the server is busy.
func (db *DB) TruncateHistory(ctx context.Context, slot int) (emptied bool, err error) {
	table := pgx.Identifier{"sheetdrop", fmt.Sprintf("outbox_history_%02d", slot)}.Sanitize()
	err = db.InTx(ctx, nil, func(ctx context.Context, tx Tx) error {
		if _, err := tx.tx.Exec(ctx, `set local lock_timeout = '20ms'`); err != nil {
			return err
		}
		_, err := tx.tx.Exec(ctx, `truncate `+table)
		return err
	})
	if database.HasState(err, database.LockNotAvailable) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("truncate old history: %w", err)
	}
	return true, nil
}
