package export

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"sheetdrop/internal/azure"
	"sheetdrop/internal/devstack/devtest"
	"sheetdrop/internal/devstack/otlptest"
	"sheetdrop/internal/postgres/database"
	"sheetdrop/internal/postgres/pgtest"
	"sheetdrop/internal/tracing"
)

const mark = "nobody-else-may-see-this"

// exporting exports to a collector of the test's own until end is called.
func exporting(t *testing.T) (e Exporter, collector *otlptest.Receiver, end func()) {
	t.Helper()
	collector = otlptest.Start(t)
	for name, value := range collector.Settings() {
		t.Setenv(name, value)
	}
	before := otel.GetTracerProvider()
	t.Cleanup(func() { otel.SetTracerProvider(before) })
	e, err := Start(t.Context(), Settings{Exporter: "otlp"})
	if err != nil {
		t.Fatal(err)
	}
	return e, collector, e.Close
}

// Nothing that a customer has written, and no secret, leaves in a span, whichever library has put it there: not the value of a
// statement or the error that quotes it, not the query of an address, not a header, not the text of an error.
func TestNothingPrivateLeaves(t *testing.T) {
	e, collector, end := exporting(t)
	ctx, span := tracing.Start(t.Context(), "work", tracing.Internal)
	own := trace.SpanFromContext(ctx)
	own.SetAttributes(attribute.String("url.full", mark), attribute.String("sheetdrop.task.status", "COMPLETED"))
	own.RecordError(errors.New(mark))
	own.SetStatus(codes.Error, mark)

	pool, err := database.Open(database.Settings{URL: pgtest.New(t).URL, MaxConns: 1, Tracer: e.Statements()})
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	for _, sql := range []string{
		`select $1::text::int`, `select '` + mark + `' || $1`,
		`select from data.` + strings.ReplaceAll(mark, "-", "_") + ` where $1 = ''`,
	} {
		_, _ = pool.Exec(ctx, sql, mark)
	}
	_, err = pool.Exec(ctx, `select '`+mark+`'::int`, pgx.QueryExecModeSimpleProtocol)
	if err == nil || !strings.Contains(err.Error(), mark) {
		t.Fatalf("the error is %v; it quotes nothing", err)
	}

	parts := devtest.Storage(t)
	blobs, _, err := azure.Open(azure.Settings{
		Connection: parts.ConnectionString, Container: parts.Container, Queue: parts.Queue, Transport: e.Calls,
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := blobs.Download(ctx, mark, ""); !errors.Is(err, azure.ErrBlobNotFound) {
		t.Fatal(err)
	}
	span.End(nil)

	handler := e.Requests(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		tracing.Route(r.Context(), r.Method, "/api/files/{id}")
		http.Error(w, mark, http.StatusInternalServerError)
	}))
	request := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/api/"+mark+"?sig="+mark, nil)
	request.Host = mark
	for _, name := range []string{"Authorization", "User-Agent", "X-Forwarded-For", "Tracestate", "Baggage"} {
		request.Header.Set(name, mark)
	}
	handler.ServeHTTP(httptest.NewRecorder(), request)
	end()

	for _, hidden := range []string{mark, strings.ReplaceAll(mark, "-", "_"), parts.Container} {
		if collector.Has(hidden) {
			t.Errorf("%q has left", hidden)
		}
	}
	names := []string{}
	for _, s := range collector.Spans() {
		names = append(names, s.Name)
	}
	for _, want := range []string{"work", "SELECT", "GET blob", "GET /api/files/{id}"} {
		if !slices.Contains(names, want) {
			t.Errorf("the spans are %q, want %q among them", names, want)
		}
	}
	if !collector.Has("COMPLETED") {
		t.Error("what sheetdrop itself says has not left")
	}
}

// A trace is sampled as the setting says. That a caller did not sample it counts for nothing: the Functions host says so with every call.
func TestSampler(t *testing.T) {
	t.Parallel()
	const low, high = "00000000000000000000000000000001", "ffffffffffffffffffffffffffffffff"
	for _, c := range []struct {
		sampler, arg, trace, flags string
		want                       bool
	}{
		{"", "", high, "00", true},
		{"parentbased_always_on", "", high, "00", true},
		{"parentbased_always_off", "", high, "01", true},
		{"parentbased_always_off", "", high, "00", false},
		{"parentbased_traceidratio", "0.1", high, "00", false},
		{"parentbased_traceidratio", "0.1", low, "00", true},
		{"parentbased_traceidratio", "0.1", high, "01", true},
		{"traceidratio", "0.1", high, "01", false},
		{"traceidratio", "0.1", low, "00", true},
		{"traceidratio", "", high, "00", true},
		{"always_on", "", high, "00", true},
		{"always_off", "", high, "01", false},
	} {
		sampler, err := Settings{Sampler: c.sampler, SamplerArg: c.arg}.sampler()
		if err != nil {
			t.Fatal(err)
		}
		parent := "00-" + c.trace + "-00f067aa0ba902b7-" + c.flags
		ctx := tracing.Propagator.Extract(context.Background(), carrier{parent})
		id := trace.SpanContextFromContext(ctx).TraceID()
		got := sampler.ShouldSample(sdk.SamplingParameters{ParentContext: ctx, TraceID: id}).Decision == sdk.RecordAndSample
		if got != c.want {
			t.Errorf("%s %s samples %s: %t", c.sampler, c.arg, parent, got)
		}
	}
}

type carrier struct{ parent string }

func (c carrier) Get(string) string { return c.parent }
func (carrier) Set(string, string)  {}
func (carrier) Keys() []string      { return nil }

// A setting that cannot be followed is refused by its name, and no value of it that may be a secret is told.
func TestSettingsAreChecked(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		settings Settings
		want     string
	}{
		{Settings{Exporter: "zipkin"}, "OTEL_TRACES_EXPORTER"},
		{Settings{Sampler: "jaeger_remote"}, "OTEL_TRACES_SAMPLER"},
		{Settings{Sampler: "traceidratio", SamplerArg: "2"}, "OTEL_TRACES_SAMPLER_ARG"},
		{Settings{Protocol: "grpc"}, "OTEL_EXPORTER_OTLP_PROTOCOL"},
		{Settings{TracesEndpoint: "collector?key=" + mark}, "OTEL_EXPORTER_OTLP_ENDPOINT"},
	} {
		_, err := Start(t.Context(), c.settings)
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), mark) {
			t.Errorf("%+v: %v, want %s", c.settings, err, c.want)
		}
	}
}

// The name of a statement's span has its operation and a table of ours, and none of a customer's.
func TestNameOfStatement(t *testing.T) {
	t.Parallel()
	for sql, want := range map[string]string{
		"update sheetdrop.task set x = 1": "UPDATE task", "commit": "COMMIT", "": "UNKNOWN",
		"with due as (select id from sheetdrop.outbox_message) select 1": "WITH outbox_message",
		`insert into "data"."customers" select 1`:                        "INSERT",
	} {
		if got := nameOfStatement(t.Context(), sql); got != want {
			t.Errorf("%s: %q, want %q", sql, got, want)
		}
	}
}

// A collector that is away does not fill the log, whatever is sent to it.
func TestCollectorThatIsAwayIsLoggedOnce(t *testing.T) {
	var lines strings.Builder
	LogErrors(slog.New(slog.NewTextHandler(&lines, nil)))
	for range 3 {
		otel.Handle(errors.New("connection refused"))
	}
	if n := strings.Count(lines.String(), "telemetry not exported"); n != 1 {
		t.Errorf("%d lines:\n%s", n, lines.String())
	}
}
