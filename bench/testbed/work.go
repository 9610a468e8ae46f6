package testbed

import (
	"context"
	"fmt"
	"time"

	"golang.org/x/sync/errgroup"

	"sheetdrop/bench/compare"
	"sheetdrop/internal/clock"
)

// Start starts a measurement and returns a function that returns the time elapsed since.
func Start() (elapsed func() time.Duration) { return clock.Start() }

// Each does n pieces of work, atOnce at a time, and returns how long each took, in milliseconds, and all together.
func Each(
	ctx context.Context, n, atOnce int, work func(ctx context.Context, i int) error,
) (took []float64, total time.Duration, err error) {
	took = make([]float64, n)
	workers, ctx := errgroup.WithContext(ctx)
	workers.SetLimit(atOnce)
	elapsed := clock.Start()
	for i := range n {
		if ctx.Err() != nil {
			break
		}
		workers.Go(func() error {
			elapsed := clock.Start()
			err := work(ctx, i)
			took[i] = Milliseconds(elapsed())
			return err
		})
	}
	err = workers.Wait()
	return took, elapsed(), err
}

// Milliseconds is a duration as the comparisons measure it.
func Milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// Quantiles are the figures of a distribution of milliseconds.
func Quantiles(took []float64) compare.Figures {
	return compare.Figures{"p50": compare.Quantile(took, 0.5), "p99": compare.Quantile(took, 0.99)}
}

// QuantileMeasures are the measures that Quantiles has.
var QuantileMeasures = []compare.Measure{{Name: "p50", Unit: "ms"}, {Name: "p99", Unit: "ms"}}

// Await asks a condition again and again, with a pause between.
func Await(ctx context.Context, pause time.Duration, condition func() (bool, error)) error {
	for {
		if done, err := condition(); done || err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
	}
}

// AwaitCount waits until a query for a number returns want, and fails once it returns more.
func (a *App) AwaitCount(ctx context.Context, want int, sql string, args ...any) error {
	return Await(ctx, 10*time.Millisecond, func() (bool, error) {
		var n int
		if err := a.SQL.QueryRow(ctx, sql, args...).Scan(&n); err != nil {
			return false, err
		}
		if n > want {
			return false, fmt.Errorf("%d, which is more than %d: %s", n, want, sql)
		}
		return n == want, nil
	})
}
