// Package await lets tests wait for conditions. How long they wait is limited only by go test's own -timeout, so that a
// slow or busy machine fails no test.
package await

import (
	"context"
	"testing"
	"time"
)

// reserve is the part of the test binary's time that is left to report what was waited for, and to clean up.
const reserve = 15 * time.Second

// Deadline returns a channel that is closed when go test is about to end the test binary; with -timeout 0, never.
func Deadline(t testing.TB) <-chan struct{} {
	limited, ok := t.(interface{ Deadline() (time.Time, bool) })
	if !ok { // a benchmark
		return nil
	}
	at, ok := limited.Deadline()
	if !ok {
		return nil
	}
	ctx, cancel := context.WithDeadline(context.Background(), at.Add(-reserve))
	t.Cleanup(cancel)
	return ctx.Done()
}

// Until waits for a condition, and fails the test with a description of it if it is not met before the deadline.
func Until(t testing.TB, what string, condition func() bool) {
	t.Helper()
	Value(t, what, condition, func(isTrue bool) bool { return isTrue })
}

// Value waits until a value fulfills a condition, and returns it. Otherwise the test fails with a description of the
// condition and the last value.
func Value[T any](t testing.TB, what string, get func() T, fulfilled func(T) bool) T {
	t.Helper()
	deadline, tick := Deadline(t), time.NewTicker(10*time.Millisecond)
	defer tick.Stop()
	for {
		value := get()
		if fulfilled(value) {
			return value
		}
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatalf("never came true: %s; the last value was %v", what, value)
		}
	}
}
