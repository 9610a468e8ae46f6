package functions_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"sheetdrop/functions"
)

// Whatever is posted to a function, the host gets what it takes for success or for failure: a status and a JSON object.
// With anything else it waits for functionTimeout.
func FuzzInvocation(f *testing.F) {
	handlers := []http.Handler{
		functions.Queue("b", silent, accept),
		functions.Timer("b", silent, func(context.Context, functions.TimerInfo) error { return nil }),
	}
	for _, envelope := range []string{
		`{"Data":{"b":"eyJ2IjoxfQ=="},"Metadata":{"DequeueCount":"2","Id":"\"u\""}}`, `{"Data":{"b":{"IsPastDue":true,"Schedule":{}}},"Metadata":{}}`,
		`{"Data":{"b":"\"{\\\"v\\\":1}\""}}`, `{"Data":{"b":null}}`, `{"Data":[]}`, `[]`, `"`, strings.Repeat(`{"Data":`, 20_000), strings.Repeat("a", 2<<20),
	} {
		f.Add(envelope, "4f1c")
	}
	f.Fuzz(func(t *testing.T, envelope, id string) {
		for _, h := range handlers {
			r := httptest.NewRequest(http.MethodPost, "/b", strings.NewReader(envelope))
			r.Header.Set("X-Azure-Functions-InvocationId", id)
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			var object map[string]any
			if err := json.Unmarshal(w.Body.Bytes(), &object); err != nil || object == nil || w.Header().Get("Content-Type") != "application/json" {
				t.Errorf("%.200q: answered %s %q", envelope, w.Header().Get("Content-Type"), w.Body)
			}
			switch w.Code {
			case http.StatusOK, http.StatusInternalServerError, http.StatusRequestEntityTooLarge:
			default:
				t.Errorf("%.200q: status %d", envelope, w.Code)
			}
		}
	})
}
