package export

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"os"
	"time"

	"github.com/exaring/otelpgx"
	"github.com/jackc/pgx/v5"
	"go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/exporters/stdout/stdouttrace"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
	"go.opentelemetry.io/otel/trace"

	"sheetdrop/internal/tracing"
)

// flushTimeout is how long a delivery, and the end of the process, may wait for spans to be sent. That end comes after
// everything else, and the host waits for no longer than ten seconds.
const flushTimeout = time.Second

// Exporter exports the spans of this process; its zero value exports none.
type Exporter struct {
	provider *sdk.TracerProvider
	failed   *failure // of a Flush
}

// Start begins to export what is started from now on, as the settings say. It connects to nothing.
func Start(ctx context.Context, s Settings) (Exporter, error) {
	if err := s.check(); err != nil || s.off() {
		return Exporter{}, err
	}
	spans, err := s.exporter(ctx)
	if err != nil {
		return Exporter{}, fmt.Errorf("exporter of traces: %w", err)
	}
	sampler, err := s.sampler()
	if err != nil {
		return Exporter{}, err
	}
	about, err := resource.New(ctx, resource.WithTelemetrySDK(), resource.WithAttributes(semconv.ServiceName(cmp.Or(s.Service, tracing.Name))),
		resource.WithService(), resource.WithFromEnv())
	if err != nil {
		return Exporter{}, fmt.Errorf("OTEL_RESOURCE_ATTRIBUTES: %w", err)
	}
	provider := sdk.NewTracerProvider(sdk.WithBatcher(withoutContent{spans}), sdk.WithSampler(sampler), sdk.WithResource(about))
	otel.SetTracerProvider(provider)
	return Exporter{provider, new(failure)}, nil
}

func (s Settings) exporter(ctx context.Context) (sdk.SpanExporter, error) {
	if s.Exporter == "console" {
		return stdouttrace.New(stdouttrace.WithWriter(os.Stdout))
	}
	return otlptracehttp.New(ctx)
}

// Close sends what has not been sent yet, for up to a second, and ends the export.
func (e Exporter) Close() {
	if e.provider == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), flushTimeout)
	defer cancel()
	if err := e.provider.Shutdown(ctx); err != nil {
		otel.Handle(err)
	}
}

// Flush sends what has ended so far, for up to a second. What a delivery has done is then with the collector before the
// delivery is acknowledged, and a process that is killed before that gets it delivered again. A collector that does not take it
// in time is not waited for again for a minute.
func (e Exporter) Flush(ctx context.Context) {
	if e.provider == nil || e.failed.recent() {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), flushTimeout)
	defer cancel()
	if err := e.provider.ForceFlush(ctx); err != nil {
		e.failed.note()
		otel.Handle(err)
	}
}

// Requests returns a handler that has a span for each request to next.
func (e Exporter) Requests(next http.Handler) http.Handler {
	if e.provider == nil {
		return tracing.Received(next)
	}
	type nameKey struct{}
	spans := otelhttp.NewHandler(next, "", otelhttp.WithTracerProvider(e.provider), otelhttp.WithPropagators(tracing.Propagator),
		otelhttp.WithSpanNameFormatter(func(_ string, r *http.Request) string { return r.Context().Value(nameKey{}).(func() string)() }))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, name := tracing.WithRoute(r.Context())
		spans.ServeHTTP(w, r.WithContext(context.WithValue(ctx, nameKey{}, name)))
	})
}

// Statements returns what has a span for each statement of the database that belongs to one; nil where nothing is exported.
func (e Exporter) Statements() pgx.QueryTracer {
	if e.provider == nil {
		return nil
	}
	return otelpgx.NewTracer(otelpgx.WithTracerProvider(e.provider), otelpgx.WithDisableConnectionDetailsInAttributes(),
		otelpgx.WithDisableSQLStatementInAttributes(), otelpgx.WithDisableAcquireTracer(), otelpgx.WithSpanNameCtxFunc(nameOfStatement))
}

// Calls returns a transport that has a span for each call of blobs and queue that belongs to one: the storage's client has none
// of its own. The services get no traceparent.
func (e Exporter) Calls(next http.RoundTripper) http.RoundTripper {
	if e.provider == nil {
		return next
	}
	return otelhttp.NewTransport(next, otelhttp.WithTracerProvider(e.provider),
		otelhttp.WithPropagators(propagation.NewCompositeTextMapPropagator()),
		otelhttp.WithFilter(func(r *http.Request) bool { return trace.SpanFromContext(r.Context()).IsRecording() }),
		otelhttp.WithSpanNameFormatter(func(_ string, r *http.Request) string { return nameOfCall(r) }))
}
