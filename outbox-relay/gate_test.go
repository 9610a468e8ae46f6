package outbox_test

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"testing"

	"sheetdrop/internal/devstack/devtest"
)

// gate lets the messages that are put into the queue wait, for as long as the test likes, and then passes them on.
type gate struct {
	Arrived chan struct{} // one for each message that has come
	opened  chan struct{}
	open    sync.Once
}

// Open lets through what waits and what comes.
func (g *gate) Open() { g.open.Do(func() { close(g.opened) }) }

// gated puts a gate in front of the queue, and returns the storage's settings through it.
func gated(t *testing.T, parts devtest.StorageParts) (devtest.StorageParts, *gate) {
	t.Helper()
	g := &gate{Arrived: make(chan struct{}, 1000), opened: make(chan struct{})}
	_, rest, _ := strings.Cut(parts.ConnectionString, "QueueEndpoint=")
	endpoint, _, _ := strings.Cut(rest, ";")
	queue, err := url.Parse(endpoint)
	if err != nil || queue.Host == "" {
		t.Fatalf("queue endpoint %q: %v", endpoint, err)
	}
	pass := httputil.NewSingleHostReverseProxy(&url.URL{Scheme: queue.Scheme, Host: queue.Host})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/messages") {
			g.Arrived <- struct{}{}
			<-g.opened
		}
		if r.Context().Err() != nil {
			return // the sender has given up
		}
		pass.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	t.Cleanup(g.Open)
	front := strings.Replace(endpoint, queue.Scheme+"://"+queue.Host, server.URL, 1)
	parts.ConnectionString = strings.Replace(parts.ConnectionString, endpoint, front, 1)
	return parts, g
}
