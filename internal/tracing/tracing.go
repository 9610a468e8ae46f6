// Package tracing starts the spans of sheetdrop and carries their trace from the request through the outbox and the queue to
// the run of a task. It knows the API of OpenTelemetry alone: where nothing is exported, its spans cost next to nothing, and
// pass a caller's trace on all the same. What is exported, and where to, is decided by package export.
package tracing

import (
	"context"
	"errors"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"
)

// Name is the instrumentation scope of the spans that are sheetdrop's own, and what their attributes begin with.
const Name = "sheetdrop"

// Span is a span that has been started. It must be ended.
type Span struct{ span trace.Span }

// Kind says which side of a call or of a message a span is.
type Kind = trace.SpanKind

// The kinds.
const (
	Internal = trace.SpanKindInternal
	Client   = trace.SpanKindClient
	Producer = trace.SpanKindProducer
	Consumer = trace.SpanKindConsumer
)

// Attribute is what a span says. Values are ids, numbers and words of sheetdrop: never what a customer has written.
type Attribute = attribute.KeyValue

// Start starts a span below the one in ctx.
func Start(ctx context.Context, name string, kind Kind, attributes ...Attribute) (context.Context, Span) {
	ctx, span := otel.Tracer(Name).Start(ctx, name, trace.WithSpanKind(kind), trace.WithAttributes(attributes...))
	return ctx, Span{span}
}

// StartIn starts a span of the trace of parent, a traceparent; "" leaves it to ctx. If ctx is in that trace already, it is below
// the span in ctx. Otherwise it is below parent, with a link to the span in ctx: what called is a trace of its own.
func StartIn(ctx context.Context, parent, name string, kind Kind, attributes ...Attribute) (context.Context, Span) {
	caller, remote := trace.SpanContextFromContext(ctx), decode(parent)
	if !remote.IsValid() || remote.TraceID() == caller.TraceID() {
		return Start(ctx, name, kind, attributes...)
	}
	options := []trace.SpanStartOption{trace.WithSpanKind(kind), trace.WithAttributes(attributes...)}
	if caller.IsValid() {
		options = append(options, trace.WithLinks(trace.Link{SpanContext: caller}))
	}
	ctx, span := otel.Tracer(Name).Start(trace.ContextWithRemoteSpanContext(ctx, remote), name, options...)
	return ctx, Span{span}
}

// Around returns ctx with the span in it, for a context that was derived before the span was started.
func (s Span) Around(ctx context.Context) context.Context { return trace.ContextWithSpan(ctx, s.span) }

// Set adds attributes.
func (s Span) Set(attributes ...Attribute) { s.span.SetAttributes(attributes...) }

// End ends the span. An error makes it a failed one; its text stays here, for it may quote what a customer has written.
func (s Span) End(err error) {
	if err != nil && !errors.Is(err, context.Canceled) {
		s.span.SetStatus(codes.Error, "")
	}
	s.span.End()
}

// Set adds attributes to the span in ctx.
func Set(ctx context.Context, attributes ...Attribute) {
	trace.SpanFromContext(ctx).SetAttributes(attributes...)
}

// LinkTo links the span in ctx to another trace: to that of the earlier run of a task that is run again, say. "" is none.
func LinkTo(ctx context.Context, parents ...string) {
	span := trace.SpanFromContext(ctx)
	for _, parent := range parents {
		if earlier := decode(parent); earlier.IsValid() && earlier.TraceID() != span.SpanContext().TraceID() {
			span.AddLink(trace.Link{SpanContext: earlier})
		}
	}
}
