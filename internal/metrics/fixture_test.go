package metrics

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	sdk "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
)

// recording returns a recorder that is scraped, and a reader that pushes would come from.
func recording(t *testing.T) (*Recorder, *sdk.ManualReader) {
	t.Helper()
	reader, page, err := scraping()
	if err != nil {
		t.Fatal(err)
	}
	pushed := sdk.NewManualReader()
	r, err := newRecorder(t.Context(), reader, pushed)
	if err != nil {
		t.Fatal(err)
	}
	r.page = page
	t.Cleanup(func() {
		if err := r.Close(context.WithoutCancel(t.Context())); err != nil {
			t.Error(err)
		}
	})
	return r, pushed
}

func scrape(t *testing.T, r *Recorder) string {
	t.Helper()
	answer := httptest.NewRecorder()
	r.Page().ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/metrics", http.NoBody))
	if answer.Code != http.StatusOK {
		t.Fatalf("%d %s", answer.Code, answer.Body)
	}
	return answer.Body.String()
}

// series are the lines of a scrape without their values, of one metric or, for "", of all.
func series(page, name string) (list []string) {
	for line := range strings.Lines(page) {
		if what, _, isSeries := strings.Cut(strings.TrimSpace(line), " "); isSeries && what != "#" && strings.HasPrefix(what, name) {
			list = append(list, what)
		}
	}
	return list
}

func collect(t *testing.T, reader *sdk.ManualReader) (all metricdata.ResourceMetrics) {
	t.Helper()
	if err := reader.Collect(t.Context(), &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// recordEverything brings about every metric, with every label.
func recordEverything(r *Recorder) {
	r.Uploaded(InRequest, 1, 10, time.Second)
	r.Send("PARSE_TASK", Sent)
	r.Tripped("PARSE_TASK")
	r.Relayed(map[string]bool{"PARSE_TASK": true}, time.Minute)
	r.Began()
	r.Ran(Run{Outcome: "input error", Status: "FAILED", Code: "damaged_file", Took: time.Second})
	r.Reclaimed("FAILED", "worker_died")
	r.Loaded(Load{Loaded: 1, Rejects: map[string]int64{"missing_cell": 1}})
	r.CountedOutbox(Outbox{QueueKnown: true}, time.Minute)
	r.CountedStock(Stock{Tables: []Table{{"task", 1}}, Owners: []Owner{{"0123456789ab", 1}}}, time.Minute)
	r.Watch("main", func() Pool { return Pool{} })
	failing := r.Requests("/", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) }))
	failing.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/", http.NoBody))
}
