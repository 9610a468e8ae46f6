package trigger

import (
	"testing"
	"time"
)

// The delays are 0.1, 0.2, 0.3, 0.5, 0.9 s and so on, each but the first with a spread of a fifth, up to the longest.
func TestIdleQueueIsPolledLessOften(t *testing.T) {
	t.Parallel()
	b := pollBackoff{step: 100 * time.Millisecond, longest: 5 * time.Second}
	for range 3 {
		for n, middle := range []float64{0.1, 0.2, 0.3, 0.5, 0.9, 1.7, 3.3} {
			spread := (middle - 0.1) * 0.2
			if got := b.next().Seconds(); got < middle-spread-1e-6 || got > middle+spread+1e-6 {
				t.Errorf("delay %d: %v, want about %v", n, got, middle)
			}
		}
		for range 100 {
			if got := b.next(); got != 5*time.Second {
				t.Errorf("at the end: %v", got)
			}
		}
		b.reset()
	}
}
