package page_test

import (
	"net/http"
	"strings"
	"testing"

	"sheetdrop/verify/e2e"
)

// The page is at the root, as the host routes it, and the API stays where it was.
func TestPageAndAPIAreServedSideBySide(t *testing.T) {
	app := e2e.Start(t, e2e.Options{Functions: []string{"upload-api", "web-page"}})
	for path, want := range map[string]string{
		"/": "text/html", "/assets/main.js": "text/javascript", "/files/0192f0c1-0000-7000-8000-000000000001": "text/html",
		"/api/health": "application/json", "/api/files": "application/json", "/api/openapi.json": "application/json",
	} {
		answer := app.Do(t, http.MethodGet, path, nil, nil)
		if answer.StatusCode != http.StatusOK || !strings.HasPrefix(answer.Header.Get("Content-Type"), want) {
			t.Errorf("%s: %d %s, want %s", path, answer.StatusCode, answer.Header.Get("Content-Type"), want)
		}
	}
}

// Nobody outside calls what only the host may call, now that the whole of the root is served: neither the timer's function nor the queue's,
// with which anybody could have tasks run.
func TestPageOutsideReachesNoTrigger(t *testing.T) {
	app := e2e.Start(t, e2e.Options{})
	for _, path := range []string{"/parse-worker", "/outbox-relay", "/PARSE-WORKER", "/parse-worker/", "/api/../parse-worker", "/%70arse-worker"} {
		for _, method := range []string{http.MethodPost, http.MethodPut, http.MethodGet} {
			answer := app.Do(t, method, path, http.Header{"Content-Type": {"application/json"}}, strings.NewReader(`{"Data":{"timer":{"IsPastDue":false},"message":"e30="}}`))
			if answer.StatusCode != http.StatusNotFound {
				t.Errorf("%s %s: %d, want 404", method, path, answer.StatusCode)
			}
		}
	}
}
