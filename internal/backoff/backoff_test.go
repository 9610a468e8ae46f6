package backoff_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"sheetdrop/internal/backoff"
)

// Pauses double up to the limit, however many there are, and no two waiters keep in step.
func TestPausesDoubleUpToTheLimitAtRandom(t *testing.T) {
	t.Parallel()
	p := backoff.Policy{First: time.Second, Max: 5 * time.Minute}
	for n, average := range map[int]time.Duration{1: time.Second, 2: 2 * time.Second, 5: 16 * time.Second, 9: 256 * time.Second, 10: p.Max, 1_000_000: p.Max} {
		seen := map[time.Duration]bool{}
		for range 100 {
			d := p.Delay(n)
			if d < average/2 || d > average*3/2 {
				t.Errorf("pause %d: %s, want %s to %s", n, d, average/2, average*3/2)
			}
			seen[d] = true
		}
		if len(seen) < 50 {
			t.Errorf("pause %d: %d different ones of 100", n, len(seen))
		}
	}
	if d := p.Delay(0); d != 0 {
		t.Errorf("%s without a failure", d)
	}
	if d := backoff.Jitter(0); d != 0 {
		t.Errorf("%s of no pause", d)
	}
}

// An outage is waited out, with pauses between the tries.
func TestRetryUntilItSucceeds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		tries, ended := 0, false
		over := time.AfterFunc(time.Minute, func() { ended = true })
		defer over.Stop()
		err := backoff.Policy{First: time.Second, Max: 15 * time.Second}.Retry(t.Context(), backoff.Always, func() error {
			tries++
			if !ended {
				return errors.New("away")
			}
			return nil
		})
		if err != nil || tries < 5 || tries > 11 {
			t.Errorf("%v after %d tries in a minute, want success after 5 to 11", err, tries)
		}
	})
}

// The caller hears what failed last, not that its time was over.
func TestRetryReturnsTheLastError(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		away, refused := errors.New("away"), errors.New("refused")
		policy := backoff.Policy{First: time.Second, Max: time.Second}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if err := policy.Retry(ctx, backoff.Always, func() error { return away }); !errors.Is(err, away) || ctx.Err() == nil {
			t.Errorf("%v, want %v once the time is over", err, away)
		}
		tries := 0
		transient := func(err error) bool { return errors.Is(err, away) }
		if err := policy.Retry(t.Context(), transient, func() error { tries++; return refused }); !errors.Is(err, refused) || tries != 1 {
			t.Errorf("%v after %d tries, want %v after one", err, tries, refused)
		}
	})
}

// Whoever waits ends with its caller, and says why.
func TestWaitEndsWithItsCaller(t *testing.T) {
	t.Parallel()
	stopped := errors.New("stopped")
	ctx, stop := context.WithCancelCause(t.Context())
	stop(stopped)
	if err := (backoff.Policy{First: time.Hour, Max: time.Hour}).Wait(ctx, 1); !errors.Is(err, stopped) {
		t.Errorf("%v, want %v", err, stopped)
	}
}
