package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"sheetdrop/internal/postgres/database"
)

// ReconcilerLease is the right to do maintenance, alone, until it ends.
type ReconcilerLease struct {
	RanAt time.Time // when expired leases of tasks were last released
	Due   bool      // that was a period or more ago
}

// TakeReconciler takes the lease if nobody holds it; nil where somebody does.
func (db *DB) TakeReconciler(ctx context.Context, token uuid.UUID, lease, period time.Duration) (*ReconcilerLease, error) {
	taken, err := database.One[ReconcilerLease](ctx, db.pool, `update sheetdrop.reconciler set locked_by = $1, locked_until = now() + $2::interval
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

// ReleaseReconciler ends the lease and, where released is set, notes that expired leases of tasks were released in this run.
func (db *DB) ReleaseReconciler(ctx context.Context, token uuid.UUID, released bool) error {
	_, err := db.pool.Exec(ctx, `update sheetdrop.reconciler
set locked_by = null, locked_until = null, ran_at = case when $2 then now() else ran_at end where locked_by = $1`, token, released)
	if err != nil {
		return fmt.Errorf("release the reconciler's lease: %w", err)
	}
	return nil
}

// Sweep is how far the search for orphan blobs has come.
type Sweep struct {
	Marker string    // the list of names goes on here; "" is its beginning
	Now    time.Time // by the database's clock
}

// TakeSweep returns the place to go on at; nil where the list was gone through less than pause ago, where token does not reconcile, or
// where a recovery is under way. Within the list there is no pause: until its end, the time of the sweep before counts.
func (db *DB) TakeSweep(ctx context.Context, token uuid.UUID, pause time.Duration) (*Sweep, error) {
	s, err := database.One[Sweep](ctx, db.pool, `select sweep_marker as marker, now() as now from sheetdrop.reconciler
where locked_by = $1 and (swept_at is null or swept_at < now() - $2::interval)
  and not exists (select from sheetdrop.recovery where ended_at is null)`, token, pause)
	if err != nil {
		return nil, fmt.Errorf("read how far the sweep is: %w", err)
	}
	return s, nil
}

// StoreSweep notes where to go on; "" notes that the list's end was reached.
func (db *DB) StoreSweep(ctx context.Context, token uuid.UUID, marker string) error {
	_, err := db.pool.Exec(ctx, `update sheetdrop.reconciler set sweep_marker = $2, swept_at = case $2 when '' then now() else swept_at end
where locked_by = $1`, token, marker)
	if err != nil {
		return fmt.Errorf("keep how far the sweep is: %w", err)
	}
	return nil
}

// OrphanBlobs returns those of the names that no file has, deleted ones included, and no direct upload.
func (db *DB) OrphanBlobs(ctx context.Context, names []string) ([]string, error) {
	return db.blobsWithout(ctx, names, `select from sheetdrop.source_file f where f.blob_name = listed.blob
union all select from sheetdrop.upload u where u.blob_name = listed.blob`)
}

// BlobsWithoutFile returns those of the names that no file has, deleted ones included.
func (db *DB) BlobsWithoutFile(ctx context.Context, names []string) ([]string, error) {
	return db.blobsWithout(ctx, names, `select from sheetdrop.source_file f where f.blob_name = listed.blob`)
}

func (db *DB) blobsWithout(ctx context.Context, names []string, ownersSQL string) ([]string, error) {
	if len(names) == 0 {
		return nil, nil
	}
	orphans, err := database.Column[string](ctx, db.pool,
		`select listed.blob from unnest($1::text[]) as listed (blob) where not exists (`+ownersSQL+`)`, names)
	if err != nil {
		return nil, fmt.Errorf("find orphan blobs: %w", err)
	}
	return orphans, nil
}
