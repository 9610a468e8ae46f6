package funchost_test

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"sheetdrop/internal/funchost"
)

// startHTTP serves one catch-all function that handle answers.
func startHTTP(t *testing.T, handle http.HandlerFunc, change ...func(*funchost.Config)) (*app, *funchost.Host) {
	t.Helper()
	a := newApp(t, proxying)
	a.addHTTP("upload", "{*path}")
	a.handle = handle
	for _, f := range change {
		f(&a.config)
	}
	return a, a.start()
}

// The handler sees the caller's method, path, query and headers, but for what the host replaces.
func TestProxiedRequest(t *testing.T) {
	t.Parallel()
	seen := make(chan *http.Request, 1)
	_, h := startHTTP(t, func(w http.ResponseWriter, r *http.Request) {
		seen <- r
		w.Header().Set("Content-Type", "application/problem+json")
		w.Header().Set("Connection", "X-Hop")
		w.Header().Set("X-Hop", "1")
		w.WriteHeader(http.StatusTeapot)
		fmt.Fprint(w, "{}")
	})
	const target = "/api/files/a%2Fb%20c%3Fd?x=1&x=2&q=a+b%2F;semi&empty"
	request, _ := http.NewRequestWithContext(t.Context(), http.MethodPatch, h.URL()+target, nil)
	for name, value := range map[string]string{
		"X-Azure-Functions-InvocationId": "forged",
		"X-Ms-Invocation-Id":             "forged",
		"X-Forwarded-For":                "203.0.113.9",
		"X-Forwarded-Host":               "front.example",
		"Content-Language":               "ja",
		"Connection":                     "X-Private",
		"X-Private":                      "1",
		"User-Agent":                     "caller/1",
		"Accept-Encoding":                "br",
	} {
		request.Header.Set(name, value)
	}
	request.Host = "public.example"
	answer, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	got := receive(t, seen, "the request")
	if got.Method != http.MethodPatch || got.RequestURI != target {
		t.Errorf("%s %s, want %s", got.Method, got.RequestURI, target)
	}
	for name, want := range map[string]string{
		"X-Forwarded-For": "127.0.0.1", "X-Forwarded-Host": "public.example", "X-Forwarded-Proto": "http",
		"Content-Language": "ja", "User-Agent": "caller/1", "X-Private": "", "Accept-Encoding": "br",
	} {
		if value := got.Header.Get(name); value != want {
			t.Errorf("%s: %q, want %q", name, value, want)
		}
	}
	id := got.Header.Get("X-Azure-Functions-Invocationid")
	if len(id) != 36 || id != got.Header.Get("X-Ms-Invocation-Id") || got.Header.Get("X-Azure-Functions-Hostversion") == "" {
		t.Errorf("host headers: %v", got.Header)
	}
	if host := got.Header.Get(seenHost); !strings.HasPrefix(host, "127.0.0.1:") || "http://"+host == h.URL() {
		t.Errorf("Host %q is not the handler's address", host)
	}
	if answer.StatusCode != http.StatusTeapot || answer.Header.Get("Content-Type") != "application/problem+json" ||
		answer.Header.Get("X-Hop") != "" {
		t.Errorf("answer %s %v", answer.Status, answer.Header)
	}
}

