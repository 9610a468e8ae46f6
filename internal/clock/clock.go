// Package clock reads the machine's clock, and is the only place of the program that does. The time of day comes from
// the database alone (P7); this package measures durations and sets deadlines, which a change of the clock does not
// affect.
package clock

import "time"

// Start starts a measurement and returns a function that returns the time elapsed since.
func Start() (elapsed func() time.Duration) {
	start := time.Now()
	return func() time.Duration { return time.Since(start) }
}

// In returns the time d from now, for deadlines of connections.
func In(d time.Duration) time.Time { return time.Now().Add(d) }
