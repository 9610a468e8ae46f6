package direct

import (
	"context"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/task"
	"sheetdrop/upload-api/internal/problem"
)

// findSame returns the file with the bytes that an upload promises, nil if there is none; with refuse it is a problem.
func findSame(ctx context.Context, tx postgres.Tx, up postgres.DirectUpload, refuse bool) (*task.SameFile, error) {
	if up.SHA256 == (task.Hash{}) {
		return nil, nil
	}
	found, err := tx.Duplicate(ctx, up.Owner, []task.Hash{up.SHA256}, up.ID)
	switch {
	case err != nil || found == nil:
		return nil, err
	case refuse:
		return nil, problem.OfDuplicate(found.Of)
	}
	return &found.Of, nil
}

// refuseDuplicate refuses to complete an upload that refuses duplicates if its bytes have become a file since it began. Others that ask
// the same wait until the transaction ends, so one of several is completed.
func refuseDuplicate(ctx context.Context, tx postgres.Tx, up postgres.DirectUpload) error {
	if !up.RefuseDuplicates {
		return nil
	}
	if err := tx.LockContents(ctx, up.Owner, []task.Hash{up.SHA256}); err != nil {
		return err
	}
	_, err := findSame(ctx, tx, up, true)
	return err
}
