package maintenance

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/task"
)

const leaseTimeout = 5 * time.Second // of a statement about the lease

// lease is the right to do maintenance, alone.
type lease struct {
	db     *postgres.DB
	token  uuid.UUID
	length time.Duration
	ranAt  time.Time // when expired leases were last released
	due    bool      // that was a period or more ago
}

// acquire returns nil where another process holds the lease.
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

// run does the steps one after the other and renews the lease before each. A step that fails is left to the next run and keeps no
// other one from its work; without the database or the lease the rest is left to who has it.
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

// renew returns false where the lease was lost.
func (l *lease) renew(ctx context.Context) (held bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, leaseTimeout)
	defer cancel()
	return l.db.RenewReconciler(ctx, l.token, l.length)
}

// release gives the lease back, also where ctx has ended. released notes that this run has released expired leases of tasks.
func (l *lease) release(ctx context.Context, released bool) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), leaseTimeout)
	defer cancel()
	return l.db.ReleaseReconciler(ctx, l.token, released)
}
