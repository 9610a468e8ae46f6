package targetstore

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/database"
)

// FileLoad is a load of a file into a target.
type FileLoad struct {
	ID       int64
	TargetID uuid.UUID
	Target   string // its name
}

// maxFileLoads is how many loads UndoableLoads returns at most.
const maxFileLoads = 20

// UndoableLoads returns the newest loads of a file that count, and that can be undone, newest first.
func UndoableLoads(ctx context.Context, tx postgres.Tx, fileID uuid.UUID) ([]FileLoad, error) {
	loads, err := database.All[FileLoad](ctx, tx.SQL(), `select l.id, l.target_id, t.name as target
from sheetdrop.target_load l join sheetdrop.target t on t.id = l.target_id
where l.file_id = $1 and l.undone_at is null and l.settled_at is null and t.dropped_at is null order by l.id desc limit $2`, fileID, maxFileLoads)
	if err != nil {
		return nil, fmt.Errorf("find the loads of a file: %w", err)
	}
	return loads, nil
}
