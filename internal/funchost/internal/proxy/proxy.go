// Package proxy is the HTTP side of the Functions host: which requests it refuses, how it passes the others on to the handler, and how
// broken answers end. Its rules are those of Kestrel, YARP and .NET's HttpClient.
package proxy

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"sync"

	"github.com/google/uuid"

	"sheetdrop/internal/funchost/internal/app"
	"sheetdrop/internal/funchost/internal/timing"
	"sheetdrop/internal/funchost/internal/worker"
)

// Trigger passes requests on to the handler, streaming both ways.
type Trigger struct {
	Routes   []Route
	Options  app.Options
	Scale    timing.Scale
	Log      *slog.Logger
	Traced   bool // requests get a traceparent
	Homepage bool // the host shows its own page at /
	Memory   *MemoryAccount
	Gate     *worker.Gate
	Endpoint func(context.Context) (*worker.Endpoint, error) // waits for a ready handler
	Stopping context.Context                                 // done when the host stops
	Requests *sync.WaitGroup                                 // the running ones
}

// ServeHTTP answers as the real host does, with or without the handler.
func (t *Trigger) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	t.Requests.Add(1)
	defer t.Requests.Done()
	if r.ContentLength != 0 {
		_ = http.NewResponseController(w).EnableFullDuplex() // else the first byte of an answer ends the reading
		if r.Header.Get("Expect") == "" {                    // such a client need not send its body
			defer drain(w, r.Body)
		}
	}
	if status := refusal(r); status != 0 {
		refuse(w, status)
		return
	}
	where, ok := parseTarget(r.RequestURI)
	if !ok {
		refuse(w, http.StatusBadRequest)
		return
	}
	if t.Homepage && where.path == "/" {
		w.WriteHeader(http.StatusOK) // with a page that advertises Azure
		return
	}
	for _, route := range t.Routes {
		if route.matches(r.Method, where.path) {
			t.invoke(w, r, where, route.function)
			return
		}
	}
	if where.path == "/" {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	fail(w, http.StatusNotFound)
}

func (t *Trigger) invoke(w http.ResponseWriter, r *http.Request, where target, function string) {
	id := uuid.NewString()
	log := t.Log.With("function", function, "invocation_id", id)
	limit := t.Options.MaxBody
	if r.ContentLength > limit {
		log.Error("the request body is over the host's limit", "bytes", r.ContentLength, "limit", limit)
		refuse(w, http.StatusInternalServerError)
		return
	}
	memory := t.Memory.request(r)
	defer memory.release()
	r.Body = http.MaxBytesReader(w, &pacedBody{ReadCloser: r.Body, control: http.NewResponseController(w)}, limit)
	body, err := t.bind(r, memory)
	if err != nil {
		log.Error("the request body could not be read: the client has gone or is too slow", "error", err)
		fail(w, http.StatusInternalServerError)
		return
	}
	defer body.Close()
	e, err := t.endpoint(r.Context())
	if err != nil {
		log.Error("no handler is ready", "error", err)
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	c := &call{trigger: t, endpoint: e, log: log, memory: memory}
	c.run(w, r, c.forwarding(r, where, body, forwardedHeader(r, id, t.Traced)))
}

// bind reads a body of known length to its end, as the real host does before it calls a function.
func (t *Trigger) bind(r *http.Request, memory *bodyMemory) (io.ReadCloser, error) {
	if r.ContentLength <= 0 {
		return io.NopCloser(r.Body), nil // the server closes it
	}
	body, first, err := spool(r.Body)
	if err == nil && first == '{' {
		memory.parsedAsJSON(r.ContentLength)
	}
	return body, err
}

// endpoint waits for a ready handler until the caller has gone or the host stops.
func (t *Trigger) endpoint(ctx context.Context) (*worker.Endpoint, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(t.Stopping, cancel)()
	return t.Endpoint(ctx)
}
