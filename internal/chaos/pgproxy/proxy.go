// Package pgproxy is a TCP proxy for tests that knows just enough of PostgreSQL's wire protocol to break a connection
// at a chosen moment: before a COMMIT reaches the server, after it took effect and before its answer reaches the
// client, or long after the client gave up. It also notes the statements that pass.
package pgproxy

import (
	"net"
	"net/url"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
)

// Proxy stands between clients and one PostgreSQL server. It passes everything on until it is told otherwise.
type Proxy struct {
	t        testing.TB
	listener net.Listener
	url      string

	serverNetwork, serverAddress string

	closed chan struct{}
	wg     sync.WaitGroup

	mu       sync.Mutex
	refusing bool
	sessions map[*session]struct{}
	faults   []*fault
	cuts     int
	refused  int

	statements []string // in the order in which they came
}

// New starts a proxy on loopback in front of the server of databaseURL (postgres://…), until the test ends.
func New(t testing.TB, databaseURL string) *Proxy {
	t.Helper()
	config, err := pgconn.ParseConfig(databaseURL)
	if err != nil {
		t.Fatalf("pgproxy: %v", err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatalf("pgproxy: %v", err)
	}
	p := &Proxy{t: t, listener: listener, closed: make(chan struct{}), sessions: map[*session]struct{}{}}
	p.url = throughProxy(t, databaseURL, listener.Addr().String())
	p.serverNetwork, p.serverAddress = pgconn.NetworkAddress(config.Host, config.Port)
	p.wg.Go(p.accept)
	t.Cleanup(p.close)
	return p
}

// URL is the database's URL through the proxy, without TLS, which it cannot look into.
func (p *Proxy) URL() string { return p.url }

func throughProxy(t testing.TB, databaseURL, address string) string {
	t.Helper()
	u, err := url.Parse(databaseURL)
	if err != nil || u.Scheme == "" {
		t.Fatalf("pgproxy: %q is no URL: %v", databaseURL, err)
	}
	u.Host = address
	query := u.Query()
	query.Del("host")
	query.Del("port")
	query.Set("sslmode", "disable")
	u.RawQuery = query.Encode()
	return u.String()
}

// Cut resets every connection that is open now, on both sides. New ones are still taken: see Refuse.
func (p *Proxy) Cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for s := range p.sessions {
		p.cuts++
		s.reset()
	}
}

// Silence has every connection that is open now pass nothing on any more, while both sides believe it alive: as behind
// a router that forgets it. New ones are sound.
func (p *Proxy) Silence() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for s := range p.sessions {
		s.silent.Store(true)
	}
}

// Refuse resets every new connection until Restore. The open ones live on: see Cut.
func (p *Proxy) Refuse() { p.setRefusing(true) }

// Restore ends Refuse.
func (p *Proxy) Restore() { p.setRefusing(false) }

func (p *Proxy) setRefusing(refusing bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.refusing = refusing
}

// Cuts is how many open connections have been cut so far: by it a test proves that its fault did happen.
func (p *Proxy) Cuts() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.cuts
}

// Refused is how many new connections have been refused so far. A client that lost its connection may count twice: to cancel what it had
// asked for it makes another.
func (p *Proxy) Refused() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.refused
}

func (p *Proxy) countCut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cuts++
}

func (p *Proxy) accept() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return // closed
		}
		p.wg.Go(func() { p.serve(client) })
	}
}

func (p *Proxy) serve(client net.Conn) {
	server, err := net.Dial(p.serverNetwork, p.serverAddress)
	if err != nil {
		reset(client)
		return
	}
	s := newSession(p, client, server)
	if !p.admit(s) {
		s.reset()
		return
	}
	defer p.forget(s)
	s.run()
}

func (p *Proxy) admit(s *session) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.refusing {
		p.refused++
		return false
	}
	p.sessions[s] = struct{}{}
	return true
}

func (p *Proxy) forget(s *session) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.sessions, s)
}

func (p *Proxy) close() {
	close(p.closed)
	_ = p.listener.Close()
	p.Refuse()
	p.Cut()
	p.wg.Wait()
}
