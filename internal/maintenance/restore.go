package maintenance

import "context"

// compareEpochs notices that the database was restored to an earlier moment. Each run raises the epoch in the database first and then
// stores it with the container of blobs, so the container can be ahead only of a database that has lost commits. What it has lost
// without a run between is not noticed.
func (o orphanBlobs) compareEpochs(ctx context.Context) error {
	seen, err := o.readEpoch(ctx)
	if err != nil {
		return err
	}
	epoch, err := o.db.RaiseEpoch(ctx, o.token, seen)
	if err != nil || epoch == 0 {
		return err
	}
	return o.storeEpoch(ctx, epoch)
}

func (o orphanBlobs) readEpoch(ctx context.Context) (int64, error) {
	ctx, cancel := context.WithTimeout(ctx, storageTimeout)
	defer cancel()
	return o.blobs.Epoch(ctx)
}

func (o orphanBlobs) storeEpoch(ctx context.Context, epoch int64) error {
	ctx, cancel := context.WithTimeout(ctx, storageTimeout)
	defer cancel()
	return o.blobs.SetEpoch(ctx, epoch)
}

// recovering reports whether a recovery is under way, and logs it in each run: operators must decide what becomes of the blobs.
func (o orphanBlobs) recovering(ctx context.Context) (bool, error) {
	recovery, err := o.db.Recovery(ctx)
	if err != nil || recovery == nil {
		return false, err
	}
	o.log.ErrorContext(ctx, "the database was restored to an earlier moment, so no orphan blob is deleted", "alert", "database_restored",
		"restored_to", recovery.RestoredTo, "noticed_at", recovery.NoticedAt)
	return true, nil
}
