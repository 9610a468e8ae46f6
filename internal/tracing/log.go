package tracing

import (
	"context"
	"log/slog"

	"go.opentelemetry.io/otel/trace"
)

// Log returns a handler that adds the trace of the context that a record is logged with: trace_id, also where nothing is exported but a
// caller has sent one; and span_id, of a span of this process.
func Log(next slog.Handler) slog.Handler { return traceLog{next} }

type traceLog struct{ slog.Handler }

func (h traceLog) Handle(ctx context.Context, r slog.Record) error {
	if span := trace.SpanContextFromContext(ctx); span.IsValid() {
		r = r.Clone() // the caller may still use its record
		r.AddAttrs(slog.String("trace_id", span.TraceID().String()))
		if !span.IsRemote() {
			r.AddAttrs(slog.String("span_id", span.SpanID().String()))
		}
	}
	return h.Handler.Handle(ctx, r)
}

func (h traceLog) WithAttrs(attrs []slog.Attr) slog.Handler {
	return traceLog{h.Handler.WithAttrs(attrs)}
}

func (h traceLog) WithGroup(name string) slog.Handler { return traceLog{h.Handler.WithGroup(name)} }
