package trigger

import (
	"math"
	"math/rand/v2"
	"time"
)

// pollBackoff spaces the polls of an idle queue by the rule of the storage extension: the first delay is one step, the
// n-th after it is step + step × 2^(n−1) × random(0.8…1.2), and once that has reached the longest it stays there.
// Source: RandomizedExponentialBackoffStrategy of Microsoft.Azure.WebJobs.Extensions.Storage.
type pollBackoff struct {
	step, longest time.Duration
	empty         int // polls without a message since the last reset
}

func (b *pollBackoff) next() time.Duration {
	b.empty++
	delay := b.step
	if b.empty > 1 {
		spread := 0.8 + 0.4*rand.Float64() //nolint:gosec // nothing secret hangs on it
		delay += time.Duration(float64(b.step) * math.Pow(2, float64(min(b.empty-2, 30))) * spread)
	}
	return min(delay, b.longest)
}

func (b *pollBackoff) reset() { b.empty = 0 }
