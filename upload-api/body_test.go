package upload

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"sheetdrop/upload-api/internal/problem"
)

// chunked is a body whose length the client does not declare.
func chunked(body string) io.Reader { return io.MultiReader(strings.NewReader(body)) }

// P9: a body at the limit is accepted, one over it is rejected, with and without a Content-Length, and nothing of it is
// left.
func TestTooLarge(t *testing.T) {
	t.Parallel()
	const limit = 100_000
	d := newTestAPI(t, withSettings(func(s *Settings) { s.MaxBytes = limit }))
	for _, size := range []int{limit + 1, 20 * limit} {
		over := strings.Repeat("x", size)
		d.send(http.MethodPost, "/api/files?name=a.csv", strings.NewReader(over)).problem(problem.TooLarge)
		d.send(http.MethodPost, "/api/files?name=a.csv", chunked(over)).problem(problem.TooLarge)
	}
	d.nothingLeft()
	d.noBlobs()
	at := strings.Repeat("x", limit)
	if taken := d.upload("a.csv", at); taken.File.SizeBytes != limit {
		t.Errorf("took %d bytes", taken.File.SizeBytes)
	}
	d.send(http.MethodPost, "/api/files?name=a.csv", chunked(at)).into(http.StatusAccepted, &FileAndTask{})
}

// P9: nothing is left of a body either that is refused when several of its blocks have been stored.
func TestTooLargeAfterSomeBlocks(t *testing.T) {
	t.Parallel()
	const limit = 30 << 20
	storage := newStorage(t)
	storage.Transport = func(next http.RoundTripper) http.RoundTripper { return &deletesOnlyCommitted{next: next} }
	d := newTestAPI(t, withStorage(storage), withSettings(func(s *Settings) { s.MaxBytes = limit }))
	d.send(http.MethodPost, "/api/files?name=a.csv", chunked(strings.Repeat("x", limit+1))).problem(problem.TooLarge)
	d.nothingLeft()
	d.noBlobs()
}

// deletesOnlyCommitted deletes no blob of which there are only blocks, as Azure does not, though the emulator does. Source:
// https://learn.microsoft.com/rest/api/storageservices/put-block#remarks
type deletesOnlyCommitted struct {
	next      http.RoundTripper
	committed sync.Map // by path
}

func (d *deletesOnlyCommitted) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Query().Get("comp") == "block" { // one that is broken off may arrive after the refusal, and be left for the sweep
		r = r.WithContext(context.WithoutCancel(r.Context()))
	}
	if _, ok := d.committed.Load(r.URL.Path); r.Method == http.MethodDelete && !ok {
		header := http.Header{"X-Ms-Error-Code": {"BlobNotFound"}}
		return &http.Response{StatusCode: http.StatusNotFound, Header: header, Body: http.NoBody, Request: r}, nil
	}
	response, err := d.next.RoundTrip(r)
	if err == nil && r.Method == http.MethodPut && r.URL.Query().Get("comp") != "block" && response.StatusCode == http.StatusCreated {
		d.committed.Store(r.URL.Path, true)
	}
	return response, err
}

// A body that the host would not accept must not be promised: the lower limit applies, and callers who ask first are
// told.
func TestUploadLimitIsNoMoreThanTheHosts(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ ours, hosts, want int64 }{
		"the host's": {1000, 100, 100}, "ours": {100, 1000, 100}, "without a host": {100, 0, 100},
	} {
		d := newTestAPI(t, withSettings(func(s *Settings) { s.MaxBytes, s.HostMaxBytes = c.ours, c.hosts }))
		var health struct {
			Status         string
			MaxUploadBytes int64 `json:"max_upload_bytes"`
			MaxDirect      int64 `json:"max_direct_upload_bytes"`
			MaxPreview     int64 `json:"max_preview_bytes"`
		}
		if warned := strings.Contains(d.log.String(), "UPLOAD_MAX_BYTES"); warned != (c.want < c.ours) {
			t.Errorf("%s: the log says %q", name, d.log.String())
		}
		if d.get("/api/health").into(http.StatusOK, &health); health.MaxUploadBytes != c.want || health.MaxPreview != c.want {
			t.Errorf("%s: %+v, want %d bytes", name, health, c.want)
		}
		d.post("/api/files?name=a.csv", strings.Repeat("x", int(c.want)+1)).problem(problem.TooLarge)
		d.upload("a.csv", strings.Repeat("x", int(c.want)))
	}
}

// The host's proxy receives an early response although it is still sending: it would answer 502 if the connection broke
// during the body.
func TestRefusalReachesProxy(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t, withSettings(func(s *Settings) { s.MaxBytes = 1000 }))
	target, err := url.Parse(d.server.URL)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httptest.NewServer(httputil.NewSingleHostReverseProxy(target))
	t.Cleanup(proxy.Close)
	d.server = proxy
	big := strings.Repeat("x", 8<<20)
	for range 5 {
		d.send(http.MethodPost, "/api/files?name=a.csv", strings.NewReader(big)).problem(problem.TooLarge)
		d.send(http.MethodPost, "/api/files?name=a.csv", chunked(big)).problem(problem.TooLarge)
		d.send(http.MethodPost, "/api/files", chunked(big)).problem(problem.NameMissing)
		d.send(http.MethodPost, "/api/nothing", chunked(big)).problem(problem.NotFound)
		d.send(http.MethodPost, "/api/files?name=a.csv", chunked(big), "Sec-Fetch-Site: cross-site").problem(problem.CrossSite)
	}
}

