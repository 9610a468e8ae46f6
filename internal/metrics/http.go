package metrics

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"time"

	"go.opentelemetry.io/otel/attribute"

	"sheetdrop/internal/clock"
)

type routeKey struct{}

// Requests measures the requests that a handler serves, by the route that the handler says with Routed, or by that of the handler.
func (r *Recorder) Requests(route string, next http.Handler) http.Handler {
	if r == nil {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		elapsed, served, answer := clock.Start(), route, &answer{ResponseWriter: w}
		aborted := true // by a panic
		defer func() { r.requested(request.Method, served, answer.status, aborted, elapsed()) }()
		next.ServeHTTP(answer, request.WithContext(context.WithValue(request.Context(), routeKey{}, &served)))
		aborted = false
	})
}

// Routed says which route a request had: that by which a ServeMux has matched it.
func Routed(request *http.Request) {
	served, measured := request.Context().Value(routeKey{}).(*string)
	if _, path, found := strings.Cut(request.Pattern, " "); measured && found {
		*served = path
	}
}

// methods are those that a label may have.
var methods = map[string]bool{
	http.MethodGet: true, http.MethodHead: true, http.MethodPost: true, http.MethodPut: true, http.MethodPatch: true, http.MethodDelete: true,
	http.MethodOptions: true,
}

func (r *Recorder) requested(method, route string, status int, aborted bool, took time.Duration) {
	if !methods[method] {
		method = "_OTHER"
	}
	labels := []attribute.KeyValue{attribute.String("http.request.method", method), attribute.String("url.scheme", "http")}
	if route != "" {
		labels = append(labels, r.routes.label("http.route", route))
	}
	if status == 0 && !aborted {
		status = http.StatusOK // which an answer has that nobody has written
	}
	if status > 0 {
		labels = append(labels, attribute.Int("http.response.status_code", status))
	}
	switch {
	case aborted:
		labels = append(labels, attribute.String("error.type", "aborted"))
	case status >= http.StatusInternalServerError:
		labels = append(labels, attribute.String("error.type", strconv.Itoa(status)))
	}
	r.requests.Record(always, took.Seconds(), with(labels...))
}

// answer keeps the status of an answer.
type answer struct {
	http.ResponseWriter
	status int
}

func (a *answer) WriteHeader(status int) {
	if a.status == 0 && status >= http.StatusOK {
		a.status = status
	}
	a.ResponseWriter.WriteHeader(status)
}

func (a *answer) Write(b []byte) (int, error) {
	if a.status == 0 {
		a.status = http.StatusOK
	}
	return a.ResponseWriter.Write(b)
}

// Unwrap is for http.ResponseController.
func (a *answer) Unwrap() http.ResponseWriter { return a.ResponseWriter }
