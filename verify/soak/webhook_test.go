//go:build linux

package soak

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

// receiver gets webhooks, and behaves badly until it is calmed: it hangs, breaks off, refuses, redirects, or answers what is too long or too
// slow to be read.
type receiver struct {
	*httptest.Server
	bad  int // of a hundred requests
	calm atomic.Bool

	mu   sync.Mutex
	mail []mail // in the order of their coming, with repetitions
}

type mail struct {
	id     uuid.UUID
	header http.Header
	body   []byte
}

func newReceiver(t *testing.T, bad int) *receiver {
	t.Helper()
	r := &receiver{bad: bad}
	r.Server = httptest.NewUnstartedServer(r)
	r.Config.ErrorLog = log.New(io.Discard, "", 0)
	r.Start()
	t.Cleanup(r.Close)
	return r
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	misbehave := !r.calm.Load() && rand.IntN(100) < r.bad
	if misbehave && rand.IntN(8) == 0 {
		panic(http.ErrAbortHandler) // before it has read anything
	}
	body, err := io.ReadAll(request.Body)
	if err != nil {
		return // the sender is gone
	}
	id, _ := uuid.Parse(request.Header.Get("webhook-id")) // uuid.Nil is none that there is
	r.mu.Lock()
	r.mail = append(r.mail, mail{id, request.Header, body})
	r.mu.Unlock()
	if misbehave {
		r.misbehave(w, request)
	}
}

func (r *receiver) misbehave(w http.ResponseWriter, request *http.Request) {
	switch rand.IntN(6) {
	case 0:
		panic(http.ErrAbortHandler)
	case 1:
		http.Redirect(w, request, r.URL+"/elsewhere", http.StatusTemporaryRedirect)
	case 2:
		_, _ = w.Write(bytes.Repeat([]byte("x"), 10<<20)) // a 200 all the same
	case 3:
		<-request.Context().Done() // until the sender gives up
	case 4:
		r.trickle(w, request)
	default:
		http.Error(w, "no", http.StatusServiceUnavailable)
	}
}

// trickle answers 500 and then byte by byte.
func (r *receiver) trickle(w http.ResponseWriter, request *http.Request) {
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	w.WriteHeader(http.StatusInternalServerError)
	for {
		_, _ = w.Write([]byte("x"))
		_ = http.NewResponseController(w).Flush()
		select {
		case <-tick.C:
		case <-request.Context().Done():
			return
		}
	}
}

// createWebhooks subscribes a receiver that is well and one that is not. A creation whose answer is lost leaves one more for the same receiver.
func (s *soak) createWebhooks(t *testing.T) {
	t.Helper()
	s.receivers = []*receiver{newReceiver(t, 0), newReceiver(t, 40)}
	for _, r := range s.receivers {
		s.insist(t, request{
			method: http.MethodPost, path: "/api/webhooks", kind: "application/json", body: fmt.Appendf(nil, `{"url":%q}`, r.URL),
		}, http.StatusCreated)
	}
}

// calmReceivers ends their bad behaviour.
func (s *soak) calmReceivers() {
	for _, r := range s.receivers {
		r.calm.Store(true)
	}
}

// event is one for a webhook, as the database has it.
type event struct {
	ID        uuid.UUID
	WebhookID uuid.UUID
	URL       string
	Secret    []byte
	TaskID    uuid.UUID
	Payload   string
	Attempts  int
}

// checkWebhooks holds that each end of each task was written for each webhook, came at its receiver at least once, signed, and in the order of
// the task.
func (s *soak) checkWebhooks(t *testing.T) {
	t.Helper()
	missing := s.lines(t, `select concat(t.id, ' is ', t.status, ', and webhook ', w.id, ' was told ', coalesce((
  select string_agg(type, ', ' order by seq) from sheetdrop.webhook_delivery where task_id = t.id and webhook_id = w.id), 'nothing'))
from sheetdrop.task t cross join sheetdrop.webhook w
where (select type from sheetdrop.webhook_delivery where task_id = t.id and webhook_id = w.id order by seq desc limit 1)
  is distinct from 'task.' || lower(t.status) limit 10`)
	if missing != "" {
		t.Errorf("seed %d: ends of tasks that were not written:%s", s.seed, missing)
	}
	rows, err := s.sql.Query(t.Context(), `select d.id, d.webhook_id, w.url, w.secret, d.task_id, d.payload, d.attempts
from sheetdrop.webhook_delivery d join sheetdrop.webhook w on w.id = d.webhook_id order by d.seq`)
	if err != nil {
		t.Fatal(err)
	}
	events, err := pgx.CollectRows(rows, pgx.RowToStructByName[event])
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range s.receivers {
		s.checkReceiver(t, r, events)
	}
}

// checkReceiver holds what came at a receiver against the events for it, which are in the order of their tasks' ends.
func (s *soak) checkReceiver(t *testing.T, r *receiver, events []event) {
	t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	first := map[uuid.UUID]int{} // where an event came for the first time
	for at, m := range r.mail {
		if _, came := first[m.id]; !came {
			first[m.id] = at
		}
	}
	type chain struct{ webhook, task uuid.UUID }
	last, expected, attempts := map[chain]int{}, 0, 0
	for _, e := range events {
		if e.URL != r.URL {
			continue
		}
		expected++
		attempts += e.Attempts
		at, came := first[e.ID]
		if !came {
			t.Errorf("seed %d: event %s of task %s never came", s.seed, e.ID, e.TaskID)
			continue
		}
		of := chain{e.WebhookID, e.TaskID}
		if at < last[of] {
			t.Errorf("seed %d: event %s of task %s has overtaken an earlier one", s.seed, e.ID, e.TaskID)
		}
		last[of] = at
		s.checkMail(t, r.mail[at], e)
	}
	if len(first) != expected {
		t.Errorf("seed %d: a receiver got %d events, of %d", s.seed, len(first), expected)
	}
	t.Logf("a receiver of whose answers %d %% were bad got %d events in %d requests, of %d attempts", r.bad, expected, len(r.mail), attempts)
}

func (s *soak) checkMail(t *testing.T, m mail, e event) {
	t.Helper()
	verifier, err := standardwebhooks.NewWebhook("whsec_" + base64.StdEncoding.EncodeToString(e.Secret))
	if err == nil {
		err = verifier.VerifyIgnoringTimestamp(m.body, m.header)
	}
	if err != nil || string(m.body) != e.Payload {
		t.Errorf("seed %d: event %s: %v, %s, want %s", s.seed, e.ID, err, m.body, e.Payload)
	}
}
