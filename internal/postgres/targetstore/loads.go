package targetstore

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/database"
)

// Load is what a file has done with the rows of a target.
type Load struct {
	ID          int64
	NewerLoads  int64 // of the target, that count
	TaskID      uuid.UUID
	FileID      uuid.UUID
	FileName    string
	SheetNumber int
	Mode        string
	Inserted    int64
	Updated     int64
	Unchanged   int64
	Deleted     int64
	Rejected    int64
	AppliedAt   time.Time
	UndoneAt    *time.Time
	Series      string // "" where it has none

	Corrects     *int64     // the load whose corrected rejects it has brought
	SupersededBy *int64     // the load that has taken its place, which UndoneAt says when
	SettledAt    *time.Time // when it became too old to be undone
}

const targetLoadSQL = `select (select count(*) from sheetdrop.target_load n where n.target_id = l.target_id and n.id > l.id and n.undone_at is null) as newer_loads,
  id, task_id, file_id, file_name, sheet_number, mode, inserted, updated, unchanged, deleted, rejected, applied_at, undone_at,
  coalesce(series, '') as series, corrects, superseded_by, settled_at
from sheetdrop.target_load l where target_id = $1 and `

// Loads lists the loads of a target, newest first: those before an id, with a file's name unless it is "".
func Loads(
	ctx context.Context, db *postgres.DB, targetID uuid.UUID, name string, before int64, limit int,
) (loads []Load, more bool, err error) {
	return postgres.ReadPage(ctx, db, limit, pgx.RowToStructByName[Load], targetLoadSQL+`id < $2 and ($3 = '' or file_name = $3) order by id desc limit $4`,
		targetID, before, name, limit+1)
}

// FindLoad returns a load of a target, or postgres.ErrNotFound.
func FindLoad(ctx context.Context, tx postgres.Tx, targetID uuid.UUID, id int64) (Load, error) {
	found, err := database.One[Load](ctx, tx.SQL(), targetLoadSQL+`id = $2`, targetID, id)
	if err != nil {
		return Load{}, fmt.Errorf("read a load: %w", err)
	}
	if found == nil {
		return Load{}, postgres.ErrNotFound
	}
	return *found, nil
}