// Both directions stream: the client reads an echo before it has sent its next piece.
func TestProxyStreamsBothWays(t *testing.T) {
	t.Parallel()
	_, h := startHTTP(t, func(w http.ResponseWriter, r *http.Request) {
		control := http.NewResponseController(w)
		_ = control.EnableFullDuplex()
		for lines := bufio.NewScanner(r.Body); lines.Scan(); {
			fmt.Fprintf(w, "%s %s\n", lines.Text(), r.Header.Get(seenEncoding))
			_ = control.Flush()
		}
	})
	conn, err := net.Dial("tcp", strings.TrimPrefix(h.URL(), "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(time.Minute))
	fmt.Fprint(conn, "POST /api/files HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nTransfer-Encoding: chunked\r\n\r\n")
	reader := bufio.NewReader(conn)
	sent := func(line string) { fmt.Fprintf(conn, "%x\r\n%s\n\r\n", len(line)+1, line) }
	sent("one")
	answer, err := http.ReadResponse(reader, nil)
	for err == nil && answer.StatusCode == http.StatusContinue {
		answer, err = http.ReadResponse(reader, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	body := bufio.NewReader(answer.Body)
	for _, next := range []string{"one", "two", "three"} {
		if next != "one" {
			sent(next)
		}
		if line, err := body.ReadString('\n'); err != nil || line != next+" chunked\n" {
			t.Fatalf("read %q, %v; want %q", line, err, next)
		}
	}
	fmt.Fprint(conn, "0\r\n\r\n")
	if rest, err := io.ReadAll(body); err != nil || len(rest) != 0 {
		t.Errorf("at the end %q, %v", rest, err)
	}
}

// An answer of known length streams too.
func TestProxyStreamsAnswers(t *testing.T) {
	t.Parallel()
	goOn := make(chan bool)
	_, h := startHTTP(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "4")
		fmt.Fprint(w, "ab")
		_ = http.NewResponseController(w).Flush()
		<-goOn
		fmt.Fprint(w, "cd")
	})
	answer, err := http.Get(h.URL() + "/api/files/1/content")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	first := make([]byte, 2)
	if _, err := io.ReadFull(answer.Body, first); err != nil || string(first) != "ab" {
		t.Errorf("read %q, %v", first, err)
	}
	close(goOn)
	if rest, err := io.ReadAll(answer.Body); err != nil || string(rest) != "cd" {
		t.Errorf("read %q, %v", rest, err)
	}
}

// A body with Content-Length is read to its end before the handler hears of it, and arrives unchanged.
func TestBodiesWithALengthAreSpooled(t *testing.T) {
	t.Parallel()
	got := make(chan []byte, 1)
	_, h := startHTTP(t, func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if int64(len(body)) != r.ContentLength {
			t.Errorf("%d bytes, Content-Length %d", len(body), r.ContentLength)
		}
		got <- body
	})
	for _, size := range []int{1, 30<<10 - 1, 30 << 10, 3 << 20} {
		sent := make([]byte, size)
		_, _ = rand.Read(sent)
		reader, writer := io.Pipe()
		request, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, h.URL()+"/api/files", reader)
		request.ContentLength = int64(size)
		go func() {
			_, _ = writer.Write(sent[:size-1])
			select {
			case <-got:
				t.Error("the handler was called before the body had come")
			default:
			}
			_, _ = writer.Write(sent[size-1:])
			_ = writer.Close()
		}()
		answer, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		_ = answer.Body.Close()
		if !bytes.Equal(receive(t, got, "the body"), sent) {
			t.Errorf("%d bytes arrived changed", size)
		}
	}
}

// The host's own limit answers 500, not 413, with and without Content-Length.
func TestBodyOverTheHostLimit(t *testing.T) {
	t.Parallel()
	_, h := startHTTP(t, func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
	}, func(c *funchost.Config) { c.Settings["FUNCTIONS_REQUEST_BODY_SIZE_LIMIT"] = "1000" })
	for _, size := range []int{1000, 1001} {
		for _, body := range []io.Reader{strings.NewReader(strings.Repeat("x", size)), io.LimitReader(neverEnding('x'), int64(size))} {
			answer, err := http.Post(h.URL()+"/api/files", "text/csv", body)
			if err != nil {
				t.Fatal(err)
			}
			content, _ := io.ReadAll(answer.Body)
			_ = answer.Body.Close()
			want := map[int]int{1000: http.StatusOK, 1001: http.StatusInternalServerError}[size]
			if answer.StatusCode != want || len(content) != 0 {
				t.Errorf("%d bytes from %T: %s %q", size, body, answer.Status, content)
			}
		}
	}
}

// A Content-Length over the limit is refused before the body has come.
func TestLengthOverTheHostLimit(t *testing.T) {
	t.Parallel()
	_, h := startHTTP(t, succeed)
	conn, err := net.Dial("tcp", strings.TrimPrefix(h.URL(), "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(time.Minute))
	fmt.Fprint(conn, "POST /api/files HTTP/1.1\r\nHost: x\r\nContent-Length: 104857601\r\n\r\n")
	answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil || answer.StatusCode != http.StatusInternalServerError {
		t.Errorf("%+v, %v", answer, err)
	}
}

type neverEnding byte

func (b neverEnding) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(b)
	}
	return len(p), nil
}

// When the caller goes away the handler's request ends; the handler goes on.
func TestDisconnectReachesTheHandler(t *testing.T) {
	t.Parallel()
	called, ended := make(chan bool, 1), make(chan error, 1)
	_, h := startHTTP(t, func(_ http.ResponseWriter, r *http.Request) {
		called <- true
		<-r.Context().Done()
		ended <- r.Context().Err()
	})
	ctx, leave := context.WithCancel(t.Context())
	request, _ := http.NewRequestWithContext(ctx, http.MethodGet, h.URL()+"/api/tasks/1?wait=20s", nil)
	go func() {
		if answer, err := http.DefaultClient.Do(request); err == nil {
			_ = answer.Body.Close()
		}
	}()
	receive(t, called, "the call")
	leave()
	receive(t, ended, "the end of the handler's request")
	if got := h.Stats().HandlerStarts; got != 1 {
		t.Errorf("%d handler starts", got)
	}
}

// Half an upload never becomes a call.
func TestDisconnectDuringASpooledUpload(t *testing.T) {
	t.Parallel()
	called := make(chan bool, 1)
	a, h := startHTTP(t, func(http.ResponseWriter, *http.Request) { called <- true })
	conn, err := net.Dial("tcp", strings.TrimPrefix(h.URL(), "http://"))
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(conn, "POST /api/files HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf")
	_ = conn.Close()
	eventually(t, "the broken upload in the log", func() bool { return strings.Contains(a.log.String(), "could not be read") })
	select {
	case <-called:
		t.Error("the handler was called")
	default:
	}
}

