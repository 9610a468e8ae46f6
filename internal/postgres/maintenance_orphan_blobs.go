package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// Sweep is how far the search for orphan blobs has come.
type Sweep struct {
	Marker string    // the list of names goes on here; "" is its beginning
	Now    time.Time // by the database's clock
}

// TakeSweep returns the place to go on at; nil where the list was gone through less than pause ago, where token does not reconcile, or
// where a recovery is under way. Within the list there is no pause: until its end, the time of the sweep before counts.
func (db *DB) TakeSweep(ctx context.Context, token uuid.UUID, pause time.Duration) (*Sweep, error) {
	var s Sweep
	err := db.pool.QueryRow(ctx, `select sweep_marker, now() from sheetdrop.reconciler
where locked_by = $1 and (swept_at is null or swept_at < now() - $2::interval)
  and not exists (select from sheetdrop.recovery where ended_at is null)`, token, pause).Scan(&s.Marker, &s.Now)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read how far the sweep is: %w", err)
	}
	return &s, nil
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

func (db *DB) blobsWithout(ctx context.Context, names []string, owners string) ([]string, error) {
	if len(names) == 0 {
		return nil, nil
	}
	rows, err := db.pool.Query(ctx, `select listed.blob from unnest($1::text[]) as listed (blob) where not exists (`+owners+`)`, names)
	if err != nil {
		return nil, fmt.Errorf("find orphan blobs: %w", err)
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}
