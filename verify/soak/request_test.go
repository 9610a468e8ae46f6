//go:build linux

package soak

import (
	"bytes"
	"context"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"testing"
	"time"
)

// request is what a caller wants.
type request struct {
	method, path, kind, key string
	at                      string // where to, in place of any instance
	body                    []byte
	slow                    time.Duration // how long the body takes to be sent
	failed                  func()        // is told of each time that it was not answered well
}

// insist repeats a request at one instance or the other until it is answered as wanted, as callers must who get no answer, or 5xx. Any other
// answer, and the end of the test, returns no text.
func (s *soak) insist(t *testing.T, r request, want ...int) (status int, text []byte) {
	for n := 0; s.inTime(t, r.method+" "+r.path); n++ {
		status, text, err := s.try(t.Context(), r)
		switch {
		case err == nil && slices.Contains(want, status):
			return status, text
		case err == nil && status < http.StatusInternalServerError && status != http.StatusRequestTimeout:
			t.Errorf("seed %d: %s %s: %d %s, want %v", s.seed, r.method, r.path, status, text, want)
			return status, nil
		}
		s.unanswered.Add(1)
		if r.failed != nil {
			r.failed()
		}
		r.slow = 0
		s.pause(t, min(time.Second, 50*time.Millisecond<<min(n, 5)))
	}
	return 0, nil
}

// inTime is false, and fails the test, where what somebody waits for has not come long after the last fault.
func (s *soak) inTime(t *testing.T, what string) bool {
	if t.Context().Err() != nil {
		return false
	}
	if time.Since(s.began) > s.length+settleTimeout {
		t.Errorf("seed %d: %s has not come, %s after the end", s.seed, what, settleTimeout)
		return false
	}
	return true
}

var client = &http.Client{Timeout: 20 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}

// try sends a request once.
func (s *soak) try(ctx context.Context, r request) (status int, text []byte, err error) {
	at := r.at
	if at == "" {
		at = s.instances[[]string{"a", "b"}[rand.IntN(2)]].url()
	}
	if at == "" {
		return 0, nil, errDown
	}
	var body io.Reader = bytes.NewReader(r.body)
	if r.slow > 0 {
		body = &slowly{ctx: ctx, rest: r.body, wait: r.slow / 10, part: len(r.body)/10 + 1}
	}
	request, err := http.NewRequestWithContext(ctx, r.method, at+r.path, body)
	if err != nil {
		return 0, nil, err
	}
	request.ContentLength = int64(len(r.body))
	if r.kind != "" {
		request.Header.Set("Content-Type", r.kind)
	}
	if r.key != "" {
		request.Header.Set("Idempotency-Key", r.key)
		request.Header.Set("Traceparent", "00-"+traceOf(r.key)+"-00f067aa0ba902b7-01")
	}
	response, err := client.Do(request)
	if err != nil {
		return 0, nil, err
	}
	defer response.Body.Close()
	text, err = io.ReadAll(response.Body)
	return response.StatusCode, text, err
}

// slowly is a body that comes in ten pieces, with pauses between them.
type slowly struct {
	ctx  context.Context // a reader is given none
	rest []byte
	wait time.Duration
	part int
}

func (r *slowly) Read(p []byte) (int, error) {
	if len(r.rest) == 0 {
		return 0, io.EOF
	}
	pause := time.NewTimer(r.wait)
	defer pause.Stop()
	select {
	case <-pause.C:
	case <-r.ctx.Done():
		return 0, r.ctx.Err()
	}
	n := copy(p, r.rest[:min(r.part, len(r.rest))])
	r.rest = r.rest[n:]
	return n, nil
}
