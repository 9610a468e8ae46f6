package upload

import (
	"context"
	"errors"

	"github.com/google/uuid"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/task"
	"sheetdrop/upload-api/internal/problem"
)

// errNothingDone rolls back an action that found nothing to do, so that it is not recorded.
var errNothingDone = errors.New("nothing to do")

// tasks has the operations on the tasks of files.
type tasks struct {
	operations
	waiting *places // requests waiting for a task to end
}

// TaskInput identifies a task.
type TaskInput struct {
	ID uuid.UUID `path:"id" format:"uuid"`
}

// cancelTask cancels a waiting task at once and asks the worker of a running one to stop. A task that has already ended
// stays as it is.
func (t *tasks) cancelTask(ctx context.Context, in *TaskInput) (*taskOutput, error) {
	_, err := t.actOn(ctx, task.NewID(), actCancelTask, in.ID, func(ctx context.Context, tx postgres.Tx) error {
		if _, err := lockFileOf(ctx, tx, in.ID); err != nil {
			return err
		}
		changed, err := tx.CancelTask(ctx, in.ID)
		if err == nil && !changed {
			return errNothingDone
		}
		return err
	})
	if err != nil && !errors.Is(err, errNothingDone) {
		return nil, err
	}
	found, err := t.db.Task(ctx, callerOf(ctx).Owner, in.ID)
	if err != nil {
		return nil, err
	}
	if found.Status == task.Completed || found.Status == task.Failed {
		return nil, problem.New(problem.AlreadyFinished, "The task is already %s.", found.Status)
	}
	return &taskOutput{showTask(found)}, nil
}

// retryTask puts a FAILED or CANCELLED task back into the queue, as if it had never run.
func (t *tasks) retryTask(ctx context.Context, in *TaskInput) (*taskOutput, error) {
	message := postgres.NewParseMessage(task.NewID(), in.ID)
	_, err := t.actOn(ctx, task.NewID(), actRetryTask, in.ID, func(ctx context.Context, tx postgres.Tx) error {
		file, err := lockFileOf(ctx, tx, in.ID)
		if err != nil {
			return err
		}
		if err := needNoOpenTask(ctx, tx, file.ID, in.ID); err != nil {
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
		return t.countUsage(ctx, tx, postgres.Usage{Tasks: 1})
	})
	if err != nil {
		return nil, err
	}
	t.nudge(message.ID)
	return t.getTask(ctx, &getTaskInput{ID: in.ID})
}

// deleteRows deletes the sheets, rows and rejects of a task that has ended. The task itself stays and says so.
func (t *tasks) deleteRows(ctx context.Context, in *TaskInput) (*struct{}, error) {
	_, err := t.actOn(ctx, task.NewID(), actDeleteRows, in.ID, func(ctx context.Context, tx postgres.Tx) error {
		if _, err := lockFileOf(ctx, tx, in.ID); err != nil {
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

// lockFileOf locks the file of a task, which precedes the task in the lock order. It returns ErrNotFound if the file is
// deleted or belongs to another owner.
func lockFileOf(ctx context.Context, tx postgres.Tx, taskID uuid.UUID) (task.SourceFile, error) {
	file, err := tx.TaskFile(ctx, taskID)
	if err != nil {
		return task.SourceFile{}, err
	}
	return tx.LockFile(ctx, callerOf(ctx).Owner, file)
}

// needNoOpenTask returns an error if a locked file already has an open task other than besides.
func needNoOpenTask(ctx context.Context, tx postgres.Tx, file, besides uuid.UUID) error {
	open, err := tx.OtherTaskOpen(ctx, file, besides)
	if err == nil && open {
		return problem.New(problem.AlreadyRunning, "The file has a task that has not ended. Wait for it to end, or cancel it first.")
	}
	return err
}
