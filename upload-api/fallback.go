package upload

import (
	"log/slog"
	"net/http"
	"slices"
	"strings"

	"sheetdrop/upload-api/internal/problem"
	"sheetdrop/upload-api/internal/representation"
)

// noRoute answers requests that match no operation with a problem; http.ServeMux would answer in plain text.
func (h *Handler) noRoute(w http.ResponseWriter, r *http.Request) {
	allowed := methodsAt(h.mux, r)
	if len(allowed) == 0 {
		problem.Write(w, r, h.log, problem.New(problem.NotFound, "There is nothing at this path."))
		return
	}
	w.Header().Set("Allow", strings.Join(allowed, ", "))
	problem.Write(w, r, h.log, problem.New(problem.MethodNotAllowed, "This path allows only %s.", strings.Join(allowed, ", ")))
}

// methodsAt returns the methods that some operation serves at the request's path.
func methodsAt(mux *http.ServeMux, r *http.Request) []string {
	all := []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete}
	return slices.DeleteFunc(all, func(method string) bool {
		_, pattern := mux.Handler(&http.Request{Method: method, URL: r.URL, Host: r.Host})
		return pattern == "/"
	})
}

func getOpenAPI(document func() ([]byte, error), log *slog.Logger) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		text, err := document()
		if err != nil {
			problem.Write(w, r, log, err)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("ETag", representation.ETag(text))
		w.Write(text) //nolint:errcheck // the client is gone
	}
}
