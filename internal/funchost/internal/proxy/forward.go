package proxy

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"sync/atomic"
	"time"

	"sheetdrop/internal/funchost/internal/timing"
	"sheetdrop/internal/funchost/internal/worker"
)

// How often the real host sends a request, and the delays between.
const (
	forwardAttempts = 10                    // of its retry handler; 1.9 s all together
	connectionTries = 4                     // of .NET's HttpClient in each attempt, for a request without body
	firstRetryDelay = 50 * time.Millisecond // never scaled down: a handler restarts no faster for it
	mostRetryDelay  = 250 * time.Millisecond
)

var (
	errBodyConsumed = errors.New("the stream was already consumed")
	errNotASCII     = errors.New("request headers must contain only ASCII characters")
)

// forwarding is one request on its way to the handler.
type forwarding struct {
	request *http.Request
	body    *forwardedBody // nil for none
	via     *http.Transport
	scale   timing.Scale // of the delays, 1 or more
}

// newForwarding addresses a caller's request to the handler.
func newForwarding(
	r *http.Request, to *worker.Endpoint, where target, header http.Header, body *forwardedBody, scale timing.Scale,
) forwarding {
	request := &http.Request{
		Method: r.Method, URL: &url.URL{Scheme: to.URL.Scheme, Host: to.URL.Host, Opaque: where.String()},
		Header: header, ContentLength: r.ContentLength,
		ProtoMajor: 1, ProtoMinor: 1, // else net/http sends the body at once, whatever Expect says
	}
	switch {
	case body != nil:
		request.Body = body
	case r.Method != http.MethodGet && r.Method != http.MethodHead && r.Method != http.MethodDelete && r.Method != http.MethodOptions:
		request.Body, request.TransferEncoding = http.NoBody, []string{"identity"} // makes net/http send Content-Length: 0, as .NET does
	}
	if len(r.Trailer) > 0 { // announced still, although no trailer is passed on
		request.Trailer = http.Header{}
		for name := range r.Trailer {
			request.Trailer[name] = nil
		}
	}
	return forwarding{request: request, body: body, via: to.Requests, scale: max(scale, 1)}
}

// send returns the handler's answer. Whatever goes wrong is tried again, with the same invocation id: a request without
// body may reach the handler, or two of them, up to forty times. A body can be sent only once.
func (f forwarding) send(ctx context.Context) (*http.Response, error) {
	delay := firstRetryDelay
	for attempt := 1; ; attempt++ {
		answer, err := f.attempt(ctx)
		if err == nil || attempt == forwardAttempts || ctx.Err() != nil {
			return answer, err
		}
		delay = min(delay*time.Duration(attempt), mostRetryDelay)
		timing.Sleep(ctx, f.scale.Of(delay))
	}
}

func (f forwarding) attempt(ctx context.Context) (*http.Response, error) {
	if !isASCII(f.request.Header) {
		return nil, errNotASCII
	}
	if f.body != nil && f.body.begun.Load() {
		return nil, errBodyConsumed
	}
	for connections := new(atomic.Int32); ; {
		before := connections.Load()
		answered := new(atomic.Bool)
		answer, err := f.via.RoundTrip(f.request.WithContext(f.trace(ctx, connections, answered)))
		if err == nil || f.body != nil || ctx.Err() != nil ||
			answered.Load() || connections.Load() == before || connections.Load() >= connectionTries {
			return answer, err
		}
	}
}

// trace counts the connections over which the request is sent, notes the first byte of an answer, and holds the answer back
// until the body is sent.
func (f forwarding) trace(ctx context.Context, connections *atomic.Int32, answered *atomic.Bool) context.Context {
	release := func() {}
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn: func(got httptrace.GotConnInfo) {
			connections.Add(1)
			if conn, ok := got.Conn.(*worker.SendFirstConn); ok && f.body != nil && f.request.Header.Get("Expect") == "" {
				release = conn.Hold()
			}
		},
		WroteRequest: func(wrote httptrace.WroteRequestInfo) {
			if wrote.Err == nil {
				release()
			}
		},
		GotFirstResponseByte: func() { answered.Store(true) },
	})
}

// forwardedBody notes that a body has been read from, and each read.
type forwardedBody struct {
	io.Reader
	begun  atomic.Bool
	moved  func(bytes int)
	failed func(error) // other than at its end
}

func (b *forwardedBody) Read(p []byte) (int, error) {
	b.begun.Store(true)
	n, err := b.Reader.Read(p)
	b.moved(n)
	if err != nil && !errors.Is(err, io.EOF) {
		b.failed(err)
	}
	return n, err
}

// Close leaves the body to the server that reads it from the client.
func (b *forwardedBody) Close() error { return nil }
