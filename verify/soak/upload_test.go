//go:build linux

package soak

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
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
	cancelled bool          // the first task may be CANCELLED
	surely    bool          // and must be
	again     int           // tasks after the first
	doubtful  int           // requests for another task that were not answered, of which each may have made one
	deleted   bool          // the file
	emptied   bool          // the first task's rows
	direct    *directUpload // how its bytes went straight to the store; nil where they did not
}

// newUpload is the upload of a file.
func newUpload(number int, f *sheetFile) *upload {
	u := &upload{
		number: number, name: f.name, key: uuid.NewString(), size: len(f.content), sum: sha256.Sum256(f.content), status: f.status, code: f.code,
		want: f.want(),
	}
	for i := range f.sheets {
		u.rows += f.sheets[i].rows.count
	}
	return u
}

// callers is how many uploads can be under way at once; each slow one is.
const callers = 32

// uploadAll uploads a file at each of its moments, or as soon after as a caller is free, until the time is over and all are answered. A machine
// that has too much to do is behind with them then, and those that have not begun do not begin any more.
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
		if at >= s.length || time.Since(s.began) >= s.length || !s.pause(t, time.Until(s.began.Add(at))) {
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
	if n%directEvery == directEvery-1 {
		s.uploadDirectly(t, n)
		return
	}
	if n%targetEvery == targetEvery-2 {
		s.uploadIntoTarget(t, n)
		return
	}
	f := newFile(t, s.seed, n)
	random := rand.New(rand.NewPCG(s.seed, 1<<33+uint64(n)))
	u := newUpload(n, f)
	slow := time.Duration(0)
	if random.IntN(3) == 0 {
		slow = between(random, 500*time.Millisecond, 3*time.Second)
	}
	if u.file, u.task = s.send(t, f, u.key, slow); u.task == uuid.Nil {
		return
	}
	s.accepted(u)
	s.actOn(t, u, f, random)
}

// accepted notes that an upload is the service's from now on.
func (s *soak) accepted(u *upload) {
	u.accepted = time.Since(s.began)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.uploads = append(s.uploads, u)
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
	return s.idsIn(t, text)
}

// idsIn reads the ids of a file and its task in an answer.
func (s *soak) idsIn(t *testing.T, text []byte) (file, task uuid.UUID) {
	var answer struct{ File, Task struct{ ID uuid.UUID } }
	if err := json.Unmarshal(text, &answer); err != nil {
		t.Errorf("seed %d: %v in %s", s.seed, err, text)
	}
	return answer.File.ID, answer.Task.ID
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
