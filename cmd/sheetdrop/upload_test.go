package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"unicode"

	"sheetdrop/cmd/sheetdrop/internal/server"
)

// Without a server people learn that nothing was uploaded, and so do scripts, by the exit status.
func TestUploadWithoutAServerFails(t *testing.T) {
	t.Parallel()
	status, p := run(t, "upload", "--url", "http://127.0.0.1:1", filepath.Join("samples", "prices.csv"))
	if status == 0 {
		t.Error("exit status 0")
	}
	want(t, p.out.String(), "prices.csv: not taken: ")
	want(t, p.progress.String(), "one file was not loaded")
}

// Without an address files go to the sheetdrop of the checkout. If that is not running, the error says how to start it.
func TestUploadFindsTheServerOfTheCheckout(t *testing.T) {
	t.Parallel()
	checkout := t.TempDir()
	upload := func(flags ...string) *program {
		cmd := exec.Command(os.Args[0], append([]string{"upload", "file.csv"}, flags...)...)
		cmd.Dir = filepath.Join(checkout, "below")
		p := startCommand(t, cmd, "")
		if p.end() == 0 {
			t.Error("exit status 0")
		}
		return p
	}
	write(t, filepath.Join(checkout, "below", "file.csv"), "a\n1\n")
	want(t, upload().progress.String(), "Name the running one with --url")
	write(t, filepath.Join(checkout, "host.json"), "{}")
	write(t, filepath.Join(checkout, "go.mod"), "")
	want(t, upload().progress.String(), "start one with `sheetdrop local`")
	write(t, filepath.Join(checkout, ".sheetdrop", "local.json"), `{"api_url":"http://127.0.0.1:1/api"}`)
	want(t, upload().out.String(), "not taken: ", "http://127.0.0.1:1/api/files")
	elsewhere := t.TempDir()
	want(t, upload("--data", elsewhere).progress.String(), "no sheetdrop runs on "+elsewhere)
	write(t, filepath.Join(elsewhere, "local.json"), `{"api_url":"http://127.0.0.1:2/api"}`)
	want(t, upload("--data", elsewhere).out.String(), "not taken: ", "http://127.0.0.1:2/api/files")
}

// A deployed sheetdrop is called with a token; without one people learn that they need it, and the page for signing in is not taken for an
// answer.
func TestDeployedServerIsCalledWithAToken(t *testing.T) {
	t.Parallel()
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer a-token" {
			http.Redirect(w, r, "/login", http.StatusFound)
			return
		}
		fmt.Fprint(w, `{"count":3}`)
	}))
	t.Cleanup(front.Close)
	for token, prints := range map[string]string{
		"a-token": "3 messages queued again\n", "another": "0 messages queued again\n", "": "0 messages queued again\n",
	} {
		cmd := exec.Command(os.Args[0], "redrive", "--all-failed", "--url", front.URL)
		cmd.Env = []string{server.TokenVariable + "=" + token}
		p := startCommand(t, cmd, "")
		if status := p.end(); (status == 0) != (token == "a-token") {
			t.Errorf("with the token %q: exit status %d", token, status)
		}
		want(t, p.out.String(), prints)
		if token != "a-token" {
			want(t, p.progress.String(), server.TokenVariable, "302")
		}
	}
}

// The host on Azure answers a request with a byte beyond ASCII in its head with 500. A file's name may have such characters all the same.
func TestRequestHeadIsASCII(t *testing.T) {
	t.Parallel()
	const name = "注文 & 在庫±%.csv"
	heads := make(chan string, 1)
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/api/files" {
			http.NotFound(w, r)
			return
		}
		heads <- fmt.Sprint(r.RequestURI, r.Header)
		if got := r.URL.Query().Get("name"); got != name {
			t.Errorf("name %q, want %q", got, name)
		}
		w.WriteHeader(http.StatusInternalServerError)
	}))
	t.Cleanup(service.Close)
	file := filepath.Join(t.TempDir(), name)
	write(t, file, "a\n1\n")
	run(t, "upload", "--url", service.URL, file)
	if head := <-heads; strings.ContainsFunc(head, func(r rune) bool { return r > unicode.MaxASCII }) {
		t.Errorf("sent %s", head)
	}
}

