package server

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"sheetdrop/internal/client"
)

// Who calls a server that takes a request and never answers is told so, and does not wait for ever.
func TestServerThatNeverAnswers(t *testing.T) {
	t.Parallel()
	ended := make(chan struct{})
	hanging := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-ended }))
	t.Cleanup(hanging.Close)
	t.Cleanup(func() { close(ended) })
	s, err := At(hanging.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	s.client.Client = newHTTPClient(time.Millisecond)
	_, err = ask[client.HealthOutputBody](s.client.GetHealth(context.Background()))
	if err == nil || !strings.HasPrefix(err.Error(), "the server took the request and has not answered: ") {
		t.Errorf("the error is %v", err)
	}
}
