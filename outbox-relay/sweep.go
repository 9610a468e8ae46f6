package outbox

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"sheetdrop/internal/fault"
)

// sweep deletes blobs that no file has: an upload was broken off, or lost its COMMIT. It goes through the list of names from day to day, some
// in each run, and leaves the last days alone, in which an upload may still be under way: what is older can be committed no more. It does
// nothing unless it knows that the database has not lost the files.
func (r *Relay) sweep(ctx context.Context, token uuid.UUID) error {
	unknown := r.compareEpochs(ctx, token)
	if recovering, err := r.recovering(ctx); err != nil || recovering {
		return err
	}
	if unknown != nil {
		r.log.WarnContext(ctx, "epochs not compared", "error", unknown)
		return nil
	}
	place, err := r.db.TakeSweep(ctx, token, sweepPause)
	if err != nil || place == nil {
		return err
	}
	names, next, err := r.listBlobs(ctx, place.Marker)
	if err != nil && fault.Of(err) == fault.Message { // a marker that the service does not know any more
		return r.db.KeepSweep(ctx, token, "")
	}
	if err != nil {
		r.log.WarnContext(ctx, "blobs not listed", "error", err)
		return nil
	}
	old, young := oldNames(names, place.Now)
	if young {
		next = "" // as is everything behind
	}
	orphans, err := r.db.OrphanBlobs(ctx, old)
	if err != nil {
		return err
	}
	if err := r.deleteOrphans(ctx, orphans); err != nil {
		r.log.WarnContext(ctx, "orphan blobs are left for the next run", "error", err)
		return nil
	}
	return r.db.KeepSweep(ctx, token, next)
}

func (r *Relay) listBlobs(ctx context.Context, marker string) ([]string, string, error) {
	ctx, cancel := context.WithTimeout(ctx, outsidePatience)
	defer cancel()
	return r.blobs.List(ctx, marker, sweepNames)
}

func (r *Relay) deleteOrphans(ctx context.Context, names []string) error {
	ctx, cancel := context.WithTimeout(ctx, outsidePatience)
	defer cancel()
	for _, name := range names {
		err := r.blobs.Delete(ctx, name)
		if ctx.Err() != nil {
			return fmt.Errorf("out of time: %w", ctx.Err())
		}
		if err != nil { // it is found again
			r.log.WarnContext(ctx, "orphan blob not deleted", "blob", name, "error", err)
			continue
		}
		r.log.InfoContext(ctx, "orphan blob deleted", "blob", name)
	}
	return nil
}

// oldNames gives the names in the folders of days that ended over a day ago, and reports whether a later day's was among the others. Names that
// are not in the folder of a day are none of ours.
func oldNames(names []string, now time.Time) (old []string, young bool) {
	for _, name := range names {
		const folder = "2006/01/02"
		if len(name) <= len(folder) || name[len(folder)] != '/' {
			continue
		}
		named, err := time.Parse(folder, name[:len(folder)])
		if err != nil {
			continue
		}
		if now.Sub(named) > 2*day {
			old = append(old, name)
		} else {
			young = true
		}
	}
	return old, young
}
