//go:build linux

package soak

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"testing"

	"github.com/google/uuid"
)

// actOn does with some files what callers do besides uploading. Each action is repeated until it is answered, and what must come of it is known
// then: the answer to a request whose predecessor took effect without an answer says so.
func (s *soak) actOn(t *testing.T, u *upload, f *sheetFile, random *rand.Rand) {
	switch random.IntN(50) {
	case 0, 1:
		s.cancel(t, u)
	case 2:
		s.cancel(t, u)
		s.retry(t, u)
	case 3:
		s.deleteFile(t, u)
	case 4:
		s.awaitTask(t, u.task)
		s.deleteFile(t, u)
	case 5:
		s.deleteRows(t, u)
	case 6:
		s.parseAgain(t, u)
		s.sendAgain(t, u, f)
	case 7:
		s.parseMany(t, u)
	case 8:
		s.retry(t, u)
	}
}

// command is a POST without a body.
func (s *soak) command(t *testing.T, path string, want ...int) (int, []byte) {
	return s.insist(t, request{method: http.MethodPost, path: path}, want...)
}

// cancel may come too late, or before the worker has heard of it.
func (s *soak) cancel(t *testing.T, u *upload) {
	status, text := s.command(t, fmt.Sprintf("/api/tasks/%s/cancel", u.task), http.StatusOK, http.StatusConflict)
	if status != http.StatusOK || text == nil {
		return
	}
	now, err := statusOf(text)
	if err != nil {
		t.Errorf("seed %d: cancel: %v in %s", s.seed, err, text)
	}
	u.cancelled, u.surely = true, now == "CANCELLED"
}

// retry of a task that has not FAILED and is not CANCELLED is refused, and so is the repetition of one that took effect.
func (s *soak) retry(t *testing.T, u *upload) {
	switch ended := s.awaitTask(t, u.task); ended {
	case "COMPLETED":
		s.command(t, fmt.Sprintf("/api/tasks/%s/retry", u.task), http.StatusConflict)
	case "FAILED", "CANCELLED":
		lost := false
		status, text := s.insist(t, request{
			method: http.MethodPost, path: fmt.Sprintf("/api/tasks/%s/retry", u.task), failed: func() { lost = true },
		}, http.StatusOK, http.StatusConflict)
		if status == http.StatusConflict && !lost {
			t.Errorf("seed %d: retry of task %s, which is %s: %s", s.seed, u.task, ended, text)
		}
		u.cancelled, u.surely = false, false
	}
}

func (s *soak) deleteFile(t *testing.T, u *upload) {
	lost := false
	status, text := s.insist(t, request{
		method: http.MethodDelete, path: fmt.Sprintf("/api/files/%s", u.file), failed: func() { lost = true },
	}, http.StatusNoContent, http.StatusNotFound)
	if status == http.StatusNotFound && !lost {
		t.Errorf("seed %d: delete file %s: %s", s.seed, u.file, text)
	}
	u.deleted = true
}

func (s *soak) deleteRows(t *testing.T, u *upload) {
	s.awaitTask(t, u.task)
	s.insist(t, request{method: http.MethodDelete, path: fmt.Sprintf("/api/tasks/%s", u.task)}, http.StatusNoContent)
	u.emptied = true
}

// parseAgain makes at least one more task: an answer that was lost may have made another one, which refuses the next as long as it runs.
func (s *soak) parseAgain(t *testing.T, u *upload) {
	s.awaitTask(t, u.task)
	status, text := s.insist(t, request{
		method: http.MethodPost, path: fmt.Sprintf("/api/files/%s/tasks", u.file), failed: func() { u.doubtful++ },
	}, http.StatusAccepted, http.StatusConflict)
	if status == http.StatusConflict && u.doubtful == 0 {
		t.Errorf("seed %d: parse file %s again: %s", s.seed, u.file, text)
	}
	u.again = 1
}

// sendAgain is answered as the first time, whatever happened to the file since: with the same ids.
func (s *soak) sendAgain(t *testing.T, u *upload, f *sheetFile) {
	send := func() (file, task uuid.UUID) { return s.send(t, f, u.key, 0) }
	if u.direct != nil {
		send = func() (file, task uuid.UUID) { return s.complete(t, u.direct) }
	}
	if file, task := send(); task != uuid.Nil && (file != u.file || task != u.task) {
		t.Errorf("seed %d: upload %d, sent again: file %s, task %s, want %s, %s", s.seed, u.number, file, task, u.file, u.task)
	}
}

// parseMany has the file, and one that nobody knows, parsed by one request.
func (s *soak) parseMany(t *testing.T, u *upload) {
	s.awaitTask(t, u.task)
	body := fmt.Sprintf(`{"items":[{"file_id":%q},{"file_id":%q}]}`, u.file, uuid.New())
	_, text := s.insist(t, request{
		method: http.MethodPost, path: "/api/bulk/tasks", kind: "application/json", body: []byte(body), failed: func() { u.doubtful++ },
	}, http.StatusAccepted)
	if text == nil {
		return
	}
	var answer struct {
		Accepted []struct{}
		Excluded []struct{ Reason string }
	}
	if err := json.Unmarshal(text, &answer); err != nil {
		t.Errorf("seed %d: bulk: %v in %s", s.seed, err, text)
	}
	u.again = 1
	if len(answer.Accepted)+len(answer.Excluded) != 2 || len(answer.Accepted) == 0 && u.doubtful == 0 {
		t.Errorf("seed %d: bulk: %s, want the file accepted and the other one excluded", s.seed, text)
	}
}
