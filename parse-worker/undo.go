package parse

import (
	"context"
	"errors"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/undo"
	"sheetdrop/internal/sheet"
	"sheetdrop/internal/target"
	"sheetdrop/internal/task"
)

// undo takes a load of a target back, in one transaction with the end of the task. The file is not read. Where it is to be deleted with its
// loads, the next step of that is in the transaction, too.
func (w *Worker) undo(ctx context.Context, r *run, request target.Request, found *result) error {
	load, err := w.db.BeginLoad(ctx, r.task.Claim)
	if err != nil {
		return err
	}
	defer load.Rollback(ctx)
	done, err := undo.TakeBack(ctx, load, request.ID, request.Undo)
	if err != nil {
		return refusalOfUndo(err, request)
	}
	found.summary.Undo = &task.UndoSummary{
		Name: request.Name, Load: request.Undo, Removed: done.Removed, Restored: done.Restored, Kept: done.Kept, KeptKeys: done.KeptKeys,
		Returned: done.Returned, Corrections: done.Corrections,
	}
	if request.DeleteFile {
		if err := r.deleteFile(ctx, load, found.summary.Undo); err != nil {
			return load.Explain(err)
		}
	}
	return r.complete(ctx, load, found)
}

// refusalOfUndo returns the reason to end the task for which a load cannot be taken back.
func refusalOfUndo(err error, request target.Request) error {
	if errors.Is(err, undo.ErrNoLoad) {
		err = &sheet.Refusal{
			Code: sheet.Code(target.Dropped), Message: "The target, or its load, is no longer there.",
			MessageJA: "取り込み先、またはその取り込みはもうありません。",
		}
	}
	err = refusalOf(err)
	if refusal, ok := errors.AsType[*sheet.Refusal](err); ok && request.DeleteFile {
		return &sheet.Refusal{
			Code: refusal.Code, Message: refusal.Message + " The file was not deleted.",
			MessageJA: refusal.MessageJA + "ファイルは削除されていません。",
		}
	}
	return err
}

// deleteFile goes on with the deletion of the file, which somebody may have finished meanwhile.
func (r *run) deleteFile(ctx context.Context, load *postgres.Load, summary *task.UndoSummary) error {
	next := task.NewID()
	added, err := undo.DeleteWithLoads(ctx, load.Tx(), r.task.FileID, next, task.NewID(), r.task.Owner)
	if errors.Is(err, postgres.ErrNotFound) {
		added, err = false, nil
	}
	if added {
		summary.Next = &next
	}
	summary.FileDeleted = !added
	return err
}
