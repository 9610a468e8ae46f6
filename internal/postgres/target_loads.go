package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sheetdrop/internal/postgres/database"
)

// TargetLoad is what a file has done with the rows of a target.
type TargetLoad struct {
	ID          int64
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

	SupersededBy *int64     // the load that has taken its place, which UndoneAt says when
	SettledAt    *time.Time // when it became too old to be undone
}

const targetLoadSQL = `select id, task_id, file_id, file_name, sheet_number, mode, inserted, updated, unchanged, deleted, rejected, applied_at, undone_at,
  coalesce(series, '') as series, superseded_by, settled_at
from sheetdrop.target_load where target_id = $1 and `

// TargetLoads lists the loads of a target, newest first: those before an id, with a file's name unless it is "".
func (db *DB) TargetLoads(
	ctx context.Context, targetID uuid.UUID, name string, before int64, limit int,
) (loads []TargetLoad, more bool, err error) {
	return readPage(ctx, db, limit, pgx.RowToStructByName[TargetLoad], targetLoadSQL+`id < $2 and ($3 = '' or file_name = $3) order by id desc limit $4`,
		targetID, before, name, limit+1)
}

// TargetLoad returns a load of a target, or ErrNotFound.
func (t Tx) TargetLoad(ctx context.Context, targetID uuid.UUID, id int64) (TargetLoad, error) {
	found, err := database.One[TargetLoad](ctx, t.tx, targetLoadSQL+`id = $2`, targetID, id)
	if err != nil {
		return TargetLoad{}, fmt.Errorf("read a load: %w", err)
	}
	if found == nil {
		return TargetLoad{}, ErrNotFound
	}
	return *found, nil
}
