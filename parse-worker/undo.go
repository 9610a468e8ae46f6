package parse

import (
	"context"
	"errors"

	"sheetdrop/internal/postgres/undo"
	"sheetdrop/internal/sheet"
	"sheetdrop/internal/target"
	"sheetdrop/internal/task"
)

// undo takes a load of a target back, in one transaction with the end of the task. The file is not read.
func (w *Worker) undo(ctx context.Context, r *run, request target.Request, found *result) error {
	load, err := w.db.BeginLoad(ctx, r.task.Claim)
	if err != nil {
		return err
	}
	defer load.Rollback(ctx)
	done, err := undo.TakeBack(ctx, load, request.ID, request.Undo)
	if errors.Is(err, undo.ErrNoLoad) {
		return &sheet.Refusal{
			Code: sheet.Code(target.Dropped), Message: "The target, or its load, is no longer there.",
			MessageJA: "取り込み先、またはその取り込みはもうありません。",
		}
	}
	if err != nil {
		return refusalOf(err)
	}
	found.summary.Undo = &task.UndoSummary{
		Name: request.Name, Load: request.Undo, Removed: done.Removed, Restored: done.Restored, Kept: done.Kept, KeptKeys: done.KeptKeys,
		Returned: done.Returned,
	}
	return r.complete(ctx, load, found)
}
