// Package clock is the machine's clock, and the only place of the program that reads it. What time it is, only the database says (P7): here
// is how long something takes, and by when it must have happened, which no step of the clock changes.
package clock

import "time"

// Start begins to measure, and returns what tells how long ago that was.
func Start() (elapsed func() time.Duration) {
	start := time.Now()
	return func() time.Duration { return time.Since(start) }
}

// In is the moment that comes after d, for deadlines of connections.
func In(d time.Duration) time.Time { return time.Now().Add(d) }
