package maintenance

import (
	"context"
	"fmt"
	"time"

	"sheetdrop/internal/clock"
	"sheetdrop/internal/postgres"
)

const (
	stepTimeout    = 10 * time.Second // of one call of a step: one that hangs would never fail by itself
	storageTimeout = 5 * time.Second  // of the calls to the queue or the blob store in one step
	once           = 0                // the budget of a step that does its work in one call
)

// step is a job, or part of one.
type step struct {
	name   string        // appears in each of its errors
	budget time.Duration // after which it is not called again in this run
	run    func(ctx context.Context) (more bool, err error)
}

// do calls the step at least once, until nothing is left to do, it fails, its budget is used up, or ctx ends. Each call
// has its own timeout, so that a step that hangs, because somebody holds a row that it needs, does not prevent the
// others.
func (s step) do(ctx context.Context) error {
	spent := clock.Start()
	more, err := s.call(ctx)
	for err == nil && more && ctx.Err() == nil && spent() < s.budget {
		more, err = s.call(ctx)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", s.name, err)
	}
	return nil
}

func (s step) call(ctx context.Context) (more bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, stepTimeout)
	defer cancel()
	return s.run(ctx)
}

// inTx runs fn in a transaction that is idempotent: what a lost COMMIT has done is not found again.
func inTx(ctx context.Context, db *postgres.DB, fn func(context.Context, postgres.Tx) (more bool, err error)) (more bool, err error) {
	err = db.InTx(ctx, nil, func(ctx context.Context, tx postgres.Tx) (err error) {
		more, err = fn(ctx, tx)
		return err
	})
	return more, err
}
