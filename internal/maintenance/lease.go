package maintenance

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/task"
)

const leaseTimeout = 5 * time.Second // of one statement about the lease

// lease is the exclusive right to do maintenance.
type lease struct {
	db     *postgres.DB
	token  uuid.UUID
	length time.Duration
	ranAt  time.Time // when expired task leases were last reclaimed
	due    bool      // that was at least a period ago
}

// acquire returns nil if another process holds the lease.
func acquire(ctx context.Context, db *postgres.DB, s Settings) (*lease, error) {
	ctx, cancel := context.WithTimeout(ctx, leaseTimeout)
	defer cancel()
	token := task.NewID()
	// The timer is never exact; a run that comes a little early must count as the next one.
	taken, err := db.TakeReconciler(ctx, token, s.Lease, s.Period*8/10)
	if err != nil || taken == nil {
		return nil, err
	}
	return &lease{db, token, s.Lease, taken.RanAt, taken.Due}, nil
}

// run executes the steps in order and renews the lease before each. A step that fails is left to the next run and does
// not prevent the others; without the database or the lease, the remaining steps are left to the process that holds it.
func (l *lease) run(ctx context.Context, steps []step) error {
	var errs error
	for _, s := range steps {
		held, err := l.renew(ctx)
		if err != nil || !held {
			return errors.Join(errs, err)
		}
		errs = errors.Join(errs, s.do(ctx))
	}
	return errs
}

// renew returns false if the lease was lost.
func (l *lease) renew(ctx context.Context) (held bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, leaseTimeout)
	defer cancel()
	return l.db.RenewReconciler(ctx, l.token, l.length)
}

// release releases the lease, even if ctx has ended. released records that this run has reclaimed the expired leases of
// tasks.
func (l *lease) release(ctx context.Context, released bool) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), leaseTimeout)
	defer cancel()
	return l.db.ReleaseReconciler(ctx, l.token, released)
}
