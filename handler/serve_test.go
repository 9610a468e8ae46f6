package main

import (
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// pipes is a listener without a network, so that a test's clock can run ahead while everything waits.
type pipes struct {
	taken  chan net.Conn
	closed context.Context
	close  context.CancelFunc
}

func listenWithoutNetwork() *pipes {
	closed, end := context.WithCancel(context.Background())
	return &pipes{make(chan net.Conn), closed, end}
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case conn := <-p.taken:
		return conn, nil
	case <-p.closed.Done():
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error   { p.close(); return nil }
func (p *pipes) Addr() net.Addr { return &net.UnixAddr{} }

// request sends one and returns what comes back, up to the connection's end.
func (p *pipes) request(t *testing.T) (answered <-chan string) {
	client, server := net.Pipe()
	p.taken <- server
	if _, err := io.WriteString(client, "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"); err != nil {
		t.Error(err)
	}
	answer := make(chan string, 1)
	go func() {
		text, _ := io.ReadAll(client)
		answer <- string(text)
	}()
	return answer
}

// A handler that is told to stop lets requests end that need some seconds, and itself ends within the ten seconds in
// which the platform, and the next handler that wants its port, expect it to.
func TestStopIsGracefulAndShort(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		takes    time.Duration
		answered bool
	}{
		"a request of 5 s": {5 * time.Second, true},
		"one of an hour":   {time.Hour, false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				listener := listenWithoutNetwork()
				stopping, stop := context.WithCancel(t.Context())
				died, die := context.WithCancel(t.Context()) // the process, with the requests that go on
				ended := make(chan error, 1)
				go func() {
					ended <- serve(stopping, listener, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
						select {
						case <-time.After(c.takes):
							_, _ = io.WriteString(w, "done")
						case <-died.Done():
						}
					}))
				}()
				answer := listener.request(t)
				synctest.Wait()
				stop()
				begun := time.Now()
				if err := <-ended; err != nil {
					t.Error(err)
				}
				if took := time.Since(begun); took > 10*time.Second {
					t.Errorf("the handler ended after %s, want 10 s at the most", took)
				}
				die()
				if got := strings.HasSuffix(<-answer, "done"); got != c.answered {
					t.Errorf("the request was answered: %t, want %t", got, c.answered)
				}
			})
		})
	}
}
