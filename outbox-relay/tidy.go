package outbox

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
)

const (
	stepTimeout     = 10 * time.Second // of each step: one that hangs would never fail by itself
	outsidePatience = 5 * time.Second  // with the queue or the blob store, in one step
	poisonBatches   = 10               // of 32 messages, in a run
	sweepNames      = 1000             // looked at in a run
	sweepPause      = time.Hour        // between the end of the list of blobs and its next beginning
	day             = 24 * time.Hour
)

// tidy enqueues what was forgotten and takes away what nobody needs any more, as much of it as one run may cost. A step that fails is left
// to the next run and keeps no other one from its work; without the database or the lease nothing is left to do.
func (r *Relay) tidy(ctx context.Context, token uuid.UUID) error {
	held, err := r.keep(ctx, token)
	if err != nil || !held {
		return err
	}
	err = r.enqueueForgotten(ctx)
	for _, step := range []func(context.Context, uuid.UUID) error{
		r.keepPoison,
		r.deleteOldFiles, r.purgeDeletedFiles, r.forgetDeletedFiles, r.forgetRecords, r.forgetUsage,
		r.sweep, r.truncateHistory,
	} {
		held, keepErr := r.keep(ctx, token)
		if keepErr != nil || !held {
			return errors.Join(err, keepErr)
		}
		err = errors.Join(err, r.within(ctx, func(ctx context.Context) error { return step(ctx, token) }))
	}
	return err
}

// truncateHistory empties the days of the history that are past their time. A day that somebody reads is left to the next run.
func (r *Relay) truncateHistory(ctx context.Context, _ uuid.UUID) error {
	slots, err := r.db.ExpiredHistory(ctx, r.settings.HistoryDays)
	if err != nil {
		return err
	}
	for _, slot := range slots {
		emptied, err := r.db.TruncateHistory(ctx, slot)
		if err != nil {
			return err
		}
		r.log.InfoContext(ctx, "old history", "day_slot", slot, "emptied", emptied)
	}
	return nil
}
