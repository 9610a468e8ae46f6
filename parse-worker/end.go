package parse

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"time"

	"sheetdrop/internal/azure"
	"sheetdrop/internal/backoff"
	"sheetdrop/internal/fault"
	"sheetdrop/internal/metrics"
	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/targetload"
	"sheetdrop/internal/sheet"
	"sheetdrop/internal/task"
	"sheetdrop/internal/tracing"
)

// outcome is one of the ways in which a run ends that did not complete its task. write returns the state that the task is in
// afterwards, or "" if somebody else holds it.
type outcome struct {
	name    string
	counted bool             // it counts against the task
	code    task.FailureCode // why the task is FAILED, if it is
	write   func(ctx context.Context) (task.Status, error)
}

// end writes the outcome of a run, and keeps trying while the database is unavailable and nobody has taken over. Only
// if that fails until the function's time is nearly up does it return an error, which asks for the message again.
func (w *Worker) end(ctx context.Context, r *run, found *result, cause error, log *slog.Logger) error {
	if errors.Is(cause, errLeaseLost) {
		tracing.Set(ctx, tracing.Outcome("given up"))
		w.settings.Metrics.Ran(metrics.Run{Outcome: "lease lost", Took: r.elapsed()})
		log.WarnContext(ctx, "run given up", "reason", logged(cause))
		return nil
	}
	e := w.outcomeOf(ctx, r, found, cause)
	timeout := w.settings.FunctionTimeout * 15 / 100
	if ctx.Err() != nil {
		timeout = stopTimeout
	}
	writeCtx, cancel := context.WithTimeout(context.WithoutCancel(ctx), timeout)
	defer cancel()
	status, err := e.write(writeCtx)
	w.settings.Metrics.Ran(metrics.Run{Outcome: e.name, Counted: e.counted, Status: string(status), Code: string(e.code), Took: r.elapsed()})
	if err != nil {
		return fmt.Errorf("run of task %s ended by %w, which could not be written down: %w", r.task.TaskID, cause, err)
	}
	tracing.Set(ctx, tracing.Outcome(e.name), tracing.Status(status))
	if status == "" { // whoever took the task over has logged how the run ended
		log.WarnContext(ctx, "run given up", "reason", logged(fmt.Errorf("%w: %w", errLeaseLost, cause)))
		return nil
	}
	log.Log(ctx, e.level(), "run ended", "outcome", e.name, "status", status, "reason", logged(cause))
	return nil
}

// logged is why a run ended, for the log: of an input error its code alone, since its text may quote the file.
func logged(cause error) string {
	if refusal, ok := errors.AsType[*sheet.Refusal](cause); ok {
		return string(refusal.Code)
	}
	return fault.Text(cause)
}

// level is that of the one line with which a run ends.
func (o outcome) level() slog.Level {
	switch o.name {
	case unknownError:
		return slog.LevelError
	case inputError, cancelled:
		return slog.LevelInfo
	}
	return slog.LevelWarn
}

// The outcomes that people have asked for, or that are their file's.
const (
	inputError = "input error"
	cancelled  = "cancelled"
)

// unknownError is the outcome of a run with an error that package fault does not know: it is tried again without limit,
// and needs attention.
const unknownError = "unknown error"

// stopTimeout is how long a worker that is being stopped tries to return its tasks.
const stopTimeout = 5 * time.Second

