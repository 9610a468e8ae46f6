package maintenance

import (
	"context"
	"errors"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/task"
)

// forgetAfter is how long a deleted file's row and tasks stay, for who repeats its upload, and what an owner used, at least a day.
const forgetAfter = 7 * day

// purge deletes what is past its time, in transactions of a bounded size.
type purge struct {
	db       *postgres.DB
	settings Settings
}

// oldFiles deletes a file as its owner could, if one is older than the setting.
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

// sheetsOfDeletedFiles removes the sheets of files that people have deleted.
func (p purge) sheetsOfDeletedFiles(ctx context.Context) (more bool, err error) {
	return inTx(ctx, p.db, func(ctx context.Context, tx postgres.Tx) (bool, error) { return tx.PurgeDeletedFiles(ctx) })
}

// deletedFiles removes deleted files' tasks and own rows, when nobody repeats their upload any more.
func (p purge) deletedFiles(ctx context.Context) (more bool, err error) {
	return inTx(ctx, p.db, func(ctx context.Context, tx postgres.Tx) (bool, error) {
		return tx.RemoveDeletedFiles(ctx, forgetAfter)
	})
}
