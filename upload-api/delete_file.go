package upload

import (
	"context"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/task"
)

// deleteFile marks the file as deleted, cancels its tasks and leaves the message that deletes its bytes, in one transaction.
func (h *Handler) deleteFile(ctx context.Context, in *FileInput) (*struct{}, error) {
	message := task.NewID()
	_, err := h.actOn(ctx, task.NewID(), actDeleteFile, in.ID, func(ctx context.Context, tx postgres.Tx) error {
		file, err := tx.LockFile(ctx, callerOf(ctx).Owner, in.ID)
		if err != nil {
			return err
		}
		return tx.DeleteFile(ctx, file, message)
	})
	if err != nil {
		return nil, err
	}
	h.nudge(message)
	return nil, nil
}
