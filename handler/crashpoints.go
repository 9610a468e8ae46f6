//go:build crashpoints

package main

import (
	"sheetdrop/internal/crashpoint"
	"sheetdrop/internal/task"
)

// With the build tag crashpoints, tests can stop the handler right before or after each of its effects, and make its
// clock wrong.
func init() {
	task.ClockError = crashpoint.ClockError
	instrument = func(s *settings) {
		s.Database.Configure = crashpoint.Database
		s.Storage.Transport = crashpoint.Storage
	}
}
