package upload

import (
	"context"
	"encoding/json"
	"errors"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/task"
)

// deleteFile marks the file as deleted, cancels its tasks and leaves the message that deletes its bytes, in one transaction.
func (h *Handler) deleteFile(ctx context.Context, in *FileInput) (*struct{}, error) {
	ids, err := newIDs(1)
	if err != nil {
		return nil, err
	}
	owner, tried := callerOf(ctx).Owner, false
	committed := func(ctx context.Context) (bool, error) { return h.db.FileDeleted(ctx, in.ID) }
	err = h.db.InTx(ctx, committed, func(ctx context.Context, tx postgres.Tx) error {
		file, err := tx.LockFile(ctx, owner, in.ID)
		if errors.Is(err, postgres.ErrNotFound) && tried {
			return nil // the COMMIT of the first try took effect after all
		}
		if err != nil {
			return err
		}
		tried = true
		payload, err := json.Marshal(task.BlobDeletePayload{BlobName: file.BlobName})
		if err != nil {
			return err
		}
		return tx.DeleteFile(ctx, file, postgres.OutboxMessage{ID: ids[0], EventType: task.BlobDelete, Payload: payload})
	})
	if err != nil {
		return nil, err
	}
	h.nudge(ids...)
	return nil, nil
}
