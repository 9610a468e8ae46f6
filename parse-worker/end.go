package parse

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"time"

	"sheetdrop/internal/azure"
	"sheetdrop/internal/fault"
	"sheetdrop/internal/postgres"
	"sheetdrop/internal/sheet"
	"sheetdrop/internal/task"
)

// ending is one of the ways in which a run can end that did not complete its task. write gives the state that the task is in then, or ""
// where somebody else holds it.
type ending struct {
	name  string
	write func(ctx context.Context) (task.Status, error)
}

// end brings the task to its end, or gives it back, and keeps trying while the database is away and nobody has taken over. Only when
// that fails until the function's time is nearly up does it ask for the message again.
func (w *Worker) end(ctx context.Context, r *run, found *result, cause error, log *slog.Logger) error {
	if errors.Is(cause, errLeaseLost) {
		log.WarnContext(ctx, "run given up", "reason", cause)
		return nil
	}
	e := w.ending(ctx, r, found, cause)
	patience := w.settings.FunctionTimeout * 15 / 100
	if ctx.Err() != nil {
		patience = stopPatience
	}
	writeCtx, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer cancel()
	status, err := e.write(writeCtx)
	if err != nil {
		return fmt.Errorf("run of task %s ended by %w, which could not be written down: %w", r.task.TaskID, cause, err)
	}
	level := slog.LevelWarn
	if e.name == unknownFault && status != "" {
		level = slog.LevelError
	}
	log.Log(ctx, level, "run ended", "ending", e.name, "status", status, "reason", cause)
	return nil
}

// unknownFault is the ending by an error that package fault does not know: it is tried again without limit, and has to be looked at.
const unknownFault = "unknown fault"

// stopPatience is how long a worker that is being stopped tries to give its tasks back.
const stopPatience = 5 * time.Second

// ending sorts out whose fault it was. Exactly the files' faults end the task, ours are counted, all others are not.
func (w *Worker) ending(ctx context.Context, r *run, found *result, cause error) ending {
	failed := func(name string, failure task.Failure) ending {
		return ending{name, func(ctx context.Context) (task.Status, error) { return w.fail(ctx, r, found, failure) }}
	}
	givenBack := func(name string, e postgres.Ending) ending {
		return ending{name, func(ctx context.Context) (task.Status, error) { return w.giveBack(ctx, r, e) }}
	}
	var refusal *sheet.Refusal
	switch {
	case errors.Is(cause, errCancelled):
		return ending{"cancelled", func(ctx context.Context) (task.Status, error) { return w.cancel(ctx, r) }}
	case errors.Is(cause, errTimeOver) && r.late:
		return givenBack("time, begun late", postgres.Ending{Faults: 1})
	case errors.Is(cause, errTimeOver):
		return givenBack("time", postgres.Ending{Crashes: 1, Failure: tookTooLong(w.settings.FunctionTimeout * 8 / 10)})
	case ctx.Err() != nil: // the process is being stopped
		return givenBack("stopped", postgres.Ending{Faults: 1})
	case errors.As(cause, &refusal):
		return failed("file fault", task.Failure{Code: task.FailureCode(refusal.Code), Message: refusal.Message, MessageJA: refusal.MessageJA})
	case errors.Is(cause, errContentChanged), errors.Is(cause, azure.ErrBlobChanged):
		found = new(result) // nothing that other bytes say is kept
		return failed("content changed", contentChanged)
	case errors.Is(cause, azure.ErrBlobNotFound):
		return failed("content missing", contentMissing)
	case errors.Is(cause, errNewer):
		return givenBack("left to a newer program", postgres.Ending{Faults: 1})
	case errors.Is(cause, postgres.ErrDiskFilled):
		return givenBack("disk filled", postgres.Ending{Crashes: 1, Failure: databaseFull, Pause: databasePause})
	case fault.IsCounted(cause):
		return givenBack("our fault", postgres.Ending{Crashes: 1, Failure: internalError})
	case fault.Of(cause) == fault.Service:
		return givenBack("service fault", postgres.Ending{Faults: 1})
	default:
		return givenBack(unknownFault, postgres.Ending{Faults: 1})
	}
}

// cancel ends the task as somebody has asked.
func (w *Worker) cancel(ctx context.Context, r *run) (task.Status, error) {
	return w.write(ctx, r.task.Claim, func(ctx context.Context, tx postgres.Tx) (task.Status, error) {
		held, err := tx.CancelRun(ctx, r.task.Claim)
		return statusIf(held, task.Cancelled), err
	})
}

// giveBack makes the task PENDING and leaves the message for its next run, in one transaction.
func (w *Worker) giveBack(ctx context.Context, r *run, e postgres.Ending) (task.Status, error) {
	return w.write(ctx, r.task.Claim, func(ctx context.Context, tx postgres.Tx) (task.Status, error) {
		return tx.EndRun(ctx, r.task.Claim, e, postgres.NewParseMessage(task.NewID(), r.task.TaskID))
	})
}

// fail ends the task for good, with its sheets, without rows, and its first rejects.
func (w *Worker) fail(ctx context.Context, r *run, found *result, failure task.Failure) (task.Status, error) {
	return w.write(ctx, r.task.Claim, func(ctx context.Context, tx postgres.Tx) (task.Status, error) {
		if err := tx.StoreHash(ctx, r.task.TaskID, r.firstHash); err != nil {
			return "", err
		}
		held, err := tx.FailTask(ctx, r.task.Claim, failure)
		if err != nil || !held {
			return "", err
		}
		if err := tx.InsertSheets(ctx, r.task.TaskID, withoutRows(found.sheets.all())); err != nil {
			return "", err
		}
		return task.Failed, tx.InsertRejects(ctx, found.kept)
	})
}

// withoutRows counts no row as loaded, since none is: those that were read and found good count as skipped, as in a dry run.
func withoutRows(sheets iter.Seq2[postgres.Sheet, error]) iter.Seq2[postgres.Sheet, error] {
	return func(yield func(postgres.Sheet, error) bool) {
		for s, err := range sheets {
			s.Counts.Skipped += s.Counts.Loaded
			s.Counts.Valid += s.Counts.Loaded
			s.Counts.Loaded = 0
			if !yield(s, err) {
				return
			}
		}
	}
}

func statusIf(held bool, status task.Status) task.Status {
	if held {
		return status
	}
	return ""
}

// write runs an ending's transaction until it is written, found to be written, or somebody else holds the task.
func (w *Worker) write(
	ctx context.Context, claim postgres.Claim, change func(context.Context, postgres.Tx) (task.Status, error),
) (status task.Status, err error) {
	committed := func(ctx context.Context) (bool, error) {
		holds, err := w.db.Holds(ctx, claim.TaskID, claim.Token)
		return !holds, err
	}
	for {
		err = w.db.InTx(ctx, committed, func(ctx context.Context, tx postgres.Tx) (err error) {
			status, err = change(ctx, tx)
			return err
		})
		if err == nil || fault.IsCounted(err) {
			return status, err
		}
		select {
		case <-ctx.Done():
			return "", err
		case <-time.After(time.Second):
		}
	}
}
