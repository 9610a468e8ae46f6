package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"syscall"
	"testing"
)

// Ctrl+C ends the wait and not the task. People are told, or they would upload the file a second time.
func TestInterruptedUploadGoesOn(t *testing.T) {
	t.Parallel()
	const id = "0193c1a2-0000-7000-8000-000000000001"
	asked := make(chan struct{}, 1)
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/api/health":
			fmt.Fprint(w, `{}`)
		case "/api/files":
			w.WriteHeader(http.StatusAccepted)
			fmt.Fprintf(w, `{"task":{"id":%q,"status":"PENDING"}}`, id)
		default: // the task, which does not end
			asked <- struct{}{}
			<-r.Context().Done()
		}
	}))
	t.Cleanup(service.Close)
	p := start(t, "upload", "--url", service.URL, filepath.Join("samples", "prices.csv"))
	<-asked
	kill(t, p.Process.Pid, syscall.SIGINT)
	if status := p.end(); status != 130 {
		t.Errorf("exit status %d", status)
	}
	want(t, p.progress.String(), "prices.csv: the server has it and goes on", "To cancel: sheetdrop cancel "+id)
}
