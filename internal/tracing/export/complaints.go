package export

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"sheetdrop/internal/clock"
)

// complainEvery is how often the log says that traces cannot be exported, while they cannot.
const complainEvery = time.Minute

// complaints logs errors of the export, one a minute at most: a collector that is away would fill the log.
type complaints struct {
	log   *slog.Logger
	mu    sync.Mutex
	since func() time.Duration // the last line; nil before the first one
}

func newComplaints(log *slog.Logger) *complaints { return &complaints{log: log} }

// Handle implements otel.ErrorHandler. The text may have the collector's address, and what it has answered, but no header of the request.
func (c *complaints) Handle(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.since != nil && c.since() < complainEvery {
		return
	}
	c.since = clock.Start()
	c.log.WarnContext(context.Background(), "traces not exported", "error", err.Error())
}
