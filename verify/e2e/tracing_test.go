package e2e_test

import (
	"bytes"
	"encoding/json"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"sheetdrop/internal/devstack/await"
	"sheetdrop/internal/devstack/otlptest"
	"sheetdrop/internal/postgres/pgtest"
	"sheetdrop/verify/e2e"
)

const (
	callersTrace = "4bf92f3577b34da6a3ce929d0e0e4736"
	callersSpan  = "00f067aa0ba902b7"
)

// traced are the headers of a caller who has a trace.
func traced() http.Header {
	return http.Header{"Content-Type": {"text/csv"}, "Traceparent": {"00-" + callersTrace + "-" + callersSpan + "-01"}}
}

// lines keeps what a handler writes.
type lines struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// with returns those that have a trace, by their messages.
func (l *lines) with(trace string) (messages []string) {
	for line := range strings.Lines(l.String()) {
		var said struct {
			Msg     string
			TraceID string `json:"trace_id"`
		}
		if json.Unmarshal([]byte(line), &said) == nil && said.TraceID == trace {
			messages = append(messages, said.Msg)
		}
	}
	return messages
}

// uploadWith sends a file with headers and waits for the end of its task.
func uploadWith(t *testing.T, app *e2e.App, path string, header http.Header, content []byte) e2e.Task {
	t.Helper()
	answer := app.Do(t, http.MethodPost, path, header, bytes.NewReader(content))
	var accepted struct{ Items []struct{ Task e2e.Task } }
	if err := json.Unmarshal(answer.Text, &accepted); err != nil || answer.StatusCode != http.StatusAccepted || len(accepted.Items) != 1 {
		t.Fatalf("%s %s", answer.Status, answer.Text)
	}
	return app.Await(t, accepted.Items[0].Task.ID)
}

// A request, its messages, and the run of its task with COPY and end are one trace, which is its caller's, each span below the one that
// caused it; and so are the lines of the log.
func TestOneTrace(t *testing.T) {
	t.Parallel()
	collector, log := otlptest.Start(t), new(lines)
	app := e2e.Start(t, e2e.Options{Settings: collector.Settings(), Output: log})
	task := uploadWith(t, app, "/api/files?name=list.csv", traced(), csv(10, 10))

	spans := await.Value(t, "the spans of the trace", func() []otlptest.Span { return collector.Of(callersTrace) }, func(spans []otlptest.Span) bool {
		return slices.ContainsFunc(spans, func(s otlptest.Span) bool { return strings.HasPrefix(s.Name, "process ") }) &&
			slices.ContainsFunc(spans, func(s otlptest.Span) bool { return s.Name == "POST /api/files" })
	})
	for name, parent := range map[string]string{
		"POST /api/files": "", "send PARSE_TASK": "POST /api/files", "process PARSE_TASK": "send PARSE_TASK", "run task": "process PARSE_TASK",
		"COPY": "run task",
	} {
		span := named(t, spans, name)
		want := callersSpan
		if parent != "" {
			want = named(t, spans, parent).ID
		}
		if span.Parent != want || span.Failed {
			t.Errorf("%+v, want it below %q", span, parent)
		}
	}
	if run := named(t, spans, "run task").Attributes; run["sheetdrop.task.id"] != task.ID.String() ||
		run["sheetdrop.task.status"] != "COMPLETED" || run["sheetdrop.task.attempt"] != "1" || run["sheetdrop.rows.loaded"] != "10" {
		t.Errorf("the run says %v", run)
	}
	for _, s := range spans {
		if s.Parent != callersSpan && !slices.ContainsFunc(spans, func(o otlptest.Span) bool { return o.ID == s.Parent }) {
			t.Errorf("%s is below a span that has not come", s.Name)
		}
	}
	if said := log.with(callersTrace); !slices.Contains(said, "task completed") {
		t.Errorf("the log has %q of the trace", said)
	}
}

// named returns the span of a name, of which there must be one.
func named(t *testing.T, spans []otlptest.Span, name string) otlptest.Span {
	t.Helper()
	found := slices.DeleteFunc(slices.Clone(spans), func(s otlptest.Span) bool { return s.Name != name })
	if len(found) != 1 {
		names := []string{}
		for _, s := range spans {
			names = append(names, s.Name)
		}
		t.Fatalf("%d spans %q among %q, want one", len(found), name, names)
	}
	return found[0]
}

