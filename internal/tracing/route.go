package tracing

import (
	"context"

	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
	"go.opentelemetry.io/otel/trace"
)

type routeKey struct{}

// WithRoute returns a context in which Route can be called, and what returns the name that the span of the request is then to have.
func WithRoute(ctx context.Context) (context.Context, func() string) {
	name := new("HTTP")
	return context.WithValue(ctx, routeKey{}, name), func() string { return *name }
}

// Route says which operation serves the request. Its path is a pattern: what is in a request's own path is not for a trace.
func Route(ctx context.Context, method, pattern string) {
	if name, ok := ctx.Value(routeKey{}).(*string); ok {
		*name = method + " " + pattern
		span := trace.SpanFromContext(ctx)
		span.SetName(*name)
		span.SetAttributes(semconv.HTTPRoute(pattern))
	}
}
