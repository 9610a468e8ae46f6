package timing

import (
	"context"
	"time"
)

// Scale multiplies durations.
type Scale float64

// Of returns a duration times the scale.
func (s Scale) Of(d time.Duration) time.Duration { return time.Duration(float64(d) * float64(s)) }

// WholeSeconds rounds up: storage has invisibility and leases in seconds.
func WholeSeconds(d time.Duration) time.Duration {
	return (d + time.Second - 1).Truncate(time.Second)
}

// Seconds returns a duration in seconds, rounded up.
func Seconds(d time.Duration) int32 { return int32(WholeSeconds(d) / time.Second) }

// Sleep waits for d, or until ctx ends.
func Sleep(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}