// A task that somebody has run again belongs to the trace of that request, which names the earlier one.
func TestTraceOfARetry(t *testing.T) {
	t.Parallel()
	collector := otlptest.Start(t)
	app := e2e.Start(t, e2e.Options{Settings: collector.Settings()})
	task := uploadWith(t, app, "/api/files?name=list.csv", traced(), []byte("\xff\xfe\xfd"))
	if task.Status != "FAILED" {
		t.Fatalf("%+v", task)
	}
	if answer := app.Do(t, http.MethodPost, "/api/tasks/"+task.ID.String()+"/retry", nil, nil); answer.StatusCode != http.StatusOK {
		t.Fatalf("%s %s", answer.Status, answer.Text)
	}
	again := await.Value(t, "the second run", collector.Spans, func(spans []otlptest.Span) bool {
		return slices.ContainsFunc(spans, func(s otlptest.Span) bool { return s.Attributes["sheetdrop.task.attempt"] == "2" }) &&
			slices.ContainsFunc(spans, func(s otlptest.Span) bool { return s.Name == "POST /api/tasks/{id}/retry" })
	})
	request := named(t, again, "POST /api/tasks/{id}/retry")
	if !slices.Contains(request.Links, callersTrace) || request.Trace == callersTrace {
		t.Errorf("the request for the retry is %+v, want a link to %s", request, callersTrace)
	}
	for _, s := range again {
		if s.Attributes["sheetdrop.task.attempt"] == "2" && s.Trace != request.Trace {
			t.Errorf("the second run is %+v, want the trace %s", s, request.Trace)
		}
	}
}

// A task that its owner cancels, or deletes with its file, has its end in its own trace: a run that could tell of it may never come.
func TestTraceOfACancelledTask(t *testing.T) {
	t.Parallel()
	collector := otlptest.Start(t)
	app := e2e.Start(t, e2e.Options{Settings: collector.Settings(), Functions: []string{"upload-api"}})
	tasks := make([]e2e.Task, 2)
	for i := range tasks {
		tasks[i] = taskIn(t, app.Do(t, http.MethodPost, "/api/files?name=list.csv", traced(), bytes.NewReader(csv(10+i, 10))))
	}
	app.Do(t, http.MethodPost, "/api/tasks/"+tasks[0].ID.String()+"/cancel", nil, nil)
	app.Do(t, http.MethodDelete, "/api/files/"+tasks[1].FileID.String(), nil, nil)
	requests := map[string]string{tasks[0].ID.String(): "POST /api/tasks/{id}/cancel", tasks[1].ID.String(): "DELETE /api/files/{id}"}
	spans := await.Value(t, "both ends and their requests", collector.Spans, func(spans []otlptest.Span) bool {
		found := map[string]bool{}
		for _, s := range spans {
			found[s.Name+s.Attributes["sheetdrop.task.id"]] = true
		}
		for id, operation := range requests {
			if !found["cancel task"+id] || !found[operation] {
				return false
			}
		}
		return true
	})
	for _, s := range spans {
		if s.Name != "cancel task" {
			continue
		}
		request := named(t, spans, requests[s.Attributes["sheetdrop.task.id"]])
		if s.Trace != callersTrace || s.Attributes["sheetdrop.task.status"] != "CANCELLED" || !slices.Contains(s.Links, request.Trace) {
			t.Errorf("%+v, want it in the trace %s with a link to %s", s, callersTrace, request.Trace)
		}
	}
}

// Without an exporter nothing is sent, and a caller's trace is in the lines of upload and run all the same.
func TestTraceWithoutExport(t *testing.T) {
	t.Parallel()
	collector, log := otlptest.Start(t), new(lines)
	settings := collector.Settings()
	delete(settings, "OTEL_TRACES_EXPORTER")
	app := e2e.Start(t, e2e.Options{Settings: settings, Output: log})
	task := uploadWith(t, app, "/api/files?name=list.csv", traced(), csv(10, 10))
	await.Until(t, "the line of the run", func() bool { return slices.Contains(log.with(callersTrace), "task completed") })
	if stored := pgtest.Query[string](t, app.Database, `select trace_context from sheetdrop.task where id = $1`, task.ID); !strings.Contains(stored, callersTrace) {
		t.Errorf("the task has %q", stored)
	}
	if spans := collector.Spans(); len(spans) > 0 {
		t.Errorf("%d spans have come", len(spans))
	}
}

// A collector that takes everything and never answers keeps no upload from its end, and no handler from its.
func TestCollectorThatHangs(t *testing.T) {
	t.Parallel()
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { silent.Close() })
	arrived := make(chan struct{}, 1)
	go func() {
		for {
			connection, err := silent.Accept()
			if err != nil {
				return
			}
			t.Cleanup(func() { connection.Close() })
			select {
			case arrived <- struct{}{}:
			default:
			}
		}
	}()
	app := e2e.Start(t, e2e.Options{Functions: []string{"parse-worker", "outbox-relay"}})
	handler := app.StartHandler(t, map[string]string{
		"OTEL_TRACES_EXPORTER": "otlp", "OTEL_EXPORTER_OTLP_ENDPOINT": "http://" + silent.Addr().String(),
		"OTEL_BSP_SCHEDULE_DELAY": "10", "OTEL_BSP_MAX_QUEUE_SIZE": "16", "OTEL_BSP_MAX_EXPORT_BATCH_SIZE": "16",
	})
	for range 20 {
		u := app.AddFile(t, csv(10, 10))
		if status := <-handler.Deliver(t, u); status != http.StatusOK {
			t.Fatalf("the delivery was answered with %d", status)
		}
	}
	<-arrived
	handler.TellToStop(t)
	if code := handler.Exit(); code != stopped {
		t.Errorf("the handler ended with %d, want %d", code, stopped)
	}
}
