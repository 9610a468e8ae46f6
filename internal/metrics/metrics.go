// Package metrics counts and measures what the functions do, for Prometheus and for OTLP. Unless a setting says that somebody gets it,
// there is no Recorder: a nil one takes all that it is told, and does nothing.
//
// Names follow OpenTelemetry's semantic conventions where they have one, and are sheetdrop.* otherwise; docs/metrics.md lists them. Labels
// have words of the program alone: no name of a file or a person, no cell, no path, and none of them more than a bounded number of values.
package metrics

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	registry "github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"go.opentelemetry.io/contrib/instrumentation/runtime"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetrichttp"
	"go.opentelemetry.io/otel/exporters/prometheus"
	sdk "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/exemplar"
	"go.opentelemetry.io/otel/sdk/resource"

	"sheetdrop/internal/task"
)

// Recorder keeps the metrics of this process. It is safe for concurrent use, and a nil Recorder records nothing.
type Recorder struct {
	provider *sdk.MeterProvider
	page     http.Handler // what Prometheus reads; nil: nothing
	instruments
	figures
}

// Open returns a recorder, or nil where nobody wants metrics. Nothing is connected to yet.
func Open(ctx context.Context, s Settings) (*Recorder, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	var (
		readers []sdk.Reader
		page    http.Handler
	)
	if s.scraped() {
		reader, handler, err := scraping()
		if err != nil {
			return nil, err
		}
		readers, page = append(readers, reader), handler
	}
	if s.pushes() {
		exporter, err := otlpmetrichttp.New(ctx)
		if err != nil {
			return nil, fmt.Errorf("metrics by OTLP: %w", err)
		}
		readers = append(readers, sdk.NewPeriodicReader(exporter))
	}
	if len(readers) == 0 {
		return nil, nil
	}
	r, err := newRecorder(ctx, readers...)
	if err != nil {
		return nil, err
	}
	r.page = page
	return r, nil
}

// scraping returns what reads the metrics when Prometheus asks for them, from a registry of its own: what other libraries put into
// the common one is not ours.
func scraping() (sdk.Reader, http.Handler, error) {
	own := registry.NewRegistry()
	reader, err := prometheus.New(prometheus.WithRegisterer(own), prometheus.WithoutScopeInfo())
	if err != nil {
		return nil, nil, fmt.Errorf("metrics for Prometheus: %w", err)
	}
	return reader, promhttp.HandlerFor(own, promhttp.HandlerOpts{}), nil
}

// mostSeries is how many combinations of labels one metric may have; what comes beyond is counted together.
const mostSeries = 2000

func newRecorder(ctx context.Context, readers ...sdk.Reader) (*Recorder, error) {
	about, err := resource.New(ctx, resource.WithAttributes(
		attribute.String("service.name", "sheetdrop"), attribute.String("service.instance.id", task.NewID().String()),
	), resource.WithTelemetrySDK(), resource.WithFromEnv()) // and not what the SDK would find out about the process: its arguments, its user
	if err != nil {
		return nil, fmt.Errorf("OTEL_RESOURCE_ATTRIBUTES: %w", err)
	}
	options := []sdk.Option{sdk.WithResource(about), sdk.WithCardinalityLimit(mostSeries), sdk.WithExemplarFilter(exemplar.AlwaysOffFilter)}
	for _, reader := range readers {
		options = append(options, sdk.WithReader(reader))
	}
	r := &Recorder{provider: sdk.NewMeterProvider(options...)}
	meter := r.provider.Meter("sheetdrop")
	if r.instruments, err = newInstruments(meter); err == nil {
		err = r.figures.observe(meter)
	}
	if err == nil {
		err = runtime.Start(runtime.WithMeterProvider(r.provider))
	}
	if err != nil {
		return nil, fmt.Errorf("metrics: %w", err)
	}
	return r, nil
}

// Page is what Prometheus reads; nil where it reads nothing.
func (r *Recorder) Page() http.Handler {
	if r == nil {
		return nil
	}
	return r.page
}

// stopTime is how long the last push may take: the host waits for a handler that stops, but not for long.
const stopTime = time.Second

// Close pushes what has not been pushed, and ends the recorder.
func (r *Recorder) Close(ctx context.Context) error {
	if r == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTime)
	defer cancel()
	if err := r.provider.Shutdown(ctx); err != nil && !errors.Is(err, sdk.ErrReaderShutdown) {
		return fmt.Errorf("the last metrics: %w", err)
	}
	return nil
}
