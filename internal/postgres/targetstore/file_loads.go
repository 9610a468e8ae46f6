package targetstore

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"sheetdrop/internal/postgres"
)

// LockFileOf locks the file of a load, deleted or not, before the task that undoes the load is added to it, and returns whose it is; or
// postgres.ErrNotFound, where its record was removed.
func LockFileOf(ctx context.Context, tx postgres.Tx, load Load) (owner string, err error) {
	err = tx.SQL().QueryRow(ctx, `select owner from sheetdrop.source_file where id = $1 for no key update`, load.FileID).Scan(&owner)
	if errors.Is(err, pgx.ErrNoRows) {
		return "", postgres.ErrNotFound
	}
	if err != nil {
		return "", fmt.Errorf("lock the file of a load: %w", err)
	}
	return owner, nil
}

// RestoreFileOf writes a record anew of the file of a load, whose record was removed, and locks it: a task needs one. It is deleted and
// purged
// from the beginning, and goes with its tasks as the first one did. Its bytes are not known any more, and nobody reads them.
func RestoreFileOf(ctx context.Context, tx postgres.Tx, load Load, owner string) error {
	_, err := tx.SQL().Exec(ctx, `insert into sheetdrop.source_file (id, owner, name, media_type, size_bytes, etag, blob_name, part_no, deleted_at, purged_at)
values ($1::uuid, $2, $3, '', 1, '', 'removed/' || $1::uuid, 1, now(), now()) on conflict (id) do nothing`, load.FileID, owner, load.FileName)
	if err == nil {
		_, err = LockFileOf(ctx, tx, load)
	}
	if err != nil {
		return fmt.Errorf("write a record of a load's file: %w", err)
	}
	return nil
}
