package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"sheetdrop/internal/postgres/database"
)

const (
	recordsPerDelete = 1000 // of each kind, in one transaction
	bulksPerDelete   = 10   // of up to 1,000 items each
	ownersPerDelete  = 1000
)

// DeleteOldRecords deletes the oldest records that are older than age: what people did, what became of bulk operations, and dead
// letters. Nothing that is still under way asks for them. false means that none was left. The ids come as an array, for else the whole
// table would be read to find them.
func (t Tx) DeleteOldRecords(ctx context.Context, age time.Duration) (more bool, err error) {
	batch := new(pgx.Batch)
	note := func(tag pgconn.CommandTag) error {
		more = more || tag.RowsAffected() > 0
		return nil
	}
	batch.Queue(`delete from sheetdrop.operator_action
where id = any(array(select id from sheetdrop.operator_action where at < now() - $1::interval order by at limit $2 for update skip locked))`, age, recordsPerDelete).Exec(note)
	batch.Queue(`delete from sheetdrop.dead_letter
where id = any(array(select id from sheetdrop.dead_letter where seen_at < now() - $1::interval order by seen_at limit $2 for update skip locked))`, age, recordsPerDelete).Exec(note)
	batch.Queue(`delete from sheetdrop.bulk_operation
where id = any(array(select id from sheetdrop.bulk_operation where created_at < now() - $1::interval order by created_at limit $2 for update skip locked))`, age, bulksPerDelete).Exec(note)
	if err := t.tx.SendBatch(ctx, batch).Close(); err != nil {
		return false, fmt.Errorf("delete old records: %w", err)
	}
	return more, nil
}

// DeleteOldUsage deletes some of what owners used that have had nothing accepted for longer than age, at least a day. false means that
// none was left.
func (t Tx) DeleteOldUsage(ctx context.Context, age time.Duration) (more bool, err error) {
	tag, err := t.tx.Exec(ctx, `delete from sheetdrop.owner_usage where owner = any(array(
  select owner from sheetdrop.owner_usage where day < ((now() - $1::interval) at time zone 'utc')::date order by day limit $2 for update skip locked))`, age, ownersPerDelete)
	if err != nil {
		return false, fmt.Errorf("delete old usage: %w", err)
	}
	return tag.RowsAffected() > 0, nil
}

// ExpiredHistory returns the slots of outbox_history that have messages and none from the last days days. The slot of the minute that
// comes is not among them, whatever it holds: it may be written to before it is emptied.
func (db *DB) ExpiredHistory(ctx context.Context, days int) ([]int, error) {
	slots, err := database.Column[int](ctx, db.pool, `with today as (
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
