package parse

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync/atomic"
	"time"

	"sheetdrop/internal/clock"
	"sheetdrop/internal/fault"
	"sheetdrop/internal/metrics"
	"sheetdrop/internal/postgres"
	"sheetdrop/internal/sheet"
	"sheetdrop/internal/task"
	"sheetdrop/internal/tracing"
)

// Why a run was stopped from outside.
var (
	errLeaseLost = errors.New("the task is in other hands")
	errCancelled = errors.New("somebody asked to cancel the task")
	errTimeOver  = errors.New("the run took too long")
)

// run is one attempt at a task.
type run struct {
	task      postgres.ClaimedTask
	stop      context.CancelCauseFunc
	read      *coverage
	dry       bool        // no rows are to be loaded
	corrects  *correction // of the rejects of a sheet; nil in most runs
	firstHash []byte      // SHA-256 of all bytes, once they have been read, of a file whose hash is not stored yet
	late      bool        // it began with much less than the function's time: a service was unavailable, or other tasks ran first

	textSize                           int64        // size of the text in the file; 0 for a workbook
	consumed                           atomic.Int64 // bytes of the file consumed by the records so far; for a workbook, at most
	rowsRead, rowsLoaded, rowsRejected atomic.Int64
	reading                            atomic.Value // the name of the sheet that is being read, a string

	rejects                map[string]int64 // records by the first reason why they were rejected
	elapsed                func() time.Duration
	parsedAfter, committed time.Duration // how long reading took, and making the rows visible
}

// reached records how far in the text the records have come. Bytes that were only read ahead or unpacked do not count:
// users want to know when the rows will be there. A workbook's parts are in no particular order, so its bytes count as
// they are read.
func (r *run) reached(offset int64) {
	if r.textSize == 0 {
		r.consumed.Store(r.task.SizeBytes)
		return
	}
	r.consumed.Store(int64(float64(r.task.SizeBytes) * (float64(offset) / float64(r.textSize))))
}

// maxSheetName is the longest name that Excel allows a sheet; other programs may write longer ones.
const maxSheetName = 31

// reads records which sheet is being read.
func (r *run) reads(s *sheet.Sheet) {
	name := []rune(s.Name())
	r.reading.Store(string(name[:min(len(name), maxSheetName)]))
}

func (r *run) progress() task.Progress {
	name, _ := r.reading.Load().(string)
	return task.Progress{
		BytesTotal: r.task.SizeBytes, BytesRead: min(r.read.total(), r.consumed.Load()),
		RowsRead: r.rowsRead.Load(), RowsLoaded: r.rowsLoaded.Load(), RowsRejected: r.rowsRejected.Load(),
		Sheet: name,
	}
}

// run loads the claimed task's file under a heartbeat, within limited, and ends the task according to the result.
func (w *Worker) run(ctx, limited context.Context, r *run, log *slog.Logger) (err error) {
	ctx, span := tracing.StartIn(ctx, r.task.TraceContext, "run task", tracing.Internal,
		tracing.Task(r.task.TaskID), tracing.Attempt(r.task.Attempt), tracing.Owner(r.task.Owner))
	limited = span.Around(limited)
	defer func() { span.End(err) }()
	loadCtx, stop := context.WithCancelCause(limited)
	defer stop(nil)
	r.stop = stop
	remove := w.heart.add(r)
	defer remove()
	r.elapsed = clock.Start()
	defer w.settings.Metrics.Began()()

	found := new(result)
	defer found.sheets.close()
	err = w.tryLoad(loadCtx, r, found)
	if err == nil {
		w.recordLoad(r, found)
		span.Set(tracing.Status(task.Completed), tracing.Count("rows.loaded", found.summary.Loaded),
			tracing.Count("rows.rejected", found.summary.Rejected), tracing.Count("file.bytes", r.task.SizeBytes))
		log.InfoContext(ctx, "task completed", "rows_loaded", found.summary.Loaded, "rows_rejected", found.summary.Rejected,
			"bytes", r.task.SizeBytes)
		return nil
	}
	if loadCtx.Err() != nil {
		err = fmt.Errorf("%w: %w", context.Cause(loadCtx), err) // what stopped the run, not its consequence
	}
	return w.end(ctx, r, found, err, log)
}

// recordLoad measures a run that has made its task COMPLETED.
func (w *Worker) recordLoad(r *run, found *result) {
	took := r.elapsed()
	w.settings.Metrics.Ran(metrics.Run{Outcome: "completed", Status: string(task.Completed), Took: took})
	w.settings.Metrics.Loaded(metrics.Load{
		Loaded: found.summary.Loaded, Rejected: found.summary.Rejected, Skipped: found.summary.Skipped, Bytes: r.progress().BytesRead,
		Rejects: r.rejects, Parsed: r.parsedAfter, Committed: r.committed, Since: r.task.Age + took,
	})
}

// tryLoad turns a panic into an error, so that one file cannot take down the process and its other runs. Whatever the
// panic value, the error is internal and not a service's: it wraps nothing.
func (w *Worker) tryLoad(ctx context.Context, r *run, found *result) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fault.Mark(fault.Ours, fmt.Errorf("panic: %v\n%s", p, debug.Stack()))
		}
	}()
	return w.load(ctx, r, found)
}
