package functions_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"sheetdrop/functions"
)

// silent is the logger of tests that do not look at the log.
var silent = slog.New(slog.DiscardHandler)

// answer is what the host gets to see.
type answer struct {
	status      int
	contentType string
	object      map[string]any // nil unless the body is one JSON object
}

func (a answer) succeeded() bool {
	return a.status == http.StatusOK && a.contentType == "application/json" && a.object != nil
}

// invoke sends an envelope as the host does: a POST without a length, with the invocation's id.
func invoke(t *testing.T, h http.Handler, envelope string) answer {
	t.Helper()
	srv := httptest.NewServer(h)
	defer srv.Close()
	body := struct{ io.Reader }{strings.NewReader(envelope)} // hides the length, so that it goes in chunks
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, srv.URL+"/some-function", body)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json; charset=utf-8")
	req.Header.Set("X-Azure-Functions-InvocationId", "inv-1")
	return do(t, req)
}

func do(t *testing.T, req *http.Request) answer {
	t.Helper()
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	a := answer{status: resp.StatusCode, contentType: resp.Header.Get("Content-Type")}
	if err := json.NewDecoder(resp.Body).Decode(&a.object); err != nil {
		t.Errorf("the answer is no JSON object: %v", err)
	}
	return a
}

func accept(context.Context, functions.QueueMessage) error { return nil }

// The host takes anything but 2xx with a JSON object of the right type for a failure or, worse, waits for functionTimeout.
func TestSuccessIsAJSONObject(t *testing.T) {
	t.Parallel()
	for name, h := range map[string]http.Handler{
		"queue": functions.Queue("b", silent, accept),
		"timer": functions.Timer("b", silent, func(context.Context, functions.TimerInfo) error { return nil }),
	} {
		if a := invoke(t, h, `{"Data":{"b":{}},"Metadata":{}}`); !a.succeeded() {
			t.Errorf("%s: %+v", name, a)
		}
	}
}

// An error must reach the host as a failure, or the message is deleted and lost.
func TestErrorIsAFailure(t *testing.T) {
	t.Parallel()
	fail := errors.New("the database is away")
	h := functions.Queue("b", silent, func(context.Context, functions.QueueMessage) error { return fail })
	a := invoke(t, h, `{"Data":{"b":{}}}`)
	if a.status != http.StatusInternalServerError || a.contentType != "application/json" || a.object["error"] != fail.Error() {
		t.Errorf("%+v", a)
	}
}

// A panic is one invocation's failure; the process goes on, and the log has the stack.
func TestPanicIsAFailure(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	panics := true
	h := functions.Queue("b", functions.NewLogger(&log, slog.LevelInfo), func(context.Context, functions.QueueMessage) error {
		if panics {
			panic("out of range")
		}
		return nil
	})
	if a := invoke(t, h, `{"Data":{"b":{}}}`); a.status != http.StatusInternalServerError || a.object["error"] != "panic: out of range" {
		t.Errorf("%+v", a)
	}
	if !strings.Contains(log.String(), "functions_test.go") || !strings.Contains(log.String(), `"invocation_id":"inv-1"`) {
		t.Errorf("no stack or no id in the log: %s", &log)
	}
	panics = false
	if a := invoke(t, h, `{"Data":{"b":{}}}`); !a.succeeded() {
		t.Errorf("after a panic: %+v", a)
	}
}

// What nobody can read is refused in words, and fn does not see it.
func TestUnreadableEnvelope(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		envelope string
		status   int
		words    string
	}{
		"empty":           {``, 500, "decode the envelope"},
		"not JSON":        {`hello`, 500, "invalid character"},
		"cut off":         {`{"Data":{"b":"`, 500, "unexpected end"},
		"two values":      {`{"Data":{"b":{}}} {}`, 500, "after top-level value"},
		"no data":         {`{"Metadata":{}}`, 500, `no data for the binding "b"`},
		"other binding":   {`{"Data":{"c":{}}}`, 500, `no data for the binding "b"`},
		"null":            {`{"Data":{"b":null}}`, 500, "is null"},
		"null as a whole": {`null`, 500, `no data for the binding "b"`},
		"too large":       {`{"Data":{"b":"` + strings.Repeat("a", 1<<20) + `"}}`, 413, "more than 1048576 bytes"},
	} {
		h := functions.Queue("b", silent, func(context.Context, functions.QueueMessage) error {
			t.Errorf("%s: fn was called", name)
			return nil
		})
		a := invoke(t, h, tc.envelope)
		if words, _ := a.object["error"].(string); a.status != tc.status || !strings.Contains(words, tc.words) {
			t.Errorf("%s: %+v", name, a)
		}
	}
}

func TestOnlyPost(t *testing.T) {
	t.Parallel()
	srv := httptest.NewServer(functions.Queue("b", silent, accept))
	defer srv.Close()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, srv.URL+"/some-function", nil)
	if err != nil {
		t.Fatal(err)
	}
	if a := do(t, req); a.status != http.StatusMethodNotAllowed {
		t.Errorf("%+v", a)
	}
}

// The handler's port is open to every program of the machine, a browser among them: a page that finds it starts nothing.
func TestPagesInvokeNothing(t *testing.T) {
	t.Parallel()
	timer := functions.Timer("timer", silent, func(context.Context, functions.TimerInfo) error {
		t.Error("a page has started a run")
		return nil
	})
	srv := httptest.NewServer(timer)
	t.Cleanup(srv.Close)
	for name, value := range map[string]string{"Origin": "http://evil.example", "Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "no-cors"} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, srv.URL, strings.NewReader(`{"Data":{"timer":{"IsPastDue":false}},"Metadata":{}}`))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set(name, value)
		if a := do(t, req); a.status != http.StatusForbidden {
			t.Errorf("%s: answered %d", name, a.status)
		}
	}
}
