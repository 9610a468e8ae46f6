package upload

import (
	"context"
	"errors"

	"github.com/google/uuid"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/task"
	"sheetdrop/upload-api/internal/caller"
	"sheetdrop/upload-api/internal/operation"
	"sheetdrop/upload-api/internal/problem"
	"sheetdrop/upload-api/internal/response"
)

// The actions on a task, as recorded.
const (
	actCancelTask = "cancel_task"
	actDeleteRows = "delete_rows"
	actParseAgain = "parse_again"
	actRetryTask  = "retry_task"
)

// tasks has the operations on the tasks of files.
type tasks struct {
	operation.Base
	waiting *places // requests waiting for a task to end
}

// TaskInput identifies a task.
type TaskInput struct {
	ID uuid.UUID `path:"id" format:"uuid"`
}

// cancelTask cancels a waiting task at once and asks the worker of a running one to stop. A task that has already ended
// stays as it is.
func (t *tasks) cancelTask(ctx context.Context, in *TaskInput) (*taskOutput, error) {
	_, err := t.ActOn(ctx, task.NewID(), actCancelTask, in.ID, func(ctx context.Context, tx postgres.Tx) error {
		if _, err := tx.LockFileOfTask(ctx, caller.Of(ctx).Owner, in.ID); err != nil {
			return err
		}
		changed, err := tx.CancelTask(ctx, in.ID)
		if err == nil && !changed {
			return operation.ErrNothingDone
		}
		return err
	})
	if err != nil && !errors.Is(err, operation.ErrNothingDone) {
		return nil, err
	}
	t.TasksEnded()
	found, err := t.DB.Task(ctx, caller.Of(ctx).Owner, in.ID)
	if err != nil {
		return nil, err
	}
	if found.Status == task.Completed || found.Status == task.Failed {
		return nil, problem.New(problem.AlreadyFinished, "The task is already %s.", found.Status)
	}
	return &taskOutput{response.OfTask(found)}, nil
}

// retryTask puts a FAILED or CANCELLED task back into the queue, as if it had never run.
func (t *tasks) retryTask(ctx context.Context, in *TaskInput) (*taskOutput, error) {
	message := postgres.NewParseMessage(task.NewID(), in.ID)
	_, err := t.ActOn(ctx, task.NewID(), actRetryTask, in.ID, func(ctx context.Context, tx postgres.Tx) error {
		file, err := tx.LockFileOfTask(ctx, caller.Of(ctx).Owner, in.ID)
		if err != nil {
			return err
		}
		if err := operation.NeedNoOpenTask(ctx, tx, file, in.ID); err != nil {
			return err
		}
		retried, err := tx.RetryTask(ctx, message)
		if err == nil && !retried {
			return problem.New(problem.NotRetryable,
				"Only a FAILED or CANCELLED task can be retried. To parse the file again, create a new task for it.")
		}
		if err != nil {
			return err
		}
		return t.CountUsage(ctx, tx, postgres.Usage{Tasks: 1})
	})
	if err != nil {
		return nil, err
	}
	t.Nudge(message.ID)
	return t.getTask(ctx, &getTaskInput{ID: in.ID})
}

// deleteRows deletes the sheets, rows and rejects of a task that has ended. The task itself stays and says so.
func (t *tasks) deleteRows(ctx context.Context, in *TaskInput) (*struct{}, error) {
	_, err := t.ActOn(ctx, task.NewID(), actDeleteRows, in.ID, func(ctx context.Context, tx postgres.Tx) error {
		if _, err := tx.LockFileOfTask(ctx, caller.Of(ctx).Owner, in.ID); err != nil {
			return err
		}
		status, err := tx.DeleteTaskRows(ctx, in.ID)
		if err == nil && !status.Terminal() {
			return problem.New(problem.NotFinished, "The task is %s. Cancel it first.", status)
		}
		return err
	})
	return nil, err
}
