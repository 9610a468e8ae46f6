package parse

import (
	"context"
	"errors"
	"fmt"

	"sheetdrop/internal/fault"
	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/targetload"
	"sheetdrop/internal/postgres/undo"
	"sheetdrop/internal/sheet"
	"sheetdrop/internal/target"
	"sheetdrop/internal/task"
)

// maxReadings is how often a file is read anew because the database has refused further rows of it.
const maxReadings = 5

var errManyReadings = fault.New(fault.Service, "the target refuses other rows each time")

// apply brings the rows into the target. The records of those that it refuses are read once more, for their bytes, while nothing of the
// target is locked.
func (r *targetRun) apply(ctx context.Context, id int64, load *postgres.Load, counts *task.Counts) (targetload.Result, error) {
	for range maxReadings {
		done, refused, err := r.load.Apply(ctx, r.worker.limits.Rejects)
		if err != nil {
			return done, refusalOf(err)
		}
		if len(refused) == 0 {
			return done, nil
		}
		r.refused.Add(refused)
		if err := r.readRefused(ctx, id, load, counts, refused); err != nil {
			return done, err
		}
	}
	return targetload.Result{}, errManyReadings
}

// refusalOf returns the reason to end the task by which a target refuses a file.
func refusalOf(err error) error {
	if errors.Is(err, targetload.ErrTooMany) {
		return &sheet.Refusal{
			Code: sheet.TooManyRejects, Message: "The target refuses more rows than a file may have rejects.",
			MessageJA: "取り込み先が受け付けない行が多すぎます。",
		}
	}
	if errors.Is(err, undo.ErrSettled) {
		return &sheet.Refusal{
			Code: sheet.Code(target.UndoExpired), Message: "The load to take back is older than loads of this service can be undone.",
			MessageJA: "取り消す取り込みは古いため、もう取り消せません。",
		}
	}
	if errors.Is(err, undo.ErrNewer) {
		return &sheet.Refusal{
			Code: sheet.Code(target.NewerLoad), Message: "A newer file of the series counts. Undo its load first, or upload this file once more.",
			MessageJA: "同じ系列のより新しいファイルが有効です。先にその取り込みを取り消すか、このファイルをもう一度アップロードしてください。",
		}
	}
	if refused, ok := errors.AsType[*targetload.RefusedError](err); ok {
		return &sheet.Refusal{
			Code: sheet.Code(target.Refuses), Message: fmt.Sprintf("The target's table refuses the load as a whole: %s.", refused.What),
			MessageJA: fmt.Sprintf("取り込み先の表がこの取り込みを受け付けません（%s）。", refused.What),
		}
	}
	return err
}

// readRefused writes the rejects of rows that have just been refused. The reading is the first one again, so that the limits of rejects and
// the policy count them where they stand.
func (r *targetRun) readRefused(
	ctx context.Context, id int64, load *postgres.Load, counts *task.Counts, refused []targetload.Refusal,
) error {
	fresh := targetload.Refusals{}
	fresh.Add(refused)
	_, err := r.read(ctx, func(s *sheet.Sheet, rec *sheet.Record) error {
		if _, now := fresh.Of(rec.No); !now || rec.Kind != sheet.Reject || !isRefusal(rec) {
			return nil
		}
		counts.Rejected++
		r.rowsRejected.Add(1)
		return r.refuse(s, rec, id, load)
	}, r.recheck)
	return err
}

// recheck refuses what was refused before, by the cells or by the database.
func (r *targetRun) recheck(_ []sheet.Column, rec *sheet.Record) ([]sheet.Error, error) {
	if refusal, refused := r.refused.Of(rec.No); refused {
		en, ja := refusal.Messages()
		return []sheet.Error{{Code: sheet.Code(refusal.Code), Message: en, MessageJA: ja}}, nil
	}
	return asErrors(r.load.Check(rec.Cells)), nil
}

// isRefusal tells a row that the database has refused from a reject with the same number.
func isRefusal(rec *sheet.Record) bool {
	switch target.Code(rec.Errors[0].Code) {
	case target.DuplicateKey, target.KeyExists, target.Replaced, target.Constraint:
		return true
	}
	return false
}