// A handler that dies before it answers makes an empty 500; after that the connection is cut, never ended cleanly.
func TestHandlerDiesInMidCall(t *testing.T) {
	t.Parallel()
	begun := make(chan bool, 1)
	_, h := startHTTP(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/api/stream" {
			fmt.Fprint(w, "a first piece")
			_ = http.NewResponseController(w).Flush()
		}
		begun <- true
		<-r.Context().Done()
	})
	early := make(chan string, 1)
	go func() {
		status, body := get(t, h.URL()+"/api/early")
		early <- fmt.Sprintf("%d %q", status, body)
	}()
	receive(t, begun, "the first call")
	kill(t, h.HandlerPID())
	if got := receive(t, early, "the answer"); got != `500 ""` {
		t.Errorf("killed before the answer: %s", got)
	}
	eventually(t, "the restart", func() bool { return h.Stats().HandlerStarts == 2 })

	answer, err := http.Get(h.URL() + "/api/stream")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	kill(t, h.HandlerPID())
	if body, err := io.ReadAll(answer.Body); err == nil {
		t.Errorf("killed in mid-answer: %s %q and a clean end", answer.Status, body)
	}
}

// A call over which no byte moves is cut after 240 s, here 1.2 s; one that keeps moving is not.
func TestIdleCallIsCut(t *testing.T) {
	t.Parallel()
	ended := make(chan bool, 2)
	_, h := startHTTP(t, func(w http.ResponseWriter, r *http.Request) {
		for n := 0; r.URL.Path == "/api/busy" && n < 20; n++ {
			fmt.Fprint(w, "x")
			_ = http.NewResponseController(w).Flush()
			select {
			case <-time.After(100 * time.Millisecond): // the pace of a slow stream
			case <-r.Context().Done():
			}
		}
		if r.URL.Path == "/api/idle" {
			<-r.Context().Done()
		}
		ended <- true
	}, func(c *funchost.Config) { c.TimeScale = 0.005 })
	if status, _ := get(t, h.URL()+"/api/idle"); status != http.StatusInternalServerError {
		t.Errorf("status %d of an idle call", status)
	}
	receive(t, ended, "the end of the idle call in the handler")
	if status, body := get(t, h.URL()+"/api/busy"); status != http.StatusOK || len(body) != 20 {
		t.Errorf("a busy call: %d %q", status, body)
	}
	if got := h.Stats().HandlerStarts; got != 1 {
		t.Errorf("%d handler starts", got)
	}
}

// A call over functionTimeout gets 500, and the handler is replaced without counting an error.
func TestProxiedFunctionTimeout(t *testing.T) {
	t.Parallel()
	a := newApp(t, `{"functionTimeout": "00:00:10", "customHandler": {"enableProxyingHttpRequest": true}}`)
	a.addHTTP("upload", "{*path}")
	a.handle = func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	h := a.start()
	for n := range 4 {
		if status, _ := get(t, h.URL()+"/api/slow"); status != http.StatusInternalServerError {
			t.Errorf("status %d", status)
		}
		eventually(t, "the restart", func() bool { return h.Stats().HandlerStarts == n+2 && h.HandlerPID() != 0 })
	}
	if got := h.Stats().Restarts; got != 0 {
		t.Errorf("%d restarts of the host", got)
	}
}

func TestRoutes(t *testing.T) {
	t.Parallel()
	a := newApp(t, `{"customHandler": {"enableProxyingHttpRequest": true}, "extensions": {"http": {"routePrefix": "v1"}}}`)
	a.addHTTP("all", "files/{*path}")
	a.addHTTP("one", "files/{id}/content")
	a.handle = func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) }
	a.write("named/function.json", `{"bindings": [{"type": "httpTrigger", "direction": "in", "methods": ["get", "put"]},
		{"type": "http", "direction": "out"}]}`)
	h := a.start()
	for target, want := range map[string]int{
		"GET /v1/files": 200, "GET /V1/Files/": 200, "DELETE /v1/files/a/b/c": 200, "GET /v1/files/7/content": 200,
		"GET /v1/named": 200, "PUT /v1/named": 200, "POST /v1/named": 404, "GET /v1/named/x": 404,
		"GET /api/files": 404, "GET /v1": 404, "GET /v1/filesx": 404, "GET /": 404,
	} {
		method, path, _ := strings.Cut(target, " ")
		request, _ := http.NewRequestWithContext(t.Context(), method, h.URL()+path, nil)
		answer, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		_ = answer.Body.Close()
		if answer.StatusCode != want {
			t.Errorf("%s: %d, want %d", target, answer.StatusCode, want)
		}
	}
}
