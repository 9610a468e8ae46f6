package receive

import (
	"context"
	"sync/atomic"
	"time"

	"sheetdrop/internal/clock"
	"sheetdrop/internal/postgres"
)

// maxReadingAge is how long a reading of the database's clock counts as recent.
const maxReadingAge = 10 * time.Second

// recentNow remembers the database's clock as it was last read. It is safe for concurrent use.
type recentNow struct{ last atomic.Pointer[reading] }

type reading struct {
	now time.Time
	age func() time.Duration
}

// now is what the database's clock said within the last ten seconds, which saves nearly all uploads a round trip. It is for what may look
// older than it is.
func (r *recentNow) now(ctx context.Context, db *postgres.DB) (time.Time, error) {
	if last := r.last.Load(); last != nil && last.age() < maxReadingAge {
		return last.now, nil
	}
	age := clock.Start()
	now, err := db.Now(ctx)
	if err == nil {
		r.last.Store(&reading{now, age})
	}
	return now, err
}
