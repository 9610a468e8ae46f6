// Package faultproxy puts a TCP proxy in front of a real part, so that a test can take the part away, or let it hang, and bring it back.
package faultproxy

import (
	"math/rand/v2"
	"net"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/Shopify/toxiproxy/v2"
	"github.com/rs/zerolog"

	"sheetdrop/internal/devstack/devtest"
)

// Proxy stands in front of one address.
type Proxy struct {
	Address string // loopback; the same after Cut and Restore
	proxy   *toxiproxy.Proxy
}

// New starts a proxy in front of an address. It ends with the test.
func New(t testing.TB, upstream string) *Proxy {
	t.Helper()
	server := toxiproxy.NewServer(toxiproxy.NewMetricsContainer(nil), zerolog.Nop())
	for tries := 1; ; tries++ {
		p := toxiproxy.NewProxy(server, upstream, address(), upstream)
		err := p.Start()
		if err == nil {
			t.Cleanup(p.Stop)
			return &Proxy{Address: p.Listen, proxy: p}
		}
		if tries == 100 {
			t.Fatal(err)
		}
	}
}

// address is one below the ranges from which systems take outgoing connections: it is still free when the proxy comes back after Cut.
func address() string {
	const first, behind = 10240, 32768
	return net.JoinHostPort("127.0.0.1", strconv.Itoa(first+rand.IntN(behind-first))) //nolint:gosec // no secret
}

// Cut breaks all connections and refuses new ones.
func (p *Proxy) Cut() { p.proxy.Stop() }

// Reset breaks all connections, and every new one when it is used.
func (p *Proxy) Reset(t testing.TB) {
	t.Helper()
	p.poison(t, `{"name":"reset up","type":"reset_peer","stream":"upstream"}`)
	p.poison(t, `{"name":"reset down","type":"reset_peer","stream":"downstream"}`)
}

// Delay lets answers wait for 100 to 300 ms.
func (p *Proxy) Delay(t testing.TB) {
	t.Helper()
	p.poison(t, `{"name":"delay","type":"latency","stream":"downstream","attributes":{"latency":200,"jitter":100}}`)
}

// Restore ends Cut, Hang, Throttle, Reset and Delay. It waits for what is on its way to a client that is throttled, so
// do not freeze that one.
func (p *Proxy) Restore(t testing.TB) {
	t.Helper()
	p.proxy.Toxics.ResetToxics(t.Context())
	if err := p.proxy.Start(); err != nil && !strings.Contains(err.Error(), "already") {
		t.Fatal(err)
	}
}

// Hang accepts connections and passes nothing more through them, in either direction.
func (p *Proxy) Hang(t testing.TB) {
	t.Helper()
	p.poison(t, `{"name":"hang up","type":"timeout","stream":"upstream","attributes":{"timeout":0}}`)
	p.poison(t, `{"name":"hang down","type":"timeout","stream":"downstream","attributes":{"timeout":0}}`)
}

// Throttle lets answers through at about 3 MB/s.
func (p *Proxy) Throttle(t testing.TB) {
	t.Helper()
	p.poison(t, `{"name":"throttle","type":"bandwidth","stream":"downstream","attributes":{"rate":3000}}`)
}

func (p *Proxy) poison(t testing.TB, toxic string) {
	t.Helper()
	if _, err := p.proxy.Toxics.AddToxicJson(strings.NewReader(toxic)); err != nil {
		t.Fatal(err)
	}
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
