// Package progress tells how far tasks have come, to whoever waits for them.
package progress

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/database"
	"sheetdrop/internal/task"
)

// State is how far a task has come: what changes while somebody waits for its end.
type State struct {
	ID         uuid.UUID
	FileID     uuid.UUID
	Owner      string // of the file; of an undo, who has asked for it
	Status     task.Status
	Attempt    int
	Progress   task.Progress
	Code       string // why it is FAILED, else ""
	StartedAt  *time.Time
	FinishedAt *time.Time
}

// States returns the states of those of the tasks whose files are not deleted, and of undos, in no particular order.
func States(ctx context.Context, db *postgres.DB, ids []uuid.UUID) ([]State, error) {
	states, err := database.All[State](ctx, db.SQL(), `select t.id, t.source_file_id as file_id,
  case when t.kind = 'UNDO' then coalesce(t.owner, f.owner) else f.owner end as owner, t.status, t.attempt,
  coalesce(t.progress, '{}') as progress, coalesce(t.error_code, '') as code, t.started_at, t.finished_at
from sheetdrop.task t join sheetdrop.source_file f on f.id = t.source_file_id
where t.id = any($1) and (f.deleted_at is null or t.kind = 'UNDO')`, ids)
	if err != nil {
		return nil, fmt.Errorf("read the states of tasks: %w", err)
	}
	return states, nil
}
