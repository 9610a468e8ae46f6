package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sheetdrop/internal/postgres/database"
)

// Recovery is the time from when a restore of the database was noticed until an operator ends it; meanwhile no orphan blob is deleted.
type Recovery struct {
	ID         uuid.UUID
	NoticedAt  time.Time
	RestoredTo time.Time // the database has lost nothing that was committed before
}

// RaiseEpoch raises the epoch beyond seen, the container's, and returns it; 0 where token does not reconcile. A container that is ahead has
// seen commits that this database has lost: then it begins a recovery, or widens the one that is under way.
func (db *DB) RaiseEpoch(ctx context.Context, token uuid.UUID, seen int64) (epoch int64, err error) {
	err = db.pool.QueryRow(ctx, `
with before as (
  select epoch, ran_at from sheetdrop.reconciler where locked_by = $1 for update
), begun as (
  insert into sheetdrop.recovery (restored_to) select ran_at from before where epoch < $2 `+widenRecoverySQL+`
)
update sheetdrop.reconciler r set epoch = greatest(r.epoch, $2) + 1 from before where r.locked_by = $1 returning r.epoch`, token, seen).Scan(&epoch)
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("raise the epoch: %w", err)
	}
	return epoch, nil
}

// widenRecoverySQL is for the insertion of a recovery while another one is under way.
const widenRecoverySQL = `on conflict ((true)) where ended_at is null do update
set noticed_at = excluded.noticed_at, restored_to = least(recovery.restored_to, excluded.restored_to)`

// openRecoverySQL finds the one that has not ended.
const openRecoverySQL = `select id, noticed_at, restored_to from sheetdrop.recovery where ended_at is null`

// Recovery returns the one that is under way, nil where there is none.
func (db *DB) Recovery(ctx context.Context) (*Recovery, error) {
	return selectRecovery(ctx, db.pool, openRecoverySQL)
}

// LockRecovery does the same, and keeps the recovery from ending before the transaction does.
func (t Tx) LockRecovery(ctx context.Context) (*Recovery, error) {
	return selectRecovery(ctx, t.tx, openRecoverySQL+` for share`)
}

func selectRecovery(ctx context.Context, q database.Querier, sql string) (*Recovery, error) {
	r, err := database.One[Recovery](ctx, q, sql)
	if err != nil {
		return nil, fmt.Errorf("look for a recovery: %w", err)
	}
	return r, nil
}

// BeginRecovery begins a recovery after a restore that was not noticed, or widens the one that is under way. It returns false, and does
// nothing, while a relay reconciles: that one may be deleting orphan blobs.
func (t Tx) BeginRecovery(ctx context.Context, restoredTo time.Time) (bool, error) {
	tag, err := t.tx.Exec(ctx, `with idle as (
  select from sheetdrop.reconciler where locked_until is null or locked_until < now() for update
)
insert into sheetdrop.recovery (restored_to) select $1 from idle `+widenRecoverySQL, restoredTo)
	if err != nil {
		return false, fmt.Errorf("begin a recovery: %w", err)
	}
	return tag.RowsAffected() == 1, nil
}

// EndRecovery ends the recovery that is under way; false where there is none. Once it is committed, orphan blobs are deleted again.
func (t Tx) EndRecovery(ctx context.Context) (bool, error) {
	tag, err := t.tx.Exec(ctx, `update sheetdrop.recovery set ended_at = now() where ended_at is null`)
	if err != nil {
		return false, fmt.Errorf("end the recovery: %w", err)
	}
	return tag.RowsAffected() == 1, nil
}
