package maintenance

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/google/uuid"

	"sheetdrop/internal/azure"
	"sheetdrop/internal/fault"
	"sheetdrop/internal/postgres"
)

const (
	sweepNames = 1000      // read in a run
	sweepPause = time.Hour // between the end of the list of blobs and its next beginning
)

// orphanBlobs deletes blobs that no file and no direct upload has: an upload was broken off, maybe in the middle of its blocks, or lost its COMMIT.
type orphanBlobs struct {
	db    *postgres.DB
	blobs *azure.Blobs
	log   *slog.Logger
	check *restoreCheck
	token uuid.UUID // of the run's lease
}

// sweep goes through the list of names from day to day, some in each run, and leaves the last days alone, in which an upload may still
// be under way: what is older can be committed no more. It does nothing unless it knows that the database has not lost the files.
func (o orphanBlobs) sweep(ctx context.Context) (more bool, err error) {
	if passes, err := o.check.passes(ctx); err != nil || !passes {
		return false, err
	}
	place, err := o.db.TakeSweep(ctx, o.token, sweepPause)
	if err != nil || place == nil {
		return false, err
	}
	return false, o.sweepPage(ctx, *place)
}

func (o orphanBlobs) sweepPage(ctx context.Context, place postgres.Sweep) error {
	names, next, err := o.list(ctx, place.Marker)
	if err != nil && fault.Of(err) == fault.Message { // a marker that the service does not know any more
		return o.db.StoreSweep(ctx, o.token, "")
	}
	if err != nil {
		o.log.WarnContext(ctx, "blobs not listed", "error", err)
		return nil
	}
	old, young := oldNames(names, place.Now)
	if young {
		next = "" // as is everything behind
	}
	orphans, err := o.db.OrphanBlobs(ctx, old)
	if err != nil {
		return err
	}
	if err := o.delete(ctx, orphans); err != nil {
		o.log.WarnContext(ctx, "orphan blobs are left for the next run", "error", err)
		return nil
	}
	return o.db.StoreSweep(ctx, o.token, next)
}

func (o orphanBlobs) list(ctx context.Context, marker string) (names []string, next string, err error) {
	ctx, cancel := context.WithTimeout(ctx, storageTimeout)
	defer cancel()
	return o.blobs.List(ctx, marker, sweepNames)
}

func (o orphanBlobs) delete(ctx context.Context, names []string) error {
	ctx, cancel := context.WithTimeout(ctx, storageTimeout)
	defer cancel()
	for _, name := range names {
		err := o.blobs.Discard(ctx, name)
		if ctx.Err() != nil {
			return fmt.Errorf("out of time: %w", ctx.Err())
		}
		if err != nil { // it is found again
			o.log.WarnContext(ctx, "orphan blob not deleted", "blob", name, "error", err)
			continue
		}
		o.log.InfoContext(ctx, "orphan blob deleted", "blob", name)
	}
	return nil
}

// oldNames returns the names in the folders of days that ended over a day ago, and reports whether a later day's was among the others.
// Names that are not in the folder of a day are none of ours.
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
