package outbox

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/task"
)

const (
	outsidePatience = 5 * time.Second // with the queue or the blob store, in one step
	poisonBatches   = 10              // of 32 messages, in a run
	sweepNames      = 1000            // looked at in a run
	sweepPause      = time.Hour       // between the end of the list of blobs and its next beginning
	oldFiles        = 100             // deleted in a run
	purgeSteps      = 20              // transactions of each kind in a run
	forgetAfter     = 7 * 24 * time.Hour
	day             = 24 * time.Hour
)

// tidy takes away what nobody needs any more, as much of it as one run may cost. A step that fails is left to the next run and keeps no
// other one from its work; only an error of the database is returned.
func (r *Relay) tidy(ctx context.Context, token uuid.UUID) error {
	for _, step := range []func(context.Context, uuid.UUID) error{
		r.keepPoison, r.deleteOld, r.purge, r.sweep, r.truncateHistory,
	} {
		if held, err := r.keep(ctx, token); err != nil || !held {
			return err
		}
		if err := step(ctx, token); err != nil {
			return err
		}
	}
	return nil
}

// deleteOld deletes files as their owners could, once they are older than the setting.
func (r *Relay) deleteOld(ctx context.Context, _ uuid.UUID) error {
	if r.settings.RetentionDays == 0 {
		return nil
	}
	age := time.Duration(r.settings.RetentionDays) * day
	for range oldFiles {
		id := task.NewID()
		done, err := r.inTx(ctx, func(ctx context.Context, tx postgres.Tx) (bool, error) {
			file, err := tx.LockOldFile(ctx, age)
			if errors.Is(err, postgres.ErrNotFound) {
				return false, nil
			}
			if err != nil {
				return false, err
			}
			return true, tx.DeleteFile(ctx, file, id)
		})
		if err != nil {
			return fmt.Errorf("delete old files: %w", err)
		}
		if !done {
			return nil
		}
	}
	return nil
}

// purge deletes, in pieces, what was in files and tasks that people have deleted, and in the end the files' own rows.
func (r *Relay) purge(ctx context.Context, _ uuid.UUID) error {
	for _, step := range []func(context.Context, postgres.Tx) (more bool, err error){
		func(ctx context.Context, tx postgres.Tx) (bool, error) { return tx.PurgeDeletedFiles(ctx) },
		func(ctx context.Context, tx postgres.Tx) (bool, error) { return tx.PurgeRows(ctx) },
		func(ctx context.Context, tx postgres.Tx) (bool, error) {
			return tx.ForgetDeletedFiles(ctx, forgetAfter)
		},
	} {
		for more, n := true, 0; more && n < purgeSteps; n++ {
			var err error
			if more, err = r.inTx(ctx, step); err != nil {
				return fmt.Errorf("purge: %w", err)
			}
		}
	}
	return nil
}

// inTx runs a step that may as well run twice: what a lost COMMIT has done is not found again.
func (r *Relay) inTx(ctx context.Context, step func(context.Context, postgres.Tx) (bool, error)) (more bool, err error) {
	err = r.db.InTx(ctx, notCommitted, func(ctx context.Context, tx postgres.Tx) (err error) {
		more, err = step(ctx, tx)
		return err
	})
	return more, err
}

// truncateHistory empties the days of the history that are past their time. A day that somebody reads is left to the next run.
func (r *Relay) truncateHistory(ctx context.Context, _ uuid.UUID) error {
	slots, err := r.db.ExpiredHistory(ctx, r.settings.HistoryDays)
	if err != nil {
		return err
	}
	for _, slot := range slots {
		emptied, err := r.db.TruncateHistory(ctx, slot)
		if err != nil {
			return err
		}
		r.log.InfoContext(ctx, "old history", "day_slot", slot, "emptied", emptied)
	}
	return nil
}
