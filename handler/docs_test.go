package main

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	page "sheetdrop/web-page"
)

// The documentation can be read while the database is away, and leads to nobody's data: what serves it has neither.
func TestDocsNeedNothing(t *testing.T) {
	t.Parallel()
	handler := routes(t.Context(), &services{docs: page.Docs()}, slog.New(slog.DiscardHandler))
	for path, want := range map[string]string{"/api/docs": "What it promises", "/api/docs/errors": `id="empty_file"`, "/api/docs/": ""} {
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		if w.Code >= http.StatusBadRequest || !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
}