// outcomeOf decides how the run ends. Exactly input errors end the task, internal errors are counted, and all others are
// not.
func (w *Worker) outcomeOf(ctx context.Context, r *run, found *result, cause error) outcome {
	failed := func(name string, failure task.Failure) outcome {
		return outcome{name, false, failure.Code, func(ctx context.Context) (task.Status, error) { return w.fail(ctx, r, found, failure) }}
	}
	returned := func(name string, e postgres.Outcome) outcome {
		counted := e.Crashes > 0
		return outcome{name, counted, e.Failure.Code, func(ctx context.Context) (task.Status, error) { return w.returnTask(ctx, r, e) }}
	}
	var refusal *sheet.Refusal
	switch {
	case errors.Is(cause, errCancelled):
		return outcome{cancelled, false, "", func(ctx context.Context) (task.Status, error) { return w.cancel(ctx, r) }}
	case errors.Is(cause, errTimeOver) && r.late:
		return returned("timed out, started late", postgres.Outcome{Faults: 1, Reason: task.ReasonTooLittleTime})
	case errors.Is(cause, errTimeOver):
		return returned("timed out", postgres.Outcome{
			Crashes: 1, Failure: tookTooLong(w.settings.FunctionTimeout * 8 / 10), Reason: task.ReasonTookTooLong,
		})
	case ctx.Err() != nil: // the process is being stopped
		return returned("stopped", postgres.Outcome{Faults: 1, Reason: task.ReasonStopped})
	case errors.As(cause, &refusal):
		return failed(inputError, task.Failure{Code: task.FailureCode(refusal.Code), Message: refusal.Message, MessageJA: refusal.MessageJA})
	case errors.Is(cause, errContentChanged), errors.Is(cause, azure.ErrBlobChanged):
		found = new(result) // nothing found in other bytes is stored
		return failed("content changed", contentChanged)
	case errors.Is(cause, azure.ErrBlobNotFound):
		return failed("content missing", contentMissing)
	case errors.Is(cause, postgres.ErrSheetChanged):
		return returned("sheet to correct has changed", postgres.Outcome{Faults: 1, Reason: task.ReasonSheetChanged})
	case errors.Is(cause, errNewer):
		return returned("left to a newer version", postgres.Outcome{Faults: 1, Reason: task.ReasonNewerVersion})
	case errors.Is(cause, postgres.ErrDiskFilled):
		return returned("disk filled", postgres.Outcome{
			Crashes: 1, Failure: databaseFull, Pause: databasePause, Reason: task.ReasonDatabaseFull,
		})
	case fault.IsCounted(cause):
		return returned("internal error", postgres.Outcome{Crashes: 1, Failure: internalError, Reason: task.ReasonInternalError})
	case fault.Of(cause) == fault.Service:
		return returned("transient error", postgres.Outcome{Faults: 1, Reason: awayReason(cause)})
	default:
		return returned(unknownError, postgres.Outcome{Faults: 1, Reason: task.ReasonUnknown})
	}
}

// awayReason tells which service a transient error is of.
func awayReason(cause error) task.Reason {
	if _, ok := errors.AsType[*storageError](cause); ok {
		return task.ReasonStorageAway
	}
	return task.ReasonServiceAway
}

// cancel ends the task as requested.
func (w *Worker) cancel(ctx context.Context, r *run) (task.Status, error) {
	return w.write(ctx, r.task.Claim, func(ctx context.Context, tx postgres.Tx) (task.Status, error) {
		held, err := tx.CancelRun(ctx, r.task.Claim)
		return statusIf(held, task.Cancelled), err
	})
}

// returnTask makes the task PENDING and writes the message for its next run, in one transaction.
func (w *Worker) returnTask(ctx context.Context, r *run, e postgres.Outcome) (task.Status, error) {
	return w.write(ctx, r.task.Claim, func(ctx context.Context, tx postgres.Tx) (task.Status, error) {
		return tx.EndRun(ctx, r.task.Claim, e, postgres.NewParseMessage(task.NewID(), r.task.TaskID))
	})
}

// fail ends the task for good, with its sheets and its first rejects, without rows.
func (w *Worker) fail(ctx context.Context, r *run, found *result, failure task.Failure) (task.Status, error) {
	return w.write(ctx, r.task.Claim, func(ctx context.Context, tx postgres.Tx) (task.Status, error) {
		if err := tx.StoreHash(ctx, r.task.TaskID, r.firstHash); err != nil {
			return "", err
		}
		if found.mapping != nil {
			if _, err := targetload.Freeze(ctx, tx, r.task.Claim, *found.mapping); err != nil {
				return "", err
			}
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

// withoutRows counts no row as loaded, since none is: rows that were read without error count as skipped, as in a dry
// run.
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

// write runs an outcome's transaction until it is committed, found to be committed, or somebody else holds the task.
func (w *Worker) write(
	ctx context.Context, claim postgres.Claim, change func(context.Context, postgres.Tx) (task.Status, error),
) (status task.Status, err error) {
	committed := func(ctx context.Context) (bool, error) {
		holds, err := w.db.Holds(ctx, claim.TaskID, claim.Token)
		return !holds, err
	}
	err = betweenWrites.Retry(ctx, func(err error) bool { return !fault.IsCounted(err) }, func() error {
		return w.db.InTx(ctx, committed, func(ctx context.Context, tx postgres.Tx) (err error) {
			status, err = change(ctx, tx)
			return err
		})
	})
	return status, err
}

// betweenWrites are the pauses of an outcome that cannot be written. They do not grow: the time for it is short.
var betweenWrites = backoff.Policy{First: time.Second, Max: time.Second}
