package parse

import (
	"context"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/targetload"
	"sheetdrop/internal/postgres/undo"
	"sheetdrop/internal/task"
)

// findEarlier finds the loads whose place this one takes: those of its series, and what the same sheet of the file has loaded before.
// Corrections take the place of none: they join the load whose rejects they are.
func (r *targetRun) findEarlier(ctx context.Context, load *postgres.Load, sheetNumber int) (err error) {
	if r.correction != nil {
		return nil
	}
	t := r.plan.Target
	r.earlier, err = undo.FindEarlier(ctx, load, undo.Place{
		Target: t.ID, Series: r.request.Series, File: r.task.FileID, Sheet: sheetNumber, KeepsSameFile: r.request.KeepEarlier,
	}, t.SchemaName, t.TableName, t.Definition)
	if err == nil && r.earlier != nil {
		r.load.TakeBack = func(ctx context.Context) error { return r.earlier.TakeBack(ctx, load.SQL()) }
	}
	return refusalOf(err)
}

// recordLoad writes down what the load has done, and what it has taken the place of.
func (r *targetRun) recordLoad(
	ctx context.Context, load *postgres.Load, found *result, sheetNumber int, done targetload.Result, rejected int64,
) error {
	if e := r.earlier; e != nil {
		found.summary.Target.Replaced = &task.ReplacedSummary{
			Loads: e.Loads, Removed: e.Counts.Removed, Restored: e.Counts.Restored, Kept: e.Counts.Kept,
		}
		if !r.dry {
			if err := e.Record(ctx, load, r.plan.LoadID); err != nil {
				return err
			}
		}
	}
	return r.load.Record(ctx, r.task.Owner, r.request, sheetNumber, done, rejected)
}