// P9: the unauthenticated health check does not read a body, but rejects it.
func TestHealthTakesNoBody(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	for _, request := range []string{"GET /api/health", "HEAD /api/health", "POST /api/health", "DELETE /api/health"} {
		for _, length := range []int64{1, 1 << 40, -1} {
			method, path, _ := strings.Cut(request, " ")
			r := httptest.NewRequest(method, "http://localhost"+path, unreadable{t})
			r.RemoteAddr, r.ContentLength = "127.0.0.1:1", length
			w := httptest.NewRecorder()
			d.ServeHTTP(w, r)
			if w.Code != http.StatusRequestEntityTooLarge || w.Header().Get("Connection") != "close" {
				t.Errorf("%s, length %d: %d %s", request, length, w.Code, w.Body)
			}
		}
		answer := d.raw(request + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000000\r\n\r\n")
		if !strings.HasPrefix(answer, "HTTP/1.1 413 ") {
			t.Errorf("%s: answered %q", request, answer)
		}
	}
	d.send(http.MethodGet, "/api/health", strings.NewReader("?")).problem(problem.TooLarge)
	answer := d.raw("GET /api/health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
	if !strings.HasPrefix(answer, "HTTP/1.1 200 ") {
		t.Errorf("without a body: %q", answer)
	}
}

// unreadable is a body that must not be read.
type unreadable struct{ t *testing.T }

func (u unreadable) Read([]byte) (int, error) {
	u.t.Error("the body is read")
	return 0, io.EOF
}

// A client that writes its whole body before it reads, such as .NET's HttpClient, receives the response although the
// body was not read: one that rejects it, and one to a request that needed no body, or less of it. The body is larger
// than a connection's buffers.
func TestAnswerAfterUnreadBody(t *testing.T) {
	t.Parallel()
	const size = 32 << 20
	small, large := newTestAPI(t, withSettings(func(s *Settings) { s.MaxBytes = 1000 })), newTestAPI(t, withSettings(func(s *Settings) { s.MaxBytes = 2 * size }))
	form := filePart("a.csv", "a\n1\n") + "--x--\r\n"
	body := form + strings.Repeat("x", size-len(form)) // what follows a form's end is ignored
	for _, c := range []struct {
		d          *testAPI
		head, want string
	}{
		{small, "POST /api/files?name=a.csv HTTP/1.1", "413"},
		{small, "POST /api/nothing HTTP/1.1", "404"},
		{small, "PUT /api/files HTTP/1.1", "405"},
		{small, "GET /api/files HTTP/1.1", "200"},
		{large, "POST /api/files HTTP/1.1\r\nContent-Type: multipart/form-data; boundary=x", "202"},
	} {
		answer := c.d.raw(fmt.Sprintf("%s\r\nHost: localhost\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s", c.head, size, body))
		if !strings.HasPrefix(answer, "HTTP/1.1 "+c.want+" ") {
			t.Errorf("%s: answered %q, want %s", c.head, answer, c.want)
		}
	}
}

// A client that waits for "100 Continue" is rejected before it has sent anything.
func TestRefusedBeforeSending(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t, withSettings(func(s *Settings) { s.MaxBytes = 1000 }))
	answer := d.raw("POST /api/files?name=a.csv HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 5000\r\n\r\n")
	if !strings.HasPrefix(answer, "HTTP/1.1 413 ") {
		t.Errorf("answered %q", answer)
	}
}

// P9: the server does not wait for ever for a client that stops sending, and closes the connection.
func TestStalledUpload(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t, withHandler(func(h *Handler) { h.readIdle = 50 * time.Millisecond }))
	answer := d.raw("POST /api/files?name=a.csv HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/csv\r\nContent-Length: 5000\r\n\r\nsku,price\n")
	if !strings.HasPrefix(answer, "HTTP/1.1 408 ") || !strings.Contains(answer, string(problem.UploadStalled)) {
		t.Errorf("answered %q", answer)
	}
	d.nothingLeft()
}

// The read timeout ends with the body: what comes after it may take longer. (The body is sent with the header, in one
// piece, so that the server does not wait for it.)
func TestDeadlineEndsWithBody(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t, withHandler(func(h *Handler) { h.readIdle = time.Millisecond }))
	for _, body := range []string{"Content-Length: 4\r\n\r\na\n1\n", "Transfer-Encoding: chunked\r\n\r\n4\r\na\n1\n\r\n0\r\n\r\n"} {
		answer := d.raw("POST /api/files?name=a.csv HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: text/csv\r\n" + body)
		if !strings.HasPrefix(answer, "HTTP/1.1 202 ") {
			t.Errorf("answered %q", answer)
		}
	}
}

// raw sends a request as it is and returns everything received until the server closes the connection.
func (d *testAPI) raw(request string) string {
	d.t.Helper()
	conn, err := net.Dial("tcp", d.server.Listener.Addr().String())
	if err != nil {
		d.t.Fatal(err)
	}
	defer conn.Close()
	if _, err := io.WriteString(conn, request); err != nil {
		d.t.Fatal(err)
	}
	answer, err := io.ReadAll(conn)
	if err != nil {
		d.t.Fatal(err)
	}
	return string(answer)
}
