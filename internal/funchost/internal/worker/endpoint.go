package worker

import (
	"context"
	"net"
	"net/http"
	"net/url"
	"sync"
	"time"
)

// Endpoint is one ready handler process as calls see it.
type Endpoint struct {
	Life     context.Context // of its host
	URL      *url.URL
	Calls    *http.Transport // for envelopes: a connection failure is the answer
	Requests *http.Transport // for proxied requests; see SendFirstConn

	expire  sync.Once
	expired chan struct{} // closed when a function timed out and the process must be replaced
}

func newEndpoint(life context.Context, address string) *Endpoint {
	return &Endpoint{
		Life:     life,
		URL:      &url.URL{Scheme: "http", Host: address},
		Calls:    NewTransport(),
		Requests: newTransport(dialSendFirst),
		expired:  make(chan struct{}),
	}
}

// NewTransport returns a transport with the real host's settings.
func NewTransport() *http.Transport { return newTransport(dial) }

func newTransport(dial func(ctx context.Context, network, address string) (net.Conn, error)) *http.Transport {
	return &http.Transport{
		DialContext: dial, DisableCompression: true, MaxIdleConnsPerHost: 64, IdleConnTimeout: time.Minute,
		ExpectContinueTimeout: time.Second, // .NET's
	}
}

func dial(ctx context.Context, network, address string) (net.Conn, error) {
	return (&net.Dialer{Timeout: 30 * time.Second}).DialContext(ctx, network, address)
}

func (e *Endpoint) close() {
	e.Calls.CloseIdleConnections()
	e.Requests.CloseIdleConnections()
}

// CloseIfReplaced closes connections that a request has left after the end of its handler.
func (e *Endpoint) CloseIfReplaced(g *Gate) {
	if !g.serves(e) {
		e.close()
	}
}
