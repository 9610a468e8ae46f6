package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
)

// Sweep is how far the search for orphan blobs has come.
type Sweep struct {
	Marker string    // the list of names goes on here; "" is its beginning
	Now    time.Time // by the database's clock
}

// TakeSweep returns the place to go on at; nil where the list was gone through less than pause ago, where token does not reconcile, or
// where a recovery is under way. Within the list there is no pause: until its end, the time of the sweep before counts.
func (db *DB) TakeSweep(ctx context.Context, token uuid.UUID, pause time.Duration) (*Sweep, error) {
	s, err := selectOne[Sweep](ctx, db.pool, `select sweep_marker as marker, now() as now from sheetdrop.reconciler
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

// OrphanBlobs returns those of the names that no file has, deleted ones included.
func (db *DB) OrphanBlobs(ctx context.Context, names []string) ([]string, error) {
	if len(names) == 0 {
		return nil, nil
	}
	orphans, err := selectColumn[string](ctx, db.pool, `select listed.blob from unnest($1::text[]) as listed (blob)
where not exists (select from sheetdrop.source_file f where f.blob_name = listed.blob)`, names)
	if err != nil {
		return nil, fmt.Errorf("find orphan blobs: %w", err)
	}
	return orphans, nil
}
