package maintenance

import (
	"context"
	"log/slog"

	"github.com/google/uuid"

	"sheetdrop/internal/azure"
	"sheetdrop/internal/postgres"
)

// restoreCheck tells, once in a run, whether the database knows all files that the blob store has: if not, no blob is deleted for want of one.
type restoreCheck struct {
	db    *postgres.DB
	blobs *azure.Blobs
	log   *slog.Logger
	token uuid.UUID // of the run's lease

	asked, passed bool
}

// passes is false while a recovery is under way, and where the epochs could not be compared.
func (c *restoreCheck) passes(ctx context.Context) (bool, error) {
	if c.asked {
		return c.passed, nil
	}
	unknown := c.compareEpochs(ctx)
	recovering, err := c.recovering(ctx)
	if err != nil {
		return false, err
	}
	if unknown != nil {
		c.log.WarnContext(ctx, "epochs not compared", "error", unknown)
	}
	c.asked, c.passed = true, !recovering && unknown == nil
	return c.passed, nil
}

// compareEpochs notices that the database was restored to an earlier moment. Each run raises the epoch in the database first and then
// stores it with the container of blobs, so the container can be ahead only of a database that has lost commits. What it has lost
// without a run between is not noticed.
func (c *restoreCheck) compareEpochs(ctx context.Context) error {
	seen, err := c.readEpoch(ctx)
	if err != nil {
		return err
	}
	epoch, err := c.db.RaiseEpoch(ctx, c.token, seen)
	if err != nil || epoch == 0 {
		return err
	}
	return c.storeEpoch(ctx, epoch)
}

func (c *restoreCheck) readEpoch(ctx context.Context) (int64, error) {
	ctx, cancel := context.WithTimeout(ctx, storageTimeout)
	defer cancel()
	return c.blobs.Epoch(ctx)
}

func (c *restoreCheck) storeEpoch(ctx context.Context, epoch int64) error {
	ctx, cancel := context.WithTimeout(ctx, storageTimeout)
	defer cancel()
	return c.blobs.SetEpoch(ctx, epoch)
}

// recovering reports whether a recovery is under way, and logs it in each run: operators must decide what becomes of the blobs.
func (c *restoreCheck) recovering(ctx context.Context) (bool, error) {
	recovery, err := c.db.Recovery(ctx)
	if err != nil || recovery == nil {
		return false, err
	}
	c.log.ErrorContext(ctx, "the database was restored to an earlier moment, so no orphan blob is deleted", "alert", "database_restored",
		"restored_to", recovery.RestoredTo, "noticed_at", recovery.NoticedAt)
	return true, nil
}
