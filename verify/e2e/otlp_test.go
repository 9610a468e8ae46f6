package e2e_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	collector "go.opentelemetry.io/proto/otlp/collector/metrics/v1"
	data "go.opentelemetry.io/proto/otlp/metrics/v1"
	"google.golang.org/protobuf/proto"

	"sheetdrop/internal/devstack/await"
)

// receiver takes metrics by OTLP over HTTP, as a collector does.
type receiver struct {
	url string

	mu      sync.Mutex
	bodies  strings.Builder // as they came
	headers []string        // Authorization of each push
	last    map[string][]*data.NumberDataPoint
	faults  []string
}

func receive(t testing.TB) *receiver {
	r := &receiver{}
	server := httptest.NewServer(r)
	t.Cleanup(server.Close)
	t.Cleanup(func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		if len(r.faults) > 0 {
			t.Errorf("pushes: %q", r.faults)
		}
	})
	r.url = server.URL
	return r
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	body, err := io.ReadAll(request.Body)
	push := &collector.ExportMetricsServiceRequest{}
	if err == nil {
		err = proto.Unmarshal(body, push)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if err != nil || request.URL.Path != "/v1/metrics" {
		r.faults = append(r.faults, request.URL.Path)
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	r.bodies.Write(body)
	r.headers = append(r.headers, request.Header.Get("Authorization"))
	r.last = map[string][]*data.NumberDataPoint{}
	for _, resource := range push.GetResourceMetrics() {
		for _, scope := range resource.GetScopeMetrics() {
			for _, m := range scope.GetMetrics() {
				r.last[m.GetName()] = append(m.GetSum().GetDataPoints(), m.GetGauge().GetDataPoints()...)
			}
		}
	}
	w.Header().Set("Content-Type", "application/x-protobuf")
}

// await waits for a push in which the points of a metric add up to that.
func (r *receiver) await(t *testing.T, name string, sum int64) {
	t.Helper()
	await.Until(t, name+" is pushed", func() bool {
		r.mu.Lock()
		defer r.mu.Unlock()
		got := int64(0)
		for _, point := range r.last[name] {
			got += point.GetAsInt()
		}
		return got == sum
	})
}

// everything is all that was pushed.
func (r *receiver) everything() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.bodies.String()
}

// authorized reports whether there were pushes, and each had this header.
func (r *receiver) authorized(with string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, header := range r.headers {
		if header != with {
			return false
		}
	}
	return len(r.headers) > 0
}
