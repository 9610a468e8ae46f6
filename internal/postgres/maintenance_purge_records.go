package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

const (
	forgetRecords = 1000 // of each kind, in one transaction
	forgetBulks   = 10   // of up to 1,000 items each
	forgetOwners  = 1000
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
where id = any(array(select id from sheetdrop.operator_action where at < now() - $1::interval order by at limit $2 for update skip locked))`, age, forgetRecords).Exec(note)
	batch.Queue(`delete from sheetdrop.dead_letter
where id = any(array(select id from sheetdrop.dead_letter where seen_at < now() - $1::interval order by seen_at limit $2 for update skip locked))`, age, forgetRecords).Exec(note)
	batch.Queue(`delete from sheetdrop.bulk_operation
where id = any(array(select id from sheetdrop.bulk_operation where created_at < now() - $1::interval order by created_at limit $2 for update skip locked))`, age, forgetBulks).Exec(note)
	if err := t.tx.SendBatch(ctx, batch).Close(); err != nil {
		return false, fmt.Errorf("delete old records: %w", err)
	}
	return more, nil
}

// DeleteOldUsage deletes some of what owners used that have had nothing accepted for longer than age, at least a day. false means that
// none was left.
func (t Tx) DeleteOldUsage(ctx context.Context, age time.Duration) (more bool, err error) {
	tag, err := t.tx.Exec(ctx, `delete from sheetdrop.owner_usage where owner = any(array(
  select owner from sheetdrop.owner_usage where day < ((now() - $1::interval) at time zone 'utc')::date order by day limit $2 for update skip locked))`, age, forgetOwners)
	if err != nil {
		return false, fmt.Errorf("delete old usage: %w", err)
	}
	return tag.RowsAffected() > 0, nil
}
