// Package otlptest receives traces as a collector does, for tests: OTLP over HTTP.
package otlptest

import (
	"bytes"
	"encoding/hex"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"sync"
	"testing"

	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	common "go.opentelemetry.io/proto/otlp/common/v1"
	trace "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// Span is a span that has arrived. Ids are in hexadecimal.
type Span struct {
	Trace, ID, Parent string
	Name              string
	Kind              string // Server, Producer …
	Failed            bool
	Attributes        map[string]string
	Links             []string // the traces that it names
}

// Receiver is a collector.
type Receiver struct {
	URL string

	// Keep, unless it is nil, chooses the spans that are kept, and no bytes are. Set it before anything is sent.
	Keep func(Span) bool

	mu     sync.Mutex
	spans  []Span
	bodies [][]byte
}

// Start receives until the test ends.
func Start(t testing.TB) *Receiver {
	t.Helper()
	r := new(Receiver)
	server := httptest.NewServer(http.HandlerFunc(r.receive))
	t.Cleanup(server.Close)
	r.URL = server.URL
	return r
}

// Settings has a handler send all its traces here, and soon.
func (r *Receiver) Settings() map[string]string {
	return map[string]string{
		"OTEL_TRACES_EXPORTER": "otlp", "OTEL_EXPORTER_OTLP_ENDPOINT": r.URL, "OTEL_BSP_SCHEDULE_DELAY": "10",
		"OTEL_BSP_MAX_QUEUE_SIZE": "65536",
	}
}

// Spans are all that have arrived.
func (r *Receiver) Spans() []Span {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.spans)
}

// Of are those of one trace.
func (r *Receiver) Of(traceID string) []Span {
	return slices.DeleteFunc(r.Spans(), func(s Span) bool { return s.Trace != traceID })
}

// Has reports whether a text is anywhere in what has arrived.
func (r *Receiver) Has(text string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.ContainsFunc(r.bodies, func(body []byte) bool { return bytes.Contains(body, []byte(text)) })
}

func (r *Receiver) receive(w http.ResponseWriter, request *http.Request) {
	body, err := io.ReadAll(request.Body)
	var arrived collector.ExportTraceServiceRequest
	if err == nil {
		err = proto.Unmarshal(body, &arrived)
	}
	if err != nil || request.URL.Path != "/v1/traces" {
		http.Error(w, "not a request to export traces", http.StatusBadRequest)
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.Keep == nil {
		r.bodies = append(r.bodies, body)
	}
	for _, resource := range arrived.GetResourceSpans() {
		for _, scope := range resource.GetScopeSpans() {
			for _, s := range scope.GetSpans() {
				if span := decoded(s); r.Keep == nil || r.Keep(span) {
					r.spans = append(r.spans, span)
				}
			}
		}
	}
	w.Header().Set("Content-Type", "application/x-protobuf")
}

func decoded(s *trace.Span) Span {
	span := Span{
		Trace: hex.EncodeToString(s.GetTraceId()), ID: hex.EncodeToString(s.GetSpanId()), Parent: hex.EncodeToString(s.GetParentSpanId()),
		Name: s.GetName(), Kind: s.GetKind().String(), Failed: s.GetStatus().GetCode() == trace.Status_STATUS_CODE_ERROR,
		Attributes: map[string]string{},
	}
	for _, a := range s.GetAttributes() {
		span.Attributes[a.GetKey()] = text(a.GetValue())
	}
	for _, l := range s.GetLinks() {
		span.Links = append(span.Links, hex.EncodeToString(l.GetTraceId()))
	}
	return span
}

func text(v *common.AnyValue) string {
	if n, ok := v.GetValue().(*common.AnyValue_IntValue); ok {
		return strconv.FormatInt(n.IntValue, 10)
	}
	return v.GetStringValue()
}
