package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
)

// ReconcilerLease is the right to do maintenance, alone, until it ends.
type ReconcilerLease struct {
	RanAt time.Time // when expired leases of tasks were last released
	Due   bool      // that was a period or more ago
}

// TakeReconciler takes the lease if nobody holds it; nil where somebody does.
func (db *DB) TakeReconciler(ctx context.Context, token uuid.UUID, lease, period time.Duration) (*ReconcilerLease, error) {
	taken, err := selectOne[ReconcilerLease](ctx, db.pool, `update sheetdrop.reconciler set locked_by = $1, locked_until = now() + $2::interval
where locked_until is null or locked_until < now()
returning ran_at, ran_at <= now() - $3::interval as due`, token, lease, period)
	if err != nil {
		return nil, fmt.Errorf("take the reconciler's lease: %w", err)
	}
	return taken, nil
}

// RenewReconciler lengthens the lease; false where it was lost.
func (db *DB) RenewReconciler(ctx context.Context, token uuid.UUID, lease time.Duration) (bool, error) {
	tag, err := db.pool.Exec(ctx, `update sheetdrop.reconciler set locked_until = now() + $2::interval where locked_by = $1`, token, lease)
	if err != nil {
		return false, fmt.Errorf("renew the reconciler's lease: %w", err)
	}
	return tag.RowsAffected() == 1, nil
}

// ReleaseReconciler gives the lease back and, where released is set, notes that expired leases of tasks were released in this run.
func (db *DB) ReleaseReconciler(ctx context.Context, token uuid.UUID, released bool) error {
	_, err := db.pool.Exec(ctx, `update sheetdrop.reconciler
set locked_by = null, locked_until = null, ran_at = case when $2 then now() else ran_at end where locked_by = $1`, token, released)
	if err != nil {
		return fmt.Errorf("release the reconciler's lease: %w", err)
	}
	return nil
}
