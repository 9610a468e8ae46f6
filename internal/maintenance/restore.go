package maintenance

import "context"

// compareEpochs notices that the database was restored to an earlier point in time. Each run first raises the epoch in
// the database and then stores it with the container of blobs, so the container can only be ahead of a database that
// has lost commits. A loss that includes no run is not noticed.
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

// recovering reports whether a recovery is in progress, and logs it in each run: operators must decide what happens to
// the blobs.
func (o orphanBlobs) recovering(ctx context.Context) (bool, error) {
	recovery, err := o.db.Recovery(ctx)
	if err != nil || recovery == nil {
		return false, err
	}
	o.log.ErrorContext(ctx, "the database was restored to an earlier moment, so no orphan blob is deleted", "alert", "database_restored",
		"restored_to", recovery.RestoredTo, "noticed_at", recovery.NoticedAt)
	return true, nil
}
