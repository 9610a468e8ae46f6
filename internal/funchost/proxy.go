package funchost

import (
	"context"
	"io"
	"net/http"

	"github.com/google/uuid"
)

// httpTrigger passes requests on to the handler, streaming both ways.
type httpTrigger struct {
	host   *Host
	routes []route
	traced bool // with a traceparent
	memory *hostMemory
}

func (t *httpTrigger) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	t.host.requests.Add(1)
	defer t.host.requests.Done()
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
	for _, route := range t.routes {
		if route.matches(r.Method, where.path) {
			t.invoke(w, r, where, route.function)
			return
		}
	}
	fail(w, http.StatusNotFound)
}

func (t *httpTrigger) invoke(w http.ResponseWriter, r *http.Request, where target, function string) {
	id := uuid.NewString()
	log := t.host.config.Logger.With("function", function, "invocation_id", id)
	limit := t.host.options.maxBody
	if r.ContentLength > limit {
		log.Error("the request body is over the host's limit", "bytes", r.ContentLength, "limit", limit)
		refuse(w, http.StatusInternalServerError)
		return
	}
	memory := t.memory.request(r)
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
	c := &call{host: t.host, endpoint: e, log: log, memory: memory}
	c.run(w, r, c.forwarding(r, where, body, forwardedHeader(r, id, t.traced)))
}

// bind reads a body of known length to its end, as the real host does before it calls a function.
func (t *httpTrigger) bind(r *http.Request, memory *bodyMemory) (io.ReadCloser, error) {
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
func (t *httpTrigger) endpoint(ctx context.Context) (*endpoint, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(t.host.stopping, cancel)()
	return t.host.endpoint(ctx)
}
