package functions_test

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"sheetdrop/functions"
)

// An operator finds a run in the host's logs by the id; a client must not be able to put another one there.
func TestInvocationID(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		sent []string
		want string
	}{
		"none":       {nil, ""},
		"one":        {[]string{"a"}, "a"},
		"the host's": {[]string{"made-up", "a"}, "a"},
		"endless":    {[]string{strings.Repeat("a", 65)}, ""},
	} {
		var got string
		h := functions.WithInvocation(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			got = functions.InvocationID(r.Context())
		}))
		r := httptest.NewRequest(http.MethodGet, "/api/files", nil)
		r.Header["X-Azure-Functions-Invocationid"] = tc.sent
		r.Header["X-Ms-Invocation-Id"] = []string{"made-up"} // the host passes a client's on
		h.ServeHTTP(httptest.NewRecorder(), r)
		if got != tc.want {
			t.Errorf("%s: got %q, want %q", name, got, tc.want)
		}
	}
}

func TestFunctionsKnowTheirInvocation(t *testing.T) {
	t.Parallel()
	var ids []string
	note := func(ctx context.Context) error {
		ids = append(ids, functions.InvocationID(ctx))
		return nil
	}
	invoke(t, functions.Queue("b", silent, func(ctx context.Context, _ functions.QueueMessage) error { return note(ctx) }), `{"Data":{"b":""}}`)
	invoke(t, functions.Timer("b", silent, func(ctx context.Context, _ functions.TimerInfo) error { return note(ctx) }), `{"Data":{"b":{}}}`)
	if len(ids) != 2 || ids[0] != "inv-1" || ids[1] != "inv-1" {
		t.Errorf("got %q, want inv-1 twice", ids)
	}
}

// One JSON object a line, with the id wherever there is one, also through With and WithGroup.
func TestLoggerAddsTheInvocation(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	log := functions.NewLogger(&out, slog.LevelInfo).With("part", "relay")
	log.Debug("too small to say")
	log.Info("outside\nan invocation")
	h := functions.WithInvocation(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		log.InfoContext(r.Context(), "inside")
		log.WithGroup("batch").InfoContext(r.Context(), "grouped", "sent", 3)
	}))
	r := httptest.NewRequest(http.MethodGet, "/", nil)
	r.Header.Set("X-Azure-Functions-InvocationId", "inv-1")
	h.ServeHTTP(httptest.NewRecorder(), r)

	var records []map[string]any
	for line := range strings.Lines(out.String()) {
		var record map[string]any
		if err := json.Unmarshal([]byte(line), &record); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		if record["part"] != "relay" {
			t.Errorf("an attribute is lost: %s", line)
		}
		records = append(records, record)
	}
	if len(records) != 3 {
		t.Fatalf("%d records, want 3: %s", len(records), &out)
	}
	if _, has := records[0]["invocation_id"]; has || records[1]["invocation_id"] != "inv-1" {
		t.Errorf("the id is in the wrong place: %s", &out)
	}
	if batch, _ := records[2]["batch"].(map[string]any); batch["invocation_id"] != "inv-1" || batch["sent"] != 3.0 {
		t.Errorf("the id is missing in the group: %s", &out)
	}
}
