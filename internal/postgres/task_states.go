package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"sheetdrop/internal/postgres/database"
	"sheetdrop/internal/task"
)

// TaskState is how far a task has come: what changes while somebody waits for its end.
type TaskState struct {
	ID         uuid.UUID
	FileID     uuid.UUID
	Owner      string // of the file
	Status     task.Status
	Attempt    int
	Progress   task.Progress
	Code       string // why it is FAILED, else ""
	StartedAt  *time.Time
	FinishedAt *time.Time
}

// TaskStates returns the states of those of the tasks whose files are not deleted, in no particular order.
func (db *DB) TaskStates(ctx context.Context, ids []uuid.UUID) ([]TaskState, error) {
	states, err := database.All[TaskState](ctx, db.pool, `select t.id, t.source_file_id as file_id, f.owner, t.status, t.attempt,
  coalesce(t.progress, '{}') as progress, coalesce(t.error_code, '') as code, t.started_at, t.finished_at
from sheetdrop.task t join sheetdrop.source_file f on f.id = t.source_file_id
where t.id = any($1) and f.deleted_at is null`, ids)
	if err != nil {
		return nil, fmt.Errorf("read the states of tasks: %w", err)
	}
	return states, nil
}
