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

const forgetAfter = 7 * day

// deleteOldFiles deletes files as their owners could, once they are older than the setting.
func (r *Relay) deleteOldFiles(ctx context.Context, _ uuid.UUID) error {
	if r.settings.RetentionDays == 0 {
		return nil
	}
	age := days(r.settings.RetentionDays)
	err := r.repeat(ctx, r.stepBudget(), func(ctx context.Context, tx postgres.Tx) (bool, error) {
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
	return r.repeat(ctx, r.stepBudget(), func(ctx context.Context, tx postgres.Tx) (bool, error) { return tx.PurgeDeletedFiles(ctx) })
}

// purgeRows deletes, in pieces, the rows and rejects of sheets that were taken away, for as long as half a period: whoever uploads and deletes
// in a loop must not fill the database. It comes behind all else, which does not wait for it, and needs no lease: two that run at once take
// different sheets.
func (r *Relay) purgeRows(ctx context.Context) error {
	err := r.repeat(ctx, r.settings.Period/2, func(ctx context.Context, tx postgres.Tx) (bool, error) { return tx.PurgeRows(ctx) })
	if err != nil {
		return fmt.Errorf("purge rows: %w", err)
	}
	return nil
}

// forgetDeletedFiles takes away deleted files' tasks and own rows, when nobody repeats their upload any more.
func (r *Relay) forgetDeletedFiles(ctx context.Context, _ uuid.UUID) error {
	return r.repeat(ctx, r.stepBudget(), func(ctx context.Context, tx postgres.Tx) (bool, error) {
		return tx.ForgetDeletedFiles(ctx, forgetAfter)
	})
}

// forgetRecords takes away what people did, what became of bulk operations, and dead letters, once they are older than the setting.
func (r *Relay) forgetRecords(ctx context.Context, _ uuid.UUID) error {
	if r.settings.RecordDays == 0 {
		return nil
	}
	age := days(r.settings.RecordDays)
	return r.repeat(ctx, r.stepBudget(), func(ctx context.Context, tx postgres.Tx) (bool, error) { return tx.ForgetRecords(ctx, age) })
}

// forgetUsage takes away what owners used who have had nothing accepted for a week: the counts of a day that is over mean nothing.
func (r *Relay) forgetUsage(ctx context.Context, _ uuid.UUID) error {
	return r.repeat(ctx, r.stepBudget(), func(ctx context.Context, tx postgres.Tx) (bool, error) { return tx.ForgetUsage(ctx, forgetAfter) })
}

// repeat runs a step, each time in a transaction of its own, until nothing is left for it, until its budget is used, or until the relay is told to
// stop. It may as well run twice: what a lost COMMIT has done is not found again.
func (r *Relay) repeat(ctx context.Context, budget time.Duration, step func(context.Context, postgres.Tx) (more bool, err error)) error {
	spent := clock.Start()
	for more := true; more; {
		limited, cancel := context.WithTimeout(ctx, stepTimeout) // of each, as one that hangs would never fail by itself
		err := r.db.InTx(limited, notCommitted, func(ctx context.Context, tx postgres.Tx) (err error) {
			more, err = step(ctx, tx)
			return err
		})
		cancel()
		if err != nil || ctx.Err() != nil || spent() >= budget {
			return err
		}
	}
	return nil
}

// stepBudget is the time after which a step begins nothing more in this run.
func (r *Relay) stepBudget() time.Duration { return r.settings.Period / 10 }

func days(n int) time.Duration { return time.Duration(n) * day }
