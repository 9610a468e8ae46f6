//go:build linux

package soak

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/xml"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"path"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"sheetdrop/internal/task"
)

// witness stands right in front of the queue and notes what becomes of the tasks' messages there, whatever the handlers and hosts believe.
type witness struct {
	mu      sync.Mutex
	queued  map[uuid.UUID][]*queuedMessage // by the outbox's message
	inQueue map[string]*queuedMessage      // by the queue's id
}

// queuedMessage is one message that the queue has accepted.
type queuedMessage struct {
	taskID      uuid.UUID
	at, deleted time.Time // deleted is zero while it is there
}

type textKey struct{}

// watchQueue puts a witness in front of the queue of a connection string. It keeps no connection open: storage waits for those when it is stopped.
func watchQueue(t *testing.T, connection string) (*witness, string) {
	t.Helper()
	w := &witness{queued: map[uuid.UUID][]*queuedMessage{}, inQueue: map[string]*queuedMessage{}}
	fields := strings.Split(connection, ";")
	for i, field := range fields {
		if endpoint, ok := strings.CutPrefix(field, "QueueEndpoint="); ok {
			fields[i] = "QueueEndpoint=" + w.inFrontOf(t, endpoint)
		}
	}
	return w, strings.Join(fields, ";")
}

func (w *witness) inFrontOf(t *testing.T, endpoint string) string {
	t.Helper()
	target, err := url.Parse(endpoint)
	if err != nil {
		t.Fatal(err)
	}
	proxy := &httputil.ReverseProxy{
		Transport:      &http.Transport{DisableKeepAlives: true},
		Rewrite:        func(p *httputil.ProxyRequest) { p.Out.URL.Scheme, p.Out.URL.Host = target.Scheme, target.Host },
		ModifyResponse: w.note,
		ErrorHandler:   func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) },
	}
	server := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		text, err := io.ReadAll(r.Body)
		if err != nil {
			panic(http.ErrAbortHandler) // the caller is gone
		}
		r.Body = io.NopCloser(bytes.NewReader(text))
		proxy.ServeHTTP(rw, r.WithContext(context.WithValue(r.Context(), textKey{}, text)))
	}))
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	t.Cleanup(server.Close)
	return server.URL + target.Path
}

// note reads requests that have succeeded. Source: https://learn.microsoft.com/rest/api/storageservices/put-message and /delete-message2
func (w *witness) note(answer *http.Response) error {
	request := answer.Request
	switch {
	case request.Method == http.MethodPost && answer.StatusCode == http.StatusCreated:
		body, err := io.ReadAll(answer.Body)
		if err != nil {
			return err
		}
		answer.Body = io.NopCloser(bytes.NewReader(body))
		w.put(request.Context().Value(textKey{}).([]byte), body)
	case request.Method == http.MethodDelete && answer.StatusCode == http.StatusNoContent:
		w.delete(path.Base(request.URL.Path))
	}
	return nil
}

func (w *witness) put(request, answer []byte) {
	var (
		sent struct{ MessageText string }
		kept struct {
			QueueMessage struct{ MessageId string } //nolint:revive // the service's name
		}
	)
	if xml.Unmarshal(request, &sent) != nil || xml.Unmarshal(answer, &kept) != nil {
		return
	}
	text, err := base64.StdEncoding.DecodeString(sent.MessageText)
	if err != nil {
		return
	}
	parsed, err := task.DecodeParseMessage(text)
	if err != nil {
		return // garbage, which is put past the witness or copied to the poison queue
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	m := &queuedMessage{taskID: parsed.TaskID, at: time.Now()}
	w.queued[parsed.MessageID] = append(w.queued[parsed.MessageID], m)
	w.inQueue[kept.QueueMessage.MessageId] = m
}

func (w *witness) delete(id string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if m := w.inQueue[id]; m != nil {
		m.deleted = time.Now()
	}
}

// accepted reports whether the queue has ever had this message of the outbox.
func (w *witness) accepted(messageID uuid.UUID) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.queued[messageID]) > 0
}

// had reports whether a message of the task was in the queue at a moment, visible or not.
func (w *witness) had(taskID uuid.UUID, moment time.Time) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, m := range w.inQueue {
		if m.taskID == taskID && m.at.Before(moment) && (m.deleted.IsZero() || m.deleted.After(moment)) {
			return true
		}
	}
	return false
}