// The host on Azure answers a file that is too large with an empty 500. So the limit is requested before, and smaller files are still sent.
func TestTooLargeFileIsNotSent(t *testing.T) {
	t.Parallel()
	var sent atomic.Int32
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/api/health" {
			fmt.Fprint(w, `{"status":"ok","max_upload_bytes":100}`)
			return
		}
		sent.Add(1)
		w.WriteHeader(http.StatusInternalServerError)
	}))
	t.Cleanup(service.Close)
	large, small := filepath.Join(t.TempDir(), "large.csv"), filepath.Join(t.TempDir(), "small.csv")
	write(t, large, strings.Repeat("x", 101))
	write(t, small, strings.Repeat("x", 100))
	status, p := run(t, "upload", "--url", service.URL, large, small)
	if status == 0 || sent.Load() != 1 {
		t.Errorf("exit status %d, %d files sent", status, sent.Load())
	}
	want(t, p.out.String(), "large.csv: not taken: it has 101 bytes, and the service takes 100 at most",
		"small.csv: not taken: the server answered")
}

// A server without direct uploads, because it is an older one or they are turned off, gets a large file in one request; also one that a deployment
// has just replaced by an older one.
func TestUploadToAServerWithoutDirectUploads(t *testing.T) {
	t.Parallel()
	large := filepath.Join(t.TempDir(), "large.csv")
	write(t, large, strings.Repeat("x", 5<<20))
	for name, health := range map[string]string{
		"older":      `{"status":"ok","max_upload_bytes":10000000}`,
		"turned off": `{"status":"ok","max_upload_bytes":10000000,"max_direct_upload_bytes":0}`,
		"replaced":   `{"status":"ok","max_upload_bytes":10000000,"max_direct_upload_bytes":10000000}`,
	} {
		var sent atomic.Int64
		service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch r.URL.Path {
			case "/api/health":
				fmt.Fprint(w, health)
			case "/api/files":
				n, _ := io.Copy(io.Discard, r.Body)
				sent.Add(n)
				w.WriteHeader(http.StatusInternalServerError)
			default:
				http.NotFound(w, r)
			}
		}))
		t.Cleanup(service.Close)
		cmd := exec.Command(os.Args[0], "upload", "--url", service.URL, large)
		cmd.Env = []string{"XDG_CACHE_HOME=" + t.TempDir()}
		startCommand(t, cmd, "").end()
		if sent.Load() != 5<<20 {
			t.Errorf("%s: %d bytes were sent in one request", name, sent.Load())
		}
	}
}

// A refusal of a large upload is told in the server's words at once, if trying again does not help before long.
func TestRefusedLargeUpload(t *testing.T) {
	t.Parallel()
	large := filepath.Join(t.TempDir(), "large.csv")
	write(t, large, strings.Repeat("x", 5<<20))
	cache := t.TempDir()
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/api/health" {
			fmt.Fprint(w, `{"status":"ok","max_upload_bytes":10000000,"max_direct_upload_bytes":10000000}`)
			return
		}
		w.Header().Set("Retry-After", "7200")
		w.WriteHeader(http.StatusTooManyRequests)
		fmt.Fprint(w, `{"status":429,"code":"quota_exceeded","detail":"The next day begins at midnight UTC."}`)
	}))
	t.Cleanup(service.Close)
	cmd := exec.Command(os.Args[0], "upload", "--url", service.URL, large)
	cmd.Env = []string{"XDG_CACHE_HOME=" + cache}
	p := startCommand(t, cmd, "")
	if status := p.end(); status != 1 {
		t.Errorf("exit status %d", status)
	}
	want(t, p.out.String(), "large.csv: not taken: The next day begins at midnight UTC. (quota_exceeded)")
	if left, err := os.ReadDir(filepath.Join(cache, "sheetdrop", "uploads")); err != nil || len(left) > 0 {
		t.Errorf("kept: %v %v", left, err)
	}
}
