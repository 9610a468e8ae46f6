package worker

import (
	"context"
	"net"
	"sync"
)

// SendFirstConn is a connection to the handler over which no answer is seen while a request is being sent: .NET's
// HttpClient writes a body to its end before it reads, and fails if it cannot.
type SendFirstConn struct {
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
	return &SendFirstConn{Conn: conn, closed: make(chan struct{})}, nil
}

// Hold keeps answers back until release is called.
func (c *SendFirstConn) Hold() (release func()) {
	sent := make(chan struct{})
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sent = sent
	return sync.OnceFunc(func() { close(sent) })
}

// Read waits for the release.
func (c *SendFirstConn) Read(p []byte) (int, error) {
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

// Close ends a waiting Read as well.
func (c *SendFirstConn) Close() error {
	c.close.Do(func() { close(c.closed) })
	return c.Conn.Close()
}
