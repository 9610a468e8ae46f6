package funchost

import (
	"context"
	"net"
	"net/http"
	"net/url"
	"sync"
	"time"
)

// endpoint is one ready handler process as calls see it.
type endpoint struct {
	life     context.Context // of its host
	url      *url.URL
	calls    *http.Transport // for envelopes: a connection failure is the answer
	requests *http.Transport // for proxied requests

	expire  sync.Once
	expired chan struct{} // closed when a function timed out and the process must be replaced
}

func newEndpoint(life context.Context, address string) *endpoint {
	return &endpoint{
		life:     life,
		url:      &url.URL{Scheme: "http", Host: address},
		calls:    newTransport(dial),
		requests: newTransport(dialSendFirst),
		expired:  make(chan struct{}),
	}
}

func newTransport(dial func(ctx context.Context, network, address string) (net.Conn, error)) *http.Transport {
	return &http.Transport{
		DialContext: dial, DisableCompression: true, MaxIdleConnsPerHost: 64, IdleConnTimeout: time.Minute,
		ExpectContinueTimeout: time.Second, // .NET's
	}
}

func dial(ctx context.Context, network, address string) (net.Conn, error) {
	return (&net.Dialer{Timeout: 30 * time.Second}).DialContext(ctx, network, address)
}

func (e *endpoint) close() {
	e.calls.CloseIdleConnections()
	e.requests.CloseIdleConnections()
}

// closeIfReplaced closes connections that a request has left after the end of its handler.
func (e *endpoint) closeIfReplaced(g *gate) {
	if !g.serves(e) {
		e.close()
	}
}

// gate holds calls back while no handler is ready.
type gate struct {
	mu     sync.Mutex
	ready  *endpoint     // nil while shut
	opened chan struct{} // closed when ready is set
}

func newGate() *gate { return &gate{opened: make(chan struct{})} }

func (g *gate) open(e *endpoint) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.ready = e
	close(g.opened)
}

// shut holds calls back that would go to e.
func (g *gate) shut(e *endpoint) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.ready == e {
		g.ready = nil
		g.opened = make(chan struct{})
	}
}

func (g *gate) serves(e *endpoint) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.ready == e
}

// replace asks for e's process to be killed and started again. No further call goes to it.
func (g *gate) replace(e *endpoint) {
	g.shut(e)
	e.expire.Do(func() { close(e.expired) })
}

// wait returns the ready handler, at once if there is one even when ctx has ended.
func (g *gate) wait(ctx context.Context) (*endpoint, error) {
	for {
		g.mu.Lock()
		ready, opened := g.ready, g.opened
		g.mu.Unlock()
		if ready != nil {
			return ready, nil
		}
		select {
		case <-opened:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}
