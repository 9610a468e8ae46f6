package outbox

import (
	"context"

	"github.com/google/uuid"
)

// compareEpochs notices that the database was restored to an earlier moment. Each run raises the epoch in the database first and keeps it
// with the container of blobs then, so the container can be ahead only of a database that has lost commits. What it has lost without a run
// between is not noticed.
func (r *Relay) compareEpochs(ctx context.Context, token uuid.UUID) error {
	seen, err := r.seenEpoch(ctx)
	if err != nil {
		return err
	}
	epoch, err := r.db.RaiseEpoch(ctx, token, seen)
	if err != nil || epoch == 0 {
		return err
	}
	return r.keepEpoch(ctx, epoch)
}

func (r *Relay) seenEpoch(ctx context.Context) (int64, error) {
	ctx, cancel := context.WithTimeout(ctx, outsidePatience)
	defer cancel()
	return r.blobs.Epoch(ctx)
}

func (r *Relay) keepEpoch(ctx context.Context, epoch int64) error {
	ctx, cancel := context.WithTimeout(ctx, outsidePatience)
	defer cancel()
	return r.blobs.SetEpoch(ctx, epoch)
}

// recovering reports whether a recovery is under way, and says so in each run: operators must decide what becomes of the blobs.
func (r *Relay) recovering(ctx context.Context) (bool, error) {
	recovery, err := r.db.Recovery(ctx)
	if err != nil || recovery == nil {
		return false, err
	}
	r.log.ErrorContext(ctx, "the database was restored to an earlier moment, so no orphan blob is deleted", "alert", "database_restored",
		"restored_to", recovery.RestoredTo, "noticed_at", recovery.NoticedAt)
	return true, nil
}
