package main

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"syscall"
	"testing"

	"sheetdrop/internal/devstack/devtest"
)

// Ctrl+C ends the waiting and not the work: who believed otherwise would upload the file a second time.
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
	if status := p.end(); status == 0 {
		t.Error("exit status 0")
	}
	want(t, p.progress.String(), "prices.csv: the server has it and goes on", "curl -X POST "+service.URL+"/api/tasks/"+id+"/cancel")
}

// Where another program has the usual port, that is said, for the addresses of the documentation lead to it.
func TestTakenPortIsSaid(t *testing.T) {
	t.Parallel()
	if other, err := net.Listen("tcp", "127.0.0.1:7071"); err == nil {
		t.Cleanup(func() { other.Close() })
	} // else somebody else has it
	said := &devtest.Log{}
	address, err := hostAddress(&console{progress: said}, 0)
	if err != nil {
		t.Fatal(err)
	}
	want(t, said.String(), "127.0.0.1:7071 is taken by another program", address)
}
