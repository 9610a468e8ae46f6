package funchost

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"sync"
	"sync/atomic"
	"time"
)

// How often the real host sends a request before it gives up, and how long it waits between.
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
	scale   timeScale // of the delays, 1 or more
}

// newForwarding addresses a caller's request to the handler.
func newForwarding(r *http.Request, to *endpoint, where target, header http.Header, body *forwardedBody, scale timeScale) forwarding {
	request := &http.Request{
		Method: r.Method, URL: &url.URL{Scheme: to.url.Scheme, Host: to.url.Host, Opaque: where.String()},
		Header: header, ContentLength: r.ContentLength,
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
	return forwarding{request: request, body: body, via: to.requests, scale: max(scale, 1)}
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
		sleep(ctx, f.scale.of(delay))
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
			if conn, ok := got.Conn.(*sendFirstConn); ok && f.body != nil && f.request.Header.Get("Expect") == "" {
				release = conn.hold()
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

// forwardedBody notes that something of a body was asked for, and each movement of it.
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

// sendFirstConn is a connection to the handler over which no answer is seen while a request is being sent: .NET's
// HttpClient writes a body to its end before it reads, and fails if it cannot.
type sendFirstConn struct {
	net.Conn
	closed chan struct{}
	close  sync.Once

	mu   sync.Mutex
	sent chan struct{} // closed when the request is sent; nil if there is nothing to wait for
}

func dialSendFirst(ctx context.Context, network, address string) (net.Conn, error) {
	conn, err := dial(ctx, network, address)
	if err != nil {
		return nil, err
	}
	return &sendFirstConn{Conn: conn, closed: make(chan struct{})}, nil
}

// hold keeps what is read back until release is called.
func (c *sendFirstConn) hold() (release func()) {
	sent := make(chan struct{})
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sent = sent
	return sync.OnceFunc(func() { close(sent) })
}

func (c *sendFirstConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	c.mu.Lock()
	sent := c.sent
	c.mu.Unlock()
	if sent == nil {
		return n, err
	}
	select {
	case <-sent:
		return n, err
	case <-c.closed:
		return 0, net.ErrClosed
	}
}

func (c *sendFirstConn) Close() error {
	c.close.Do(func() { close(c.closed) })
	return c.Conn.Close()
}
