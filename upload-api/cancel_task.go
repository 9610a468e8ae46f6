package upload

import (
	"context"

	"github.com/google/uuid"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/task"
)

// TaskInput names a task.
type TaskInput struct {
	ID uuid.UUID `path:"id" format:"uuid"`
}

// cancelTask ends a waiting task at once and asks the worker of a running one to end it. A task that has ended otherwise stays as it is.
func (h *Handler) cancelTask(ctx context.Context, in *TaskInput) (*taskOutput, error) {
	owner := callerOf(ctx).Owner
	again := func(context.Context) (bool, error) { return false, nil } // asking twice is the same as once
	err := h.db.InTx(ctx, again, func(ctx context.Context, tx postgres.Tx) error {
		file, err := tx.TaskFile(ctx, in.ID)
		if err != nil {
			return err
		}
		if _, err := tx.LockFile(ctx, owner, file); err != nil {
			return err
		}
		return tx.CancelTask(ctx, in.ID)
	})
	if err != nil {
		return nil, err
	}
	found, err := h.db.Task(ctx, owner, in.ID)
	if err != nil {
		return nil, err
	}
	if found.Status == task.Completed || found.Status == task.Failed {
		return nil, problem(AlreadyFinished, "The task is %s already.", found.Status)
	}
	return &taskOutput{showTask(found)}, nil
}
