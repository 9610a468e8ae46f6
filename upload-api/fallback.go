package upload

import (
	"net/http"
	"slices"
	"strings"

	"sheetdrop/upload-api/internal/problem"
)

// noRoute answers requests that match no operation with a problem; http.ServeMux would answer in plain text.
func (h *Handler) noRoute(w http.ResponseWriter, r *http.Request) {
	allowed := h.methods(r)
	if len(allowed) == 0 {
		problem.Write(w, r, h.log, problem.New(problem.NotFound, "There is nothing at this path."))
		return
	}
	w.Header().Set("Allow", strings.Join(allowed, ", "))
	problem.Write(w, r, h.log, problem.New(problem.MethodNotAllowed, "This path allows only %s.", strings.Join(allowed, ", ")))
}

// methods returns the methods that some operation serves at the request's path.
func (h *Handler) methods(r *http.Request) []string {
	all := []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete}
	return slices.DeleteFunc(all, func(method string) bool {
		_, pattern := h.mux.Handler(&http.Request{Method: method, URL: r.URL, Host: r.Host})
		return pattern == "/"
	})
}

func (h *Handler) getOpenAPI(w http.ResponseWriter, r *http.Request) {
	document, err := h.OpenAPI()
	if err != nil {
		problem.Write(w, r, h.log, err)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Write(document) //nolint:errcheck // the client is gone
}
