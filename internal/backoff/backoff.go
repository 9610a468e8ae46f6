// Package backoff spaces the tries of what fails: each pause is twice as long as the one before it, up to a limit, and random, so that
// many that failed together do not come back together.
package backoff

import (
	"context"
	"math/rand/v2"
	"time"
)

// Policy says how long the pauses are, on average. It is safe for concurrent use.
type Policy struct {
	First time.Duration // after the first failure; each further one doubles it
	Max   time.Duration
}

// Delay returns the pause after the n-th failure in a row, with jitter; 0 for n < 1.
func (p Policy) Delay(n int) time.Duration {
	if n < 1 {
		return 0
	}
	const maxDoublings = 20 // far from an overflow
	return Jitter(min(p.First<<min(n-1, maxDoublings), p.Max))
}

// Jitter returns a random time from d/2 to 3d/2; 0 of 0.
func Jitter(d time.Duration) time.Duration {
	if d == 0 {
		return 0
	}
	return d/2 + rand.N(d) //nolint:gosec // jitter, no secret
}

// Wait waits for Delay(n). Where ctx ends before that, it returns the cause.
func (p Policy) Wait(ctx context.Context, n int) error {
	timer := time.NewTimer(p.Delay(n))
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-timer.C:
		return nil
	}
}

// Retry calls step until it succeeds, until it fails with an error that is not transient, or until ctx ends, and returns step's last error.
// step must be idempotent.
func (p Policy) Retry(ctx context.Context, transient func(error) bool, step func() error) error {
	for n := 1; ; n++ {
		err := step()
		if err == nil || !transient(err) || p.Wait(ctx, n) != nil {
			return err
		}
	}
}

// Always is for Retry where every error is transient.
func Always(error) bool { return true }
