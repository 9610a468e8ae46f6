package upload

import (
	"context"

	"sheetdrop/internal/postgres"
)

// deleteFile marks the file as deleted, cancels its tasks and leaves the message that deletes its bytes, in one transaction.
func (h *Handler) deleteFile(ctx context.Context, in *FileInput) (*struct{}, error) {
	ids, err := newIDs(1)
	if err != nil {
		return nil, err
	}
	err = h.actOn(ctx, actDeleteFile, in.ID, func(ctx context.Context, tx postgres.Tx) error {
		file, err := tx.LockFile(ctx, callerOf(ctx).Owner, in.ID)
		if err != nil {
			return err
		}
		return tx.DeleteFile(ctx, file, ids[0])
	})
	if err != nil {
		return nil, err
	}
	h.nudge(ids...)
	return nil, nil
}
