// Package faultproxy puts a TCP proxy in front of a real service, so that a test can take the service away, or let it hang, and bring it
// back.
package faultproxy

import (
	"math/rand/v2"
	"net"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"

	"sheetdrop/internal/devstack/devtest"
)

// Proxy stands in front of one address. It has one fault at a time, and is safe for concurrent use.
type Proxy struct {
	Address  string // loopback; the same after Cut and Restore
	upstream string
	running  sync.WaitGroup

	mu       sync.Mutex
	listener net.Listener // nil after Cut
	fault    fault
	links    map[*link]struct{}
}

// fault is what happens to the bytes that pass.
type fault int

const (
	none fault = iota
	hang
	reset
	delay
	throttle
)

// New starts a proxy in front of an address, until the test ends.
func New(t testing.TB, upstream string) *Proxy {
	t.Helper()
	p := &Proxy{upstream: upstream, links: map[*link]struct{}{}}
	for tries := 1; ; tries++ {
		p.Address = address()
		err := p.listen()
		if err == nil {
			break
		}
		if tries == 100 {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() {
		p.Cut()
		p.running.Wait()
	})
	return p
}

// address is one below the ranges from which systems take outgoing connections: it is still free when the proxy comes back after Cut.
func address() string {
	const first, behind = 10240, 32768
	return net.JoinHostPort("127.0.0.1", strconv.Itoa(first+rand.IntN(behind-first))) //nolint:gosec // no secret
}

// Cut breaks all connections and refuses new ones.
func (p *Proxy) Cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.listener != nil {
		_ = p.listener.Close()
		p.listener = nil
	}
	for l := range p.links {
		l.close()
	}
}

// Hang accepts connections and passes nothing more through them, in either direction.
func (p *Proxy) Hang() { p.set(hang) }

// Holds reports that bytes have come that Hang holds back.
func (p *Proxy) Holds() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for l := range p.links {
		if l.hung.Load() {
			return true
		}
	}
	return false
}

// Reset breaks every connection when it is used.
func (p *Proxy) Reset() { p.set(reset) }

// Delay lets answers wait for 100 to 300 ms.
func (p *Proxy) Delay() { p.set(delay) }

// Throttle lets answers through at about 3 MB/s.
func (p *Proxy) Throttle() { p.set(throttle) }

// Restore ends the fault. Connections that have lost bytes in Hang are broken.
func (p *Proxy) Restore(t testing.TB) {
	t.Helper()
	p.set(none)
	if err := p.listen(); err != nil {
		t.Fatal(err)
	}
}

func (p *Proxy) set(f fault) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.fault = f
	for l := range p.links {
		if f == none && l.hung.Load() {
			l.close()
		}
	}
}

func (p *Proxy) current() fault {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.fault
}

// listen takes connections, unless it does already.
func (p *Proxy) listen() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.listener != nil {
		return nil
	}
	listener, err := net.Listen("tcp", p.Address)
	if err != nil {
		return err
	}
	p.listener = listener
	p.running.Go(func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return // closed
			}
			p.running.Go(func() { p.serve(listener, client) })
		}
	})
	return nil
}

func (p *Proxy) serve(listener net.Listener, client net.Conn) {
	server, err := net.Dial("tcp", p.upstream)
	if err != nil {
		_ = client.Close()
		return
	}
	l := &link{client: client, server: server, closed: make(chan struct{})}
	defer l.close()
	if p.admit(listener, l) {
		defer p.forget(l)
		l.run(p.current)
	}
}

// admit reports whether the listener that took the connection has not been closed by Cut since.
func (p *Proxy) admit(listener net.Listener, l *link) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	admitted := p.listener == listener
	if admitted {
		p.links[l] = struct{}{}
	}
	return admitted
}

func (p *Proxy) forget(l *link) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.links, l)
}

// Storage puts one proxy in front of the queue and one in front of the blobs, and returns the storage's settings through them.
func Storage(t testing.TB, parts devtest.StorageParts) (through devtest.StorageParts, blobs, queue *Proxy) {
	t.Helper()
	fields := strings.Split(parts.ConnectionString, ";")
	for i, field := range fields {
		name, value, _ := strings.Cut(field, "=")
		switch name {
		case "BlobEndpoint":
			blobs, fields[i] = inFront(t, name, value)
		case "QueueEndpoint":
			queue, fields[i] = inFront(t, name, value)
		}
	}
	if blobs == nil || queue == nil {
		t.Fatal("the connection string names no endpoints")
	}
	parts.ConnectionString = strings.Join(fields, ";")
	return parts, blobs, queue
}

func inFront(t testing.TB, name, endpoint string) (*Proxy, string) {
	t.Helper()
	u, err := url.Parse(endpoint)
	if err != nil {
		t.Fatal(err)
	}
	p := New(t, u.Host)
	u.Host = p.Address
	return p, name + "=" + u.String()
}
