package relay

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"sheetdrop/bench/testbed"
	"sheetdrop/internal/azure"
	"sheetdrop/internal/task"
)

// sink is where messages end: always by the client that our relay sends with, over one transport or another.
type sink interface {
	open(ctx context.Context) error
	queue() (*azure.Queue, error)
	count(ctx context.Context) (int, error) // of messages so far
	close()
}

// payload is a message as an upload's.
func payload() []byte {
	id := task.NewID()
	return task.ParseMessage{Version: 1, MessageID: id, TaskID: id}.Encode()
}

// azurite is a real queue.
type azurite struct {
	testbed *testbed.Testbed
	warmUp  int // messages that it takes before any counts
	storage azure.Settings
}

func (a *azurite) open(ctx context.Context) (err error) {
	if a.storage, err = a.testbed.NewStorage(ctx); err != nil {
		return err
	}
	queue, err := a.queue()
	if err != nil {
		return err
	}
	_, _, err = testbed.Each(ctx, a.warmUp, 16, func(ctx context.Context, _ int) error { return queue.Send(ctx, payload()) })
	return err
}

func (a *azurite) queue() (*azure.Queue, error) {
	_, queue, err := azure.Open(a.storage)
	return queue, err
}

func (a *azurite) count(ctx context.Context) (int, error) {
	queue, err := a.queue()
	if err != nil {
		return 0, err
	}
	length, _, err := queue.Lengths(ctx)
	return int(length), err
}

func (a *azurite) close() {}

// nothing answers at once, in this process.
type nothing struct{ taken atomic.Int64 }

// putAnswer is the least that the SDK takes for an answer to Put Message.
const putAnswer = `<?xml version="1.0" encoding="utf-8"?><QueueMessagesList><QueueMessage></QueueMessage></QueueMessagesList>`

func (n *nothing) open(context.Context) error { return nil }

func (n *nothing) queue() (*azure.Queue, error) {
	return openThrough(func(http.RoundTripper) http.RoundTripper { return n })
}

// RoundTrip implements http.RoundTripper.
func (n *nothing) RoundTrip(r *http.Request) (*http.Response, error) {
	if _, err := io.Copy(io.Discard, r.Body); err != nil {
		return nil, err
	}
	n.taken.Add(1)
	return &http.Response{
		StatusCode: http.StatusCreated, Status: "201 Created", ProtoMajor: 1, ProtoMinor: 1, Request: r,
		Header: http.Header{"Content-Type": {"application/xml"}}, Body: io.NopCloser(strings.NewReader(putAnswer)),
		ContentLength: int64(len(putAnswer)),
	}, nil
}

func (n *nothing) count(context.Context) (int, error) { return int(n.taken.Load()), nil }

func (n *nothing) close() {}

// openThrough returns a queue that no request reaches but by the transport.
func openThrough(transport func(http.RoundTripper) http.RoundTripper) (*azure.Queue, error) {
	_, queue, err := azure.Open(azure.Settings{
		Connection: "UseDevelopmentStorage=true", Container: "none", Queue: "none", Transport: transport,
	})
	return queue, err
}

// stub is an HTTP server that answers after a millisecond.
type stub struct {
	server *http.Server
	at     string
	taken  atomic.Int64
}

func (s *stub) open(context.Context) error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	s.at = listener.Addr().String()
	s.server = &http.Server{ReadHeaderTimeout: time.Minute, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body bytes.Buffer
		if _, err := body.ReadFrom(r.Body); err != nil {
			return
		}
		<-time.After(time.Millisecond)
		s.taken.Add(1)
		w.Header().Set("Content-Type", "application/xml")
		w.WriteHeader(http.StatusCreated)
		io.WriteString(w, putAnswer) //nolint:errcheck // the client says so
	})}
	go s.server.Serve(listener) //nolint:errcheck // until close
	return nil
}

func (s *stub) queue() (*azure.Queue, error) {
	return openThrough(func(next http.RoundTripper) http.RoundTripper { return redirect{next, s.at} })
}

func (s *stub) count(context.Context) (int, error) { return int(s.taken.Load()), nil }

func (s *stub) close() { _ = s.server.Close() }

// redirect sends all requests to one address.
type redirect struct {
	next http.RoundTripper
	to   string
}

// RoundTrip implements http.RoundTripper.
func (d redirect) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.URL.Host = d.to
	return d.next.RoundTrip(r)
}
