package azure_test

import (
	"encoding/base64"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"sheetdrop/internal/azure"
	"sheetdrop/internal/chaos/faultproxy"
	"sheetdrop/internal/devstack/devtest"
	"sheetdrop/internal/fault"
)

// The host decodes base64, and a message that waits for weeks is still one.
func TestSend(t *testing.T) {
	t.Parallel()
	_, queue, p := open(t)
	if err := queue.Send(t.Context(), []byte(`{"v":1}`)); err != nil {
		t.Fatal(err)
	}
	client, _ := p.Queues(t)
	got, err := client.DequeueMessage(t.Context(), nil)
	if err != nil || len(got.Messages) != 1 {
		t.Fatalf("%d messages, %v, want 1", len(got.Messages), err)
	}
	m := got.Messages[0]
	if text, err := base64.StdEncoding.DecodeString(*m.MessageText); err != nil || string(text) != `{"v":1}` {
		t.Errorf("message %q, %v", text, err)
	}
	if m.ExpirationTime.Year() < 9999 {
		t.Errorf("the message expires at %s", m.ExpirationTime)
	}
}

// Lengths count invisible messages; a poison queue that nobody has made is empty.
func TestLengths(t *testing.T) {
	t.Parallel()
	_, queue, _ := open(t)
	for range 3 {
		if err := queue.Send(t.Context(), []byte("x")); err != nil {
			t.Fatal(err)
		}
	}
	if n, poison, err := queue.Lengths(t.Context()); n != 3 || poison != 0 || err != nil {
		t.Errorf("lengths %d and %d, %v, want 3 and 0", n, poison, err)
	}
}

// What is at fault for an error decides whether a message is tried for ever or given up.
func TestWhoseFault(t *testing.T) {
	t.Parallel()
	parts := devtest.Storage(t)
	through, _, proxy := faultproxy.Storage(t, parts)
	send := func(s azure.Settings, message string) error {
		_, queue, err := azure.Open(s)
		if err != nil {
			t.Fatal(err)
		}
		return queue.Send(t.Context(), []byte(message))
	}
	wrongKey := strings.Replace(parts.ConnectionString, "AccountKey=E", "AccountKey=F", 1)
	if wrongKey == parts.ConnectionString {
		t.Fatal("the key was not changed")
	}
	proxy.Cut()
	for name, c := range map[string]struct {
		err  error
		want fault.Side
	}{
		"too large":     {send(azure.Settings{Connection: parts.ConnectionString, Queue: parts.Queue}, strings.Repeat("x", 1<<16)), fault.Message},
		"missing queue": {send(azure.Settings{Connection: parts.ConnectionString, Queue: "no-such-queue"}, "x"), fault.Service},
		"wrong key":     {send(azure.Settings{Connection: wrongKey, Queue: parts.Queue}, "x"), fault.Service},
		"refused":       {send(azure.Settings{Connection: through.ConnectionString, Queue: parts.Queue}, "x"), fault.Service},
	} {
		if c.err == nil {
			t.Errorf("%s: sent", name)
		}
		if got := fault.Of(c.err); got != c.want {
			t.Errorf("%s: side %d, want %d: %v", name, got, c.want, c.err)
		}
	}
}

// The same by the status of the answer, for those that the emulator never gives: a server in its place says nothing else.
func TestStorageStatusesAreClassified(t *testing.T) {
	t.Parallel()
	for status, want := range map[int]fault.Side{
		400: fault.Message, 413: fault.Message, 409: fault.Unknown, 412: fault.Unknown,
		401: fault.Service, 403: fault.Service, 404: fault.Service, 408: fault.Service, 429: fault.Service,
		500: fault.Service, 502: fault.Service, 503: fault.Service, 504: fault.Service,
	} {
		var calls atomic.Int32
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			calls.Add(1)
			w.WriteHeader(status)
		}))
		t.Cleanup(server.Close)
		connection := "DefaultEndpointsProtocol=http;AccountName=a;AccountKey=a2V5;BlobEndpoint=" + server.URL + "/a;QueueEndpoint=" + server.URL + "/a;"
		_, queue, err := azure.Open(azure.Settings{Connection: connection, Container: "files", Queue: "tasks"})
		if err != nil {
			t.Fatal(err)
		}
		err = queue.Send(t.Context(), []byte("x"))
		if err == nil {
			t.Errorf("%d: sent", status)
		}
		if got := fault.Of(err); got != want {
			t.Errorf("%d: side %d, want %d: %v", status, got, want, err)
		}
		if n := calls.Load(); n != 1 {
			t.Errorf("%d: %d calls, want 1: a second one may be a second message", status, n)
		}
	}
}
