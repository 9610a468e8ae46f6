package outbox

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"sheetdrop/internal/clock"
	"sheetdrop/internal/postgres"
	"sheetdrop/internal/task"
)

const (
	oldFiles    = 100 // deleted in a run
	purgeSteps  = 20  // transactions of each kind in a run
	forgetAfter = 7 * day
)

// deleteOldFiles deletes files as their owners could, once they are older than the setting.
func (r *Relay) deleteOldFiles(ctx context.Context, _ uuid.UUID) error {
	if r.settings.RetentionDays == 0 {
		return nil
	}
	age := days(r.settings.RetentionDays)
	err := r.repeat(ctx, oldFiles, func(ctx context.Context, tx postgres.Tx) (bool, error) {
		file, err := tx.LockOldFile(ctx, age)
		if errors.Is(err, postgres.ErrNotFound) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		return true, tx.DeleteFile(ctx, file, task.NewID())
	})
	if err != nil {
		return fmt.Errorf("delete old files: %w", err)
	}
	return nil
}

// purgeDeletedFiles takes away the sheets of files that people have deleted.
func (r *Relay) purgeDeletedFiles(ctx context.Context, _ uuid.UUID) error {
	return r.repeat(ctx, purgeSteps, func(ctx context.Context, tx postgres.Tx) (bool, error) { return tx.PurgeDeletedFiles(ctx) })
}

// purgeRows deletes, in pieces, the rows and rejects of sheets that were taken away.
func (r *Relay) purgeRows(ctx context.Context, _ uuid.UUID) error {
	return r.repeat(ctx, purgeSteps, func(ctx context.Context, tx postgres.Tx) (bool, error) { return tx.PurgeRows(ctx) })
}

// forgetDeletedFiles takes away deleted files' tasks and own rows, when nobody repeats their upload any more.
func (r *Relay) forgetDeletedFiles(ctx context.Context, _ uuid.UUID) error {
	return r.repeat(ctx, purgeSteps, func(ctx context.Context, tx postgres.Tx) (bool, error) {
		return tx.ForgetDeletedFiles(ctx, forgetAfter)
	})
}

// forgetRecords takes away what people did, what became of bulk operations, and dead letters, once they are older than the setting.
func (r *Relay) forgetRecords(ctx context.Context, _ uuid.UUID) error {
	if r.settings.RecordDays == 0 {
		return nil
	}
	age := days(r.settings.RecordDays)
	return r.repeat(ctx, purgeSteps, func(ctx context.Context, tx postgres.Tx) (bool, error) { return tx.ForgetRecords(ctx, age) })
}

// forgetUsage takes away what owners used who have had nothing accepted for a week: the counts of a day that is over mean nothing.
func (r *Relay) forgetUsage(ctx context.Context, _ uuid.UUID) error {
	return r.repeat(ctx, purgeSteps, func(ctx context.Context, tx postgres.Tx) (bool, error) { return tx.ForgetUsage(ctx, forgetAfter) })
}

// repeat runs a step, each time in a transaction of its own, until nothing is left for it, limit times, or until its time is used. It may as well run twice: what a
// lost COMMIT has done is not found again.
func (r *Relay) repeat(ctx context.Context, limit int, step func(context.Context, postgres.Tx) (more bool, err error)) error {
	spent := clock.Start()
	for more, n := true, 0; more && n < limit && spent() < stepBudget; n++ {
		err := r.db.InTx(ctx, notCommitted, func(ctx context.Context, tx postgres.Tx) (err error) {
			more, err = step(ctx, tx)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func days(n int) time.Duration { return time.Duration(n) * day }
