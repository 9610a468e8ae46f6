//go:build linux

package soak

import (
	"encoding/json"
	"math/rand/v2"
	"net/http"
	"sync"
	"testing"

	"github.com/google/uuid"
)

// directEvery is how many uploads there are to one whose bytes go straight to the store.
const directEvery = 8

// fates are what becomes of such uploads, in turn.
var fates = []struct {
	name    string
	live    func(s *soak, t *testing.T, d *directUpload)
	command bool // the command line is the client, which sends small files in one request
}{
	{"resumed", (*soak).resume, false},
	{"command killed and resumed", (*soak).killAndResume, true},
	{"completed by two at once", (*soak).completeTwice, false},
	{"aborted", (*soak).abort, false},
	{"answer lost", (*soak).loseAnswer, false},
	{"abandoned", (*soak).abandon, false},
	{"command killed", (*soak).killCommand, true},
	{"aborted while completed", (*soak).abortWhileCompleted, false},
}

func (s *soak) uploadDirectly(t *testing.T, n int) {
	s.underWay.Add(1)
	defer s.underWay.Add(-1)
	fate := fates[n/directEvery%len(fates)]
	random := rand.New(rand.NewPCG(s.seed, 1<<34+uint64(n)))
	d := &directUpload{sheetFile: newLargeFile(n, random, fate.command), number: n, key: uuid.NewString(), random: random}
	fate.live(s, t, d)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.left = append(s.left, d.name)
	s.fates[fate.name]++
}

// resume goes on with an upload that was broken off, under a new address, and sends nothing twice.
func (s *soak) resume(t *testing.T, d *directUpload) {
	if !s.beginAndBreakOff(t, d) || !s.begin(t, d) {
		return
	}
	_, shown := s.insist(t, request{method: http.MethodGet, path: d.path("")}, http.StatusOK)
	_, renewed := s.insist(t, request{method: http.MethodPost, path: d.path("/sas")}, http.StatusOK)
	if shown == nil || renewed == nil {
		return
	}
	var (
		found   struct{ Stored []struct{ First, Last int } }
		address struct{ URL string }
	)
	if json.Unmarshal(shown, &found) != nil || json.Unmarshal(renewed, &address) != nil || address.URL == "" {
		t.Errorf("seed %d: upload %d is shown as %s", s.seed, d.number, shown)
		return
	}
	d.address = address.URL
	s.putBlocks(t, d, func(number int) bool {
		for _, r := range found.Stored {
			if r.First <= number && number <= r.Last {
				return true
			}
		}
		return false
	})
	s.finish(t, d)
}

// completeTwice has two complete an upload at once, who get the same file.
func (s *soak) completeTwice(t *testing.T, d *directUpload) {
	if !s.beginAndPut(t, d) {
		return
	}
	var (
		completing  sync.WaitGroup
		files, jobs [2]uuid.UUID
	)
	for i := range files {
		completing.Go(func() { files[i], jobs[i] = s.complete(t, d) })
	}
	completing.Wait()
	s.wantSame(t, d, files[0], jobs[0], files[1], jobs[1])
	if jobs[0] != uuid.Nil {
		s.acceptedDirectly(d, files[0], jobs[0])
	}
}

func (s *soak) wantSame(t *testing.T, d *directUpload, file, job, otherFile, otherJob uuid.UUID) {
	if file != otherFile || job != otherJob {
		t.Errorf("seed %d: upload %d is file %s with task %s, and file %s with task %s", s.seed, d.number, file, job, otherFile, otherJob)
	}
}

// loseAnswer completes an upload some times without an answer, and then with two.
func (s *soak) loseAnswer(t *testing.T, d *directUpload) {
	if !s.beginAndPut(t, d) {
		return
	}
	for range 3 {
		s.isGone(t, d, d.completion())
	}
	file, job := s.complete(t, d)
	if job == uuid.Nil {
		return
	}
	againFile, againJob := s.complete(t, d)
	s.wantSame(t, d, file, job, againFile, againJob)
	s.acceptedDirectly(d, file, job)
}

// abort ends an upload, which nobody can complete then.
func (s *soak) abort(t *testing.T, d *directUpload) {
	if !s.beginAndBreakOff(t, d) {
		return
	}
	s.insist(t, request{method: http.MethodDelete, path: d.path("")}, http.StatusNoContent)
	s.insist(t, d.completion(), http.StatusGone)
}

func (s *soak) abandon(t *testing.T, d *directUpload) { s.beginAndBreakOff(t, d) }

// abortWhileCompleted has an upload completed and aborted at once: one of both succeeds.
func (s *soak) abortWhileCompleted(t *testing.T, d *directUpload) {
	if !s.beginAndPut(t, d) {
		return
	}
	var (
		both               sync.WaitGroup
		completed, aborted int
		text               []byte
	)
	both.Go(func() { completed, text = s.insist(t, d.completion(), http.StatusAccepted, http.StatusGone) })
	both.Go(func() {
		aborted, _ = s.insist(t, request{method: http.MethodDelete, path: d.path("")}, http.StatusNoContent, http.StatusConflict)
	})
	both.Wait()
	if (completed == http.StatusAccepted) != (aborted == http.StatusConflict) {
		t.Errorf("seed %d: upload %d: completing it is answered with %d, aborting it with %d", s.seed, d.number, completed, aborted)
	}
	if completed == http.StatusAccepted {
		file, job := s.idsIn(t, text)
		s.acceptedDirectly(d, file, job)
	}
}
