package maintenance

import (
	"context"
	"errors"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/task"
)

// forgetAfter is how long the row and the tasks of a deleted file remain, for clients that repeat its upload, and how
// long an owner's usage remains, which must be at least a day.
const forgetAfter = 7 * day

// purge deletes what has reached the end of its retention, in transactions of bounded size.
type purge struct {
	db       *postgres.DB
	settings Settings
}

// oldFiles deletes one file that is past FILE_RETENTION_DAYS, if there is one, as its owner could.
func (p purge) oldFiles(ctx context.Context) (more bool, err error) {
	if p.settings.RetentionDays == 0 {
		return false, nil
	}
	return inTx(ctx, p.db, func(ctx context.Context, tx postgres.Tx) (bool, error) {
		file, err := tx.LockOldFile(ctx, days(p.settings.RetentionDays))
		if errors.Is(err, postgres.ErrNotFound) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		return true, tx.DeleteFile(ctx, file, task.NewID())
	})
}

// sheetsOfDeletedFiles removes the sheets of files that were deleted.
func (p purge) sheetsOfDeletedFiles(ctx context.Context) (more bool, err error) {
	return inTx(ctx, p.db, func(ctx context.Context, tx postgres.Tx) (bool, error) { return tx.PurgeDeletedFiles(ctx) })
}

// deletedFiles removes the tasks and rows of deleted files once no client repeats their upload any more.
func (p purge) deletedFiles(ctx context.Context) (more bool, err error) {
	return inTx(ctx, p.db, func(ctx context.Context, tx postgres.Tx) (bool, error) {
		return tx.RemoveDeletedFiles(ctx, forgetAfter)
	})
}
