//go:build crashpoints

package crashpoint

import (
	"os"
	"strings"
	"time"
)

// shifted names a file with the duration by which the clock is wrong, such as -1h, if it is there. A test changes it
// while the program runs.
var shifted = os.Getenv("SHEETDROP_CLOCK_SHIFT")

// ClockError returns that duration, and 0 without one.
func ClockError() time.Duration {
	text, err := os.ReadFile(shifted)
	if err != nil {
		return 0
	}
	d, err := time.ParseDuration(strings.TrimSpace(string(text)))
	if err != nil {
		return 0 // it is being written at this moment
	}
	return d
}
