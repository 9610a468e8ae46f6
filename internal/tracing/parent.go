package tracing

import (
	"context"
	"net/http"

	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
)

// header is the name of the header, and of the field of a message, that has a traceparent: W3C Trace Context, level 1. Its
// tracestate, which is for others, is not kept.
const header = "traceparent"

// Propagator reads and writes traceparents.
var Propagator propagation.TextMapPropagator = propagation.TraceContext{}

// Parent returns the traceparent of the span in ctx, "" where there is none.
func Parent(ctx context.Context) string {
	if !trace.SpanContextFromContext(ctx).IsValid() {
		return ""
	}
	carrier := propagation.MapCarrier{}
	Propagator.Inject(ctx, carrier)
	return carrier[header]
}

// decode returns what a traceparent says; it is not valid where the text is none.
func decode(parent string) trace.SpanContext {
	if parent == "" {
		return trace.SpanContext{}
	}
	return trace.SpanContextFromContext(Propagator.Extract(context.Background(), propagation.MapCarrier{header: parent}))
}

// Received puts the trace of the caller, whom a request comes from, into the request's context.
func Received(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get(header) != "" {
			r = r.WithContext(Propagator.Extract(r.Context(), propagation.HeaderCarrier(r.Header)))
		}
		next.ServeHTTP(w, r)
	})
}
