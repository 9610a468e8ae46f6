package funchost_test

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"sheetdrop/internal/devstack/await"
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

// A chunked body reaches the handler piece by piece: the client sends the next one when the last one has arrived. Without
// Application Insights there is no traceparent.
func TestProxyStreamsUploads(t *testing.T) {
	t.Parallel()
	arrived := make(chan string, 3)
	_, h := startHTTP(t, func(w http.ResponseWriter, r *http.Request) {
		for lines := bufio.NewScanner(r.Body); lines.Scan(); {
			arrived <- lines.Text()
		}
		fmt.Fprint(w, r.Header.Get(seenEncoding), r.Header.Get("Traceparent"))
	})
	reader, writer := io.Pipe()
	go func() {
		for _, piece := range []string{"one", "two", "three"} {
			fmt.Fprintln(writer, piece)
			if got := receive(t, arrived, "the piece"); got != piece {
				t.Errorf("%q arrived, want %q", got, piece)
			}
		}
		_ = writer.Close()
	}()
	answer, err := http.Post(h.URL()+"/api/files", "text/csv", reader)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if encoding, err := io.ReadAll(answer.Body); err != nil || string(encoding) != "chunked" {
		t.Errorf("the handler saw encoding and traceparent %q, %v", encoding, err)
	}
}

// The answer of a handler that stops reading a large body is discarded, whether it closes the connection or not: .NET's
// HttpClient sends a body to its end before it reads. (By its source; the recorded bodies fit into a connection's buffers.)
func TestAnswerUnderALargeBodyIsLost(t *testing.T) {
	t.Parallel()
	for _, then := range []string{"close", readNoMore} {
		p := newReplay(t, recording{
			Case: "http-body-over-default-limit-unsent", Then: then, Answer: "HTTP/1.1 413 X\r\nContent-Length: 0\r\n\r\n",
		})
		for _, body := range []io.Reader{bytes.NewReader(make([]byte, 48<<20)), io.LimitReader(neverEnding('x'), 48<<20)} {
			answer, err := http.Post(p.host.URL()+"/api/files", "text/csv", body)
			if err != nil {
				t.Fatal(err)
			}
			_ = answer.Body.Close()
			if answer.StatusCode != http.StatusInternalServerError {
				t.Errorf("%s, %T: %s", then, body, answer.Status)
			}
		}
	}
}

// The answer of a handler that refuses a large body by its headers is passed on where the client, as curl does, has said
// Expect: .NET's HttpClient then waits for the handler's word before it sends a body.
func TestAnswerToAnExpectedBodyIsPassedOn(t *testing.T) {
	t.Parallel()
	p := newReplay(t, recording{
		Case: "http-body-over-default-limit-unsent", Then: "close",
		Answer: "HTTP/1.1 413 X\r\nConnection: close\r\nContent-Length: 0\r\n\r\n",
	})
	for range 5 {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, p.host.URL()+"/api/files", bytes.NewReader(make([]byte, 48<<20)))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Expect", "100-continue")
		answer, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		_ = answer.Body.Close()
		if answer.StatusCode != http.StatusRequestEntityTooLarge {
			t.Fatalf("answered %s", answer.Status)
		}
	}
}

// A client that stops sending gets 500 from the host, whatever the app would answer to slow clients: it is not called, or its answer is
// discarded.
func TestClientThatStopsSendingGets500(t *testing.T) {
	t.Parallel()
	_, h := startHTTP(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusRequestTimeout) })
	for _, body := range []string{"Content-Length: 100\r\n\r\nhalf", "Transfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n"} {
		t.Run(body, func(t *testing.T) {
			t.Parallel()
			conn, err := net.Dial("tcp", strings.TrimPrefix(h.URL(), "http://"))
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			fmt.Fprintf(conn, "POST /api/files HTTP/1.1\r\nHost: x\r\n%s", body)
			if answer, _, end := readAnswer(bufio.NewReader(conn), false); answer.start != "500" || end != "" {
				t.Errorf("answered %s %q", answer.start, end)
			}
		})
	}
}

// The account of the real host's memory: what a body costs depends on its framing and on its first character, holds until
// the call ends, and adds up over calls.
func TestMemoryOfBodiesIsAccountedFor(t *testing.T) {
	t.Parallel()
	const size, calls = 1 << 20, 3
	goOn, called := make(chan bool), make(chan bool, calls)
	_, h := startHTTP(t, func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		called <- true
		<-goOn
	})
	idle := h.Memory().Now
	for _, c := range []struct {
		body io.Reader
		cost float64 // bytes for each of the body
	}{
		{strings.NewReader(strings.Repeat("x", size)), 5.4},
		{strings.NewReader("\n{" + strings.Repeat("x", size-2)), 35.5},
		{io.LimitReader(neverEnding('{'), size), 0.05},
	} {
		content, err := io.ReadAll(c.body)
		if err != nil {
			t.Fatal(err)
		}
		var ended sync.WaitGroup
		for range calls {
			body := io.Reader(bytes.NewReader(content))
			if _, chunked := c.body.(*io.LimitedReader); chunked {
				body = io.MultiReader(body)
			}
			ended.Go(func() {
				answer, err := http.Post(h.URL()+"/api/files", "text/csv", body)
				if err != nil {
					t.Error(err)
					return
				}
				_ = answer.Body.Close()
			})
		}
		for range calls {
			receive(t, called, "the call")
		}
		want := idle + int64(calls*size*c.cost)
		if got := h.Memory(); got.Now < want-calls || got.Now > want+calls || got.Peak < got.Now {
			t.Errorf("%T: %+v with %d calls of %d bytes, want %d", c.body, got, calls, size, want)
		}
		for range calls {
			goOn <- true
		}
		ended.Wait()
		await.Until(t, "the release", func() bool { return h.Memory().Now-idle < calls })
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

// A body with Content-Length is read to its end before the handler is called, and arrives unchanged.
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

type neverEnding byte

func (b neverEnding) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(b)
	}
	return len(p), nil
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
func TestTimedOutRequestReplacesTheHandler(t *testing.T) {
	t.Parallel()
	a := newApp(t, `{"functionTimeout": "00:00:10", "customHandler": {"enableProxyingHttpRequest": true}}`)
	a.addHTTP("upload", "{*path}")
	a.handle = func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	h := a.start()
	for n := range 4 {
		if status, _ := get(t, h.URL()+"/api/slow"); status != http.StatusInternalServerError {
			t.Errorf("status %d", status)
		}
		await.Until(t, "the restart", func() bool { return h.Stats().HandlerStarts == n+2 && h.HandlerPID() != 0 })
	}
	if got := h.Stats().Restarts; got != 0 {
		t.Errorf("%d restarts of the host", got)
	}
}

func TestRoutesLeadToTheirFunctions(t *testing.T) {
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
		"GET /api/files": 404, "GET /v1": 404, "GET /v1/filesx": 404, "GET /": 200, "GET /index.html": 404,
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
