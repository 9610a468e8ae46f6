package faultproxy

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"

	"sheetdrop/internal/devstack/await"
)

// Each fault keeps a client from its answer, and Restore brings the service back under its address. A test whose fault does not happen proves nothing.
func TestFaultsTakeTheServiceAway(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]func(*Proxy){
		"cut": (*Proxy).Cut, "reset": (*Proxy).Reset, "hang": (*Proxy).Hang,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			proxy, ask := service(t)
			if err := ask(); err != nil { // and the client keeps the connection
				t.Fatal(err)
			}
			fault(proxy)
			answered := make(chan error, 1)
			go func() { answered <- ask() }()
			if name == "hang" {
				await.Until(t, "the request is lost", proxy.lost)
				proxy.Restore(t) // which the request does not survive
			}
			if err := <-answered; err == nil {
				t.Error("the client had an answer")
			}
			proxy.Restore(t)
			if err := ask(); err != nil {
				t.Errorf("after Restore: %v", err)
			}
		})
	}
}

// Cut refuses connections: a client must not take the proxy for a service that is there and broken.
func TestCutRefusesConnections(t *testing.T) {
	t.Parallel()
	proxy, _ := service(t)
	proxy.Cut()
	if connection, err := net.Dial("tcp", proxy.Address); err == nil {
		connection.Close()
		t.Error("the proxy takes connections")
	}
}

// Whatever passes a slow proxy arrives, and as it was sent.
func TestSlowAnswersArriveWhole(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]func(*Proxy){"delay": (*Proxy).Delay, "throttle": (*Proxy).Throttle} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			proxy, ask := service(t)
			fault(proxy)
			if err := ask(); err != nil {
				t.Error(err)
			}
		})
	}
}

// service is one behind a proxy, and how to ask it, over one connection as long as that lasts.
func service(t *testing.T) (*Proxy, func() error) {
	t.Helper()
	want := bytes.Repeat([]byte("0123456789"), 50_000)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(want) }))
	t.Cleanup(server.Close)
	proxy := New(t, server.Listener.Addr().String())
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	return proxy, func() error {
		response, err := (&http.Client{Transport: transport}).Post("http://"+proxy.Address, "", nil)
		if err != nil {
			return err
		}
		defer response.Body.Close()
		got, err := io.ReadAll(response.Body)
		if err == nil && !bytes.Equal(got, want) {
			err = fmt.Errorf("%d bytes, want %d", len(got), len(want))
		}
		return err
	}
}

func (p *Proxy) lost() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for l := range p.links {
		if l.hung.Load() {
			return true
		}
	}
	return false
}
