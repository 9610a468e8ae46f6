package worker

import (
	"testing"
	"time"
)

// Only the third of errors that each come within half an hour of the one before is too many.
func TestThirdFailureInARowIsOneTooMany(t *testing.T) {
	t.Parallel()
	var f failureWindow
	now := time.Now()
	for n, step := range []struct {
		after time.Duration
		many  bool
	}{
		{0, false}, {29 * time.Minute, false}, {31 * time.Minute, false}, {30 * time.Minute, false}, {30 * time.Minute, true},
	} {
		now = now.Add(step.after)
		if got := f.add(now, restartWindow); got != step.many {
			t.Errorf("error %d: %v", n+1, got)
		}
	}
}
