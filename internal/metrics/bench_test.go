package metrics

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

// What a file costs from its upload to its rows, in everything that is counted and measured on its way, without metrics and with them; and
// what a scrape costs.
func BenchmarkFile(b *testing.B) {
	file := func(b *testing.B, r *Recorder) {
		request := httptest.NewRequest(http.MethodPost, "/api/files", http.NoBody)
		handler := r.Requests("/api/files", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusAccepted) }))
		for b.Loop() {
			handler.ServeHTTP(httptest.NewRecorder(), request)
			r.Uploaded(InRequest, 1, 10_000, time.Millisecond)
			r.Send("PARSE_TASK", Sent)
			r.Began()()
			r.Ran(Run{Outcome: "completed", Status: "COMPLETED", Took: time.Millisecond})
			r.Loaded(Load{Loaded: 700, Rejects: map[string]int64{"missing_cell": 1}, Parsed: time.Millisecond, Committed: time.Millisecond})
		}
	}
	b.Run("off", func(b *testing.B) { file(b, nil) })
	reader, page, err := scraping()
	if err != nil {
		b.Fatal(err)
	}
	r, err := newRecorder(b.Context(), reader)
	if err != nil {
		b.Fatal(err)
	}
	recordEverything(r)
	b.Run("on", func(b *testing.B) { file(b, r) })
	b.Run("scrape", func(b *testing.B) {
		for b.Loop() {
			page.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/metrics", http.NoBody))
		}
	})
}
