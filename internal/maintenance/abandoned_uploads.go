package maintenance

import (
	"context"
	"log/slog"
	"time"

	"github.com/google/uuid"

	"sheetdrop/internal/azure"
	"sheetdrop/internal/postgres"
)

const (
	removeUploads = 100             // in one call
	lateWrites    = 5 * time.Minute // how long after the end of its address a write may come, and clocks may differ
	lateCompleted = day             // how long after a restore that was not noticed an operator may begin a recovery
)

// abandonedUploads removes direct uploads that were aborted or have expired, with what is stored of them, once nobody can write it any
// more.
type abandonedUploads struct {
	db    *postgres.DB
	blobs *azure.Blobs
	log   *slog.Logger
	check *restoreCheck
	token uuid.UUID // of the run's lease
}

// remove deletes each blob first, with the blocks that were never committed, and then the rows of those that are gone.
func (a abandonedUploads) remove(ctx context.Context) (more bool, err error) {
	if passes, err := a.check.passes(ctx); err != nil || !passes {
		return false, err
	}
	var found []postgres.AbandonedUpload
	if _, err = inTx(ctx, a.db, func(ctx context.Context, tx postgres.Tx) (_ bool, err error) {
		found, err = tx.AbandonedUploads(ctx, a.token, lateCompleted, lateWrites, removeUploads)
		return false, err
	}); err != nil {
		return false, err
	}
	gone := a.discard(ctx, found)
	if len(gone) == 0 {
		return false, nil
	}
	return len(gone) == removeUploads, a.db.RemoveAbandonedUploads(ctx, gone)
}

// discard returns the uploads whose blobs are gone; the others are found again.
func (a abandonedUploads) discard(ctx context.Context, found []postgres.AbandonedUpload) (gone []uuid.UUID) {
	ctx, cancel := context.WithTimeout(ctx, storageTimeout)
	defer cancel()
	for _, u := range found {
		err := a.blobs.Discard(ctx, u.BlobName)
		if ctx.Err() != nil {
			return gone
		}
		if err != nil {
			a.log.WarnContext(ctx, "abandoned upload is left for the next run", "upload_id", u.ID, "error", err)
			continue
		}
		a.log.InfoContext(ctx, "abandoned upload removed", "upload_id", u.ID)
		gone = append(gone, u.ID)
	}
	return gone
}
