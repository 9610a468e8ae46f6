//go:build linux

package chaos

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
)

// upload is what a caller holds in hands after 202, and what has to come of it.
type upload struct {
	number     int
	name       string
	key        string
	size       int
	sum        [sha256.Size]byte
	status     string // how its tasks end, if nobody does anything
	code       string
	want       string // the sheets
	rows       int
	accepted   time.Duration
	file, task uuid.UUID

	// What its caller did then.
	cancelled bool // the first task may be CANCELLED
	surely    bool // and must be
	again     int  // tasks after the first
	doubtful  int  // requests for another task that were not answered, of which each may have made one
	deleted   bool // the file
	emptied   bool // the first task's rows
}

// callers is how many uploads can be under way at once; each slow one is.
const callers = 12

// uploadAll uploads a file at each of its moments, or as soon after as a caller is free, until the time is over and all are answered.
func (s *soak) uploadAll(t *testing.T) {
	numbers := make(chan int)
	var calling sync.WaitGroup
	for range callers {
		calling.Go(func() {
			for n := range numbers {
				s.upload(t, n)
			}
		})
	}
	for n := 0; ; n++ {
		at := time.Duration(float64(n) / uploadsPerSecond * float64(time.Second))
		if at >= s.length || !s.pause(t, time.Until(s.began.Add(at))) {
			break
		}
		select {
		case numbers <- n:
		case <-t.Context().Done():
		}
	}
	close(numbers)
	calling.Wait()
}

// upload sends the n-th file until it is accepted, and lets its caller do whatever else that one has in mind.
func (s *soak) upload(t *testing.T, n int) {
	f := newFile(t, s.seed, n)
	random := rand.New(rand.NewPCG(s.seed, 1<<33+uint64(n)))
	u := &upload{
		number: n, name: f.name, key: uuid.NewString(), size: len(f.content), sum: sha256.Sum256(f.content), status: f.status, code: f.code, want: f.want(),
	}
	for i := range f.sheets {
		u.rows += f.sheets[i].rows.count
	}
	slow := time.Duration(0)
	if random.IntN(3) == 0 {
		slow = between(random, 500*time.Millisecond, 3*time.Second)
	}
	if u.file, u.task = s.send(t, f, u.key, slow); u.task == uuid.Nil {
		return
	}
	u.accepted = time.Since(s.began)
	s.mu.Lock()
	s.uploads = append(s.uploads, u)
	s.mu.Unlock()
	s.actOn(t, u, random)
}

// send sends a file until it is accepted; uuid.Nil where it is not.
func (s *soak) send(t *testing.T, f *sheetFile, key string, slow time.Duration) (file, task uuid.UUID) {
	query := url.Values{"name": {f.name}}
	maps.Copy(query, f.options)
	s.underWay.Add(1)
	defer s.underWay.Add(-1)
	_, text := s.insist(t, request{
		method: http.MethodPost, path: "/api/files?" + query.Encode(), kind: "application/octet-stream", key: key, body: f.content, slow: slow,
	}, http.StatusAccepted)
	if text == nil {
		return uuid.Nil, uuid.Nil
	}
	var answer struct{ File, Task struct{ ID uuid.UUID } }
	if err := json.Unmarshal(text, &answer); err != nil {
		t.Errorf("seed %d: upload of %s: %v in %s", s.seed, f.name, err, text)
	}
	return answer.File.ID, answer.Task.ID
}

// request is what a caller wants.
type request struct {
	method, path, kind, key string
	body                    []byte
	slow                    time.Duration // how long the body takes to be sent
	failed                  func()        // is told of each time that it was not answered well
}

// insist repeats a request at one instance or the other until it is answered as wanted, as callers must who get no answer, or 5xx. Any other
// answer, and the end of the test, gives no text.
func (s *soak) insist(t *testing.T, r request, want ...int) (status int, text []byte) {
	doors := []*instance{s.instances["a"], s.instances["b"]}
	for n := 0; s.inTime(t, r.method+" "+r.path); n++ {
		status, text, err := s.try(t.Context(), doors[rand.IntN(2)].url(), r)
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
	if time.Since(s.began) > s.length+patience {
		t.Errorf("seed %d: %s has not come, %s after the end", s.seed, what, patience)
		return false
	}
	return true
}

var client = &http.Client{Timeout: 20 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}

func (s *soak) try(ctx context.Context, door string, r request) (status int, text []byte, err error) {
	if door == "" {
		return 0, nil, errDown
	}
	var body io.Reader = bytes.NewReader(r.body)
	if r.slow > 0 {
		body = &slowly{ctx: ctx, rest: r.body, wait: r.slow / 10, part: len(r.body)/10 + 1}
	}
	request, err := http.NewRequestWithContext(ctx, r.method, door+r.path, body)
	if err != nil {
		return 0, nil, err
	}
	request.ContentLength = int64(len(r.body))
	if r.kind != "" {
		request.Header.Set("Content-Type", r.kind)
	}
	if r.key != "" {
		request.Header.Set("Idempotency-Key", r.key)
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

// awaitTask asks for a task until it has ended, and gives its state.
func (s *soak) awaitTask(t *testing.T, id uuid.UUID) string {
	for s.inTime(t, "the end of task "+id.String()) {
		_, text := s.insist(t, request{method: http.MethodGet, path: fmt.Sprintf("/api/tasks/%s?wait=10s", id)}, http.StatusOK)
		if text == nil {
			return ""
		}
		if status, err := statusOf(text); err != nil || status != "PENDING" && status != "PROCESSING" {
			return status
		}
	}
	return ""
}

func statusOf(text []byte) (string, error) {
	var answer struct{ Status string }
	if err := json.Unmarshal(text, &answer); err != nil {
		return "", err
	}
	if answer.Status == "" {
		return "", errors.New("no status")
	}
	return answer.Status, nil
}
