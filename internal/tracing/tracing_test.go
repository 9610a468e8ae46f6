package tracing

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"

	"go.opentelemetry.io/otel"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
)

const (
	first  = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
	second = "00-5bf92f3577b34da6a3ce929d0e0e4736-10f067aa0ba902b7-00"
)

// received returns the context of a request with a traceparent.
func received(t *testing.T, parent string) context.Context {
	t.Helper()
	var of *http.Request
	request := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
	request.Header.Set("Traceparent", parent)
	Received(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { of = r })).ServeHTTP(httptest.NewRecorder(), request)
	return of.Context()
}

// Where nothing is exported, a caller's trace goes on as it came; a text that is none counts for none.
func TestParent(t *testing.T) {
	for parent, want := range map[string]string{
		first: first, second: second, "": "", "00-00000000000000000000000000000000-00f067aa0ba902b7-01": "",
		"ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01": "", "a sentence": "", first + "0": "",
	} {
		ctx, span := Start(received(t, parent), "span", Internal)
		if got := Parent(ctx); got != want {
			t.Errorf("%q became %q, want %q", parent, got, want)
		}
		span.End(nil)
	}
}

// A record has the trace of its context, and the id of a span only if the span is this process's own.
func TestLog(t *testing.T) {
	var text bytes.Buffer
	log := slog.New(Log(slog.NewJSONHandler(&text, nil))).With("a", 1)
	said := func(ctx context.Context) map[string]any {
		text.Reset()
		log.InfoContext(ctx, "something")
		var line map[string]any
		if err := json.Unmarshal(text.Bytes(), &line); err != nil {
			t.Fatal(err)
		}
		return line
	}
	if line := said(t.Context()); line["trace_id"] != nil {
		t.Errorf("without a trace: %v", line)
	}
	if line := said(received(t, first)); line["trace_id"] != "4bf92f3577b34da6a3ce929d0e0e4736" || line["span_id"] != nil {
		t.Errorf("with a caller's trace: %v", line)
	}
	record(t)
	ctx, span := Start(received(t, first), "span", Internal)
	defer span.End(nil)
	if line := said(ctx); line["trace_id"] != "4bf92f3577b34da6a3ce929d0e0e4736" || line["span_id"] != Parent(ctx)[36:52] {
		t.Errorf("in a span: %v", line)
	}
}

// record keeps the spans that end from now on until the test does.
func record(t *testing.T) *tracetest.SpanRecorder {
	t.Helper()
	spans := tracetest.NewSpanRecorder()
	before := otel.GetTracerProvider()
	otel.SetTracerProvider(sdk.NewTracerProvider(sdk.WithSpanProcessor(spans), sdk.WithSampler(sdk.AlwaysSample())))
	t.Cleanup(func() { otel.SetTracerProvider(before) })
	return spans
}

// What is done for a task is in the task's trace, whoever does it, and names the trace of who does.
func TestStartIn(t *testing.T) {
	spans := record(t)
	inSecond, outer := Start(received(t, second), "outer", Internal)
	for name, c := range map[string]struct {
		ctx           context.Context
		parent        string
		trace, before string
		links         int
	}{
		"another trace":    {inSecond, first, first[3:35], first[36:52], 1},
		"its own trace":    {inSecond, second, second[3:35], Parent(inSecond)[36:52], 0},
		"no trace yet":     {t.Context(), first, first[3:35], first[36:52], 0},
		"none of the task": {inSecond, "", second[3:35], Parent(inSecond)[36:52], 0},
	} {
		_, span := StartIn(c.ctx, c.parent, name, Internal)
		span.End(nil)
		ended := spans.Ended()
		got := ended[len(ended)-1]
		if got.SpanContext().TraceID().String() != c.trace || got.Parent().SpanID().String() != c.before || len(got.Links()) != c.links {
			t.Errorf("%s: trace %s below %s with %d links, want %s below %s with %d", name, got.SpanContext().TraceID(), got.Parent().SpanID(),
				len(got.Links()), c.trace, c.before, c.links)
		}
	}
	outer.End(nil)
}
