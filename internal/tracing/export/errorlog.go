package export

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"go.opentelemetry.io/otel"

	"sheetdrop/internal/clock"
)

// pause is how long a failure of the collector is recent: the log says so once in this time, and nothing waits for the collector.
const pause = time.Minute

// failure is the last one of its kind. It is safe for concurrent use.
type failure struct {
	mu    sync.Mutex
	since func() time.Duration // nil before the first one
}

func (f *failure) recent() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.since != nil && f.since() < pause
}

func (f *failure) note() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.since = clock.Start()
}

// LogErrors has errors of the export logged, of traces as of metrics, one a minute at most: a collector that is away would fill the log.
func LogErrors(log *slog.Logger) { otel.SetErrorHandler(&errorLog{log: log}) }

// errorLog is the handler of errors that OpenTelemetry has nobody to return to.
type errorLog struct {
	log  *slog.Logger
	last failure
}

// Handle implements otel.ErrorHandler. The text may have the collector's address, and what it has answered, but no header of the request.
func (l *errorLog) Handle(err error) {
	if l.last.recent() {
		return
	}
	l.last.note()
	l.log.WarnContext(context.Background(), "telemetry not exported", "error", err.Error())
}
