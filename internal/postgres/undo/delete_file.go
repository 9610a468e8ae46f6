package undo

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/google/uuid"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/database"
	"sheetdrop/internal/target"
)

// FileLoad is a load of a file into a target.
type FileLoad struct {
	ID       int64
	TargetID uuid.UUID
	Target   string // its name
	Counts   bool   // its rows are in the table: no other load has taken its place
}

// maxFileLoads is how many loads LoadsOf returns at most.
const maxFileLoads = 1000

// LoadsOf returns the loads of a file that can be undone: first those whose place another one has taken, so that none of them returns, then
// the newest. Those that are settled, or whose target was dropped, are not among them.
func LoadsOf(ctx context.Context, tx postgres.Tx, fileID uuid.UUID) ([]FileLoad, error) {
	loads, err := database.All[FileLoad](ctx, tx.SQL(), `select l.id, l.target_id, t.name as target, l.undone_at is null as counts
from sheetdrop.target_load l join sheetdrop.target t on t.id = l.target_id
where l.file_id = $1 and (l.undone_at is null or l.superseded_by is not null) and l.settled_at is null and t.dropped_at is null
order by counts, l.id desc limit $2`, fileID, maxFileLoads)
	if err != nil {
		return nil, fmt.Errorf("find the loads of a file: %w", err)
	}
	return loads, nil
}

// DeletionOf returns the task that undoes a load of a locked file before the file is deleted, if there is one that has not ended.
func DeletionOf(ctx context.Context, tx postgres.Tx, fileID uuid.UUID) (id uuid.NullUUID, err error) {
	err = tx.SQL().QueryRow(ctx, `select (select id from sheetdrop.task
where source_file_id = $1 and status in ('PENDING', 'PROCESSING') and options->'target' @> '{"delete_file": true}' limit 1)`, fileID).Scan(&id)
	if err != nil {
		return id, fmt.Errorf("look for the deletion of a file: %w", err)
	}
	return id, nil
}

// DeleteWithLoads goes a step on with the deletion of a locked file and its loads: it adds the task that undoes the next of them, whose end
// is the next step, or deletes the file where none is left that can be undone. added says which; the task's id and that of its message, or
// of
// the message that deletes the bytes, are the caller's.
func DeleteWithLoads(ctx context.Context, tx postgres.Tx, fileID, taskID, messageID uuid.UUID, owner string) (added bool, err error) {
	file, err := tx.LockFile(ctx, owner, fileID)
	if err != nil {
		return false, err
	}
	loads, err := LoadsOf(ctx, tx, fileID)
	if err != nil {
		return false, err
	}
	if len(loads) == 0 {
		return false, tx.DeleteFile(ctx, file, messageID)
	}
	request, err := json.Marshal(target.Request{ID: loads[0].TargetID, Name: loads[0].Target, Undo: loads[0].ID, DeleteFile: true})
	if err != nil {
		return false, fmt.Errorf("encode the request: %w", err)
	}
	task := postgres.NewTask{FileID: fileID, Options: []byte(`{}`), Target: request, Message: postgres.NewParseMessage(messageID, taskID)}
	return true, tx.InsertTasks(ctx, []postgres.NewTask{task})
}
