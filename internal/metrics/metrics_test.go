package metrics

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// Whoever has not asked for metrics pays nothing for them: there is no recorder, and all that tells it something goes on.
func TestNobodyGetsMetricsByDefault(t *testing.T) {
	t.Parallel()
	for name, s := range map[string]Settings{
		"nothing set": {}, "none": {Exporter: "none", Protocol: "http/protobuf"},
		"the SDK is off": {Port: 9464, Exporter: "otlp", Protocol: "http/protobuf", Disabled: true},
	} {
		r, err := Open(t.Context(), s)
		if r != nil || err != nil {
			t.Errorf("%s: %v, %v", name, r, err)
		}
		recordEverything(r)
		if r.Page() != nil || r.Close(t.Context()) != nil {
			t.Errorf("%s: something is there", name)
		}
	}
}

// A setting that cannot be followed is refused in words, and not left out.
func TestSettingsOfMetricsAreChecked(t *testing.T) {
	t.Parallel()
	for word, s := range map[string]Settings{
		"METRICS_PORT":                          {Port: 70000},
		"set METRICS_PORT":                      {Exporter: "prometheus"},
		"OTEL_METRICS_EXPORTER":                 {Exporter: "console"},
		`OTEL_EXPORTER_OTLP_PROTOCOL is "grpc"`: {Exporter: "otlp", Protocol: "grpc"},
		`is "http/json"`:                        {Exporter: "otlp", Protocol: "http/protobuf", MetricsProtocol: "http/json"},
	} {
		if err := s.Check(); err == nil || !strings.Contains(err.Error(), word) {
			t.Errorf("%+v: %v, want a word about %s", s, err, word)
		}
	}
	if err := (Settings{Port: 9464, Exporter: "otlp", Protocol: "grpc", MetricsProtocol: "http/protobuf"}).Check(); err != nil {
		t.Error(err)
	}
}

// However many words come for a label, whoever sends them, few become series, and none that looks like something of a customer.
func TestLabelsAreBounded(t *testing.T) {
	t.Parallel()
	r, pushed := recording(t)
	r.Send("PARSE_TASK", Sent)
	stock := Stock{}
	for i := range 3000 {
		words := fmt.Sprintf("geheim-%d@example.com\n\"}", i)
		if i%2 == 0 {
			words = fmt.Sprintf("word_%d", i)
		}
		r.Send(words, words)
		r.Tripped(words)
		r.Uploaded(words, 1, 1, time.Second)
		r.Ran(Run{Outcome: words, Status: "FAILED", Code: words})
		r.Ran(Run{Outcome: words, Status: words, Code: words})
		r.Reclaimed(words, words)
		r.Loaded(Load{Rejects: map[string]int64{words: 1}})
		stock.Owners = append(stock.Owners, Owner{words, 1}, Owner{fmt.Sprintf("%012x", i), 1})
		stock.Tables = append(stock.Tables, Table{words, 1})
		serve(r, words)
	}
	r.CountedStock(stock, time.Minute)
	page := scrape(t, r)
	if strings.Contains(page, "geheim") || strings.Contains(page, "example.com") {
		t.Error("words of others are told")
	}
	if told := fmt.Sprint(collect(t, pushed)); strings.Contains(told, "geheim") || strings.Contains(told, "example.com") {
		t.Error("words of others are pushed")
	}
	all := map[string]int{}
	for _, s := range series(page, "") {
		name, _, _ := strings.Cut(s, "{")
		all[name]++
	}
	if len(all) < 30 {
		t.Errorf("only %v", all)
	}
	for name, n := range all {
		if n > 2500 {
			t.Errorf("%s has %d series", name, n)
		}
	}
	for name, most := range map[string]int{
		"sheetdrop_outbox_sends_total": 9 * 33, "sheetdrop_parse_rejects_total": 129, "sheetdrop_task_ends_total": 129, "sheetdrop_owner_tasks": 10,
		"sheetdrop_db_table_size_bytes": 64, "sheetdrop_uploads_total": 9, "sheetdrop_task_leases_reclaimed_total": 9,
	} {
		if all[name] == 0 || all[name] > most {
			t.Errorf("%s has %d series, want 1 to %d", name, all[name], most)
		}
	}
	if !strings.Contains(page, `sheetdrop_outbox_sends_total{destination="PARSE_TASK",outcome="sent"} 1`) {
		t.Error("the words that came first are gone")
	}
}

// serve has a request served whose path, method and host are a stranger's.
func serve(r *Recorder, words string) {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /api/files/{id}", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotFound) })
	handler := r.Requests("", http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		defer Routed(request)
		mux.ServeHTTP(w, request)
	}))
	for _, path := range []string{"/api/files/x", "/api/other"} {
		request := httptest.NewRequest(http.MethodGet, path, http.NoBody)
		request.URL.Path, request.Host = path+words, words
		handler.ServeHTTP(httptest.NewRecorder(), request)
		request.Method = words
		handler.ServeHTTP(httptest.NewRecorder(), request)
	}
}

// A request is measured by its route, also where its handler says nothing or breaks off.
func TestRequestsAreMeasuredByRoute(t *testing.T) {
	t.Parallel()
	r, _ := recording(t)
	serve(r, "")
	broken := r.Requests("/page", http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }))
	func() {
		defer func() { _ = recover() }()
		broken.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/page", http.NoBody))
	}()
	silent := r.Requests("/silent", http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	silent.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/silent", http.NoBody))
	page := scrape(t, r)
	for _, want := range []string{
		`{http_request_method="GET",http_response_status_code="404",http_route="/api/files/{id}",url_scheme="http"} 1`,
		`{http_request_method="GET",http_response_status_code="404",url_scheme="http"} 1`,
		`{error_type="aborted",http_request_method="GET",http_route="/page",url_scheme="http"} 1`,
		`{http_request_method="GET",http_response_status_code="200",http_route="/silent",url_scheme="http"} 1`,
	} {
		if !strings.Contains(page, "http_server_request_duration_seconds_count"+want+"\n") {
			t.Errorf("there is no %s in %q", want, series(page, "http_server_request_duration_seconds_count"))
		}
	}
}

// What the timer's run has counted is told until another process must have counted since, and not for ever.
func TestFiguresGrowOld(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r, _ := recording(t)
		r.CountedOutbox(Outbox{Due: 7, QueueKnown: true}, 10*time.Second)
		r.CountedStock(Stock{Pending: 3}, time.Minute)
		for _, step := range []struct {
			after         time.Duration
			outbox, stock bool
		}{{0, true, true}, {29 * time.Second, true, true}, {2 * time.Second, false, true}, {3 * time.Minute, false, false}} {
			time.Sleep(step.after) //nolint:forbidigo // of the bubble's clock
			page := scrape(t, r)
			if strings.Contains(page, `sheetdrop_outbox_pending{state="due"} 7`) != step.outbox || strings.Contains(page, `sheetdrop_tasks{status="PENDING"} 3`) != step.stock {
				t.Errorf("%s later: want outbox %t, stock %t", step.after, step.outbox, step.stock)
			}
		}
		r.CountedOutbox(Outbox{Due: 8}, 10*time.Second)
		if page := scrape(t, r); !strings.Contains(page, `sheetdrop_outbox_pending{state="due"} 8`) || len(series(page, "sheetdrop_queue_length")) > 0 {
			t.Error("counted anew, and the queue has not answered")
		}
	})
}
