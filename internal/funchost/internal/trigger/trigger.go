// Package trigger brings the handler the calls other than HTTP: messages of storage queues and ticks of timers, in JSON envelopes.
package trigger

import (
	"context"
	"log/slog"
	"net/http"

	"sheetdrop/internal/funchost/internal/app"
	"sheetdrop/internal/funchost/internal/timing"
)

// Listener brings the calls of one function.
type Listener interface {
	// Run takes new work while l.Listening lasts and returns when the calls under way have ended; those end early with l.Calls.
	Run(l Life)
}

// Life is one life of the host, from its start to its end, as its listeners see it.
type Life struct {
	Listening context.Context // done when the listeners stop: nothing more is received
	Calls     context.Context // done when running calls are cut off
	Invoke    func(function string, body Envelope) error
	Crash     func(error) // ends the host as an unhandled exception does
}

// Host is what the listeners of all lives have in common.
type Host struct {
	ID       string // of this app in its storage account
	Options  app.Options
	Settings app.Settings
	Scale    timing.Scale
	Log      *slog.Logger
	Storage  *http.Client
	Faults   Faults
}

// Faults makes the queue trigger do what a real one does only when something breaks.
type Faults struct {
	// DeliverTimes above 1 invokes each received message that many times at once. The message is settled when all
	// of them have ended, as a success only if all succeeded.
	DeliverTimes int
	// LoseDelete is asked after each success; true leaves the message in the queue, to come again after its lease.
	LoseDelete func() bool
}
