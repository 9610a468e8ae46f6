package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sheetdrop/internal/task"
)

// Task gives a task of an owner's file that is not deleted, or ErrNotFound.
func (db *DB) Task(ctx context.Context, owner string, id uuid.UUID) (task.Task, error) {
	var found taskScan
	err := db.pool.QueryRow(ctx, `select `+taskColumns+`
from sheetdrop.task t join sheetdrop.source_file f on f.id = t.source_file_id
where t.id = $2 and f.owner = $1 and f.deleted_at is null`, owner, id).Scan(found.targets()...)
	if errors.Is(err, pgx.ErrNoRows) {
		return task.Task{}, ErrNotFound
	}
	if err != nil {
		return task.Task{}, fmt.Errorf("read task: %w", err)
	}
	return found.value(), nil
}

// TaskFile gives the id of the task's file, which has to be locked before the task is; or ErrNotFound.
func (t Tx) TaskFile(ctx context.Context, taskID uuid.UUID) (uuid.UUID, error) {
	var fileID uuid.UUID
	err := t.tx.QueryRow(ctx, `select source_file_id from sheetdrop.task where id = $1`, taskID).Scan(&fileID)
	if errors.Is(err, pgx.ErrNoRows) {
		return uuid.Nil, ErrNotFound
	}
	return fileID, err
}

// CancelTask ends a PENDING task at once and asks the worker of a PROCESSING one to end it; a terminal one stays as it is. The task's
// file must be locked.
func (t Tx) CancelTask(ctx context.Context, id uuid.UUID) error {
	_, err := t.tx.Exec(ctx, `update sheetdrop.task
set status              = case status when 'PENDING' then 'CANCELLED' else status end,
    finished_at         = case status when 'PENDING' then now() end,
    cancel_requested_at = coalesce(cancel_requested_at, now())
where id = $1 and status in ('PENDING', 'PROCESSING')`, id)
	if err != nil {
		return fmt.Errorf("cancel task: %w", err)
	}
	return nil
}
