package funchost_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"sheetdrop/internal/devstack/await"
	"sheetdrop/internal/funchost"
)

// difference is where this host does not do as the real one, and why that cannot mislead a test of the app.
type difference struct {
	lines []string // as the comparison words them
	why   string
}

// known are all differences. Most come from net/http's server, which refuses or rewrites a request before a handler sees it.
var known = map[string]difference{
	"http-path-bad-escape": {
		[]string{"0 requests to the handler, recorded 1", "answer 400, recorded 200"},
		"net/http refuses a broken escape; the real host makes it %25zz, as it does %ff, which is the same here",
	},
	"http-control-char-header": {
		[]string{"0 requests to the handler, recorded 1", "answer 400, recorded 200"},
		"net/http refuses such a header, and so does the handler's own server",
	},
	"http-expect-nonsense": {
		[]string{"0 requests to the handler, recorded 1", "answer 417, recorded 200"},
		"net/http refuses such an Expect, and so does the handler's own server",
	},
	"http-length-and-chunked": {
		[]string{"request lacks header x-content-length: 5"},
		"net/http drops a Content-Length beside chunked; the app reads no X-Content-Length",
	},
	"http-no-host": {
		[]string{
			`answer has body "400 Bad Request: missing required Host header", recorded ""`,
			"answer has header content-type: text/plain; charset=utf-8", "answer lacks header content-length: 0", "answer lacks header date: DATE",
		},
		"net/http refuses it in its own words; the app is not asked",
	},
	"http10-host": {
		[]string{"answer lacks header connection: close"},
		"net/http leaves out what HTTP/1.0 means anyway",
	},
	"http-path-root": {
		[]string{
			`answer has body "", recorded "(home page, 149794 bytes)"`, "answer has header content-length: 0",
			"answer lacks header content-length: 149794", "answer lacks header content-type: text/html",
		},
		"the real host's home page; the app is not asked, and turns the page off",
	},
	"http-path-admin-status": {[]string{"answer 404, recorded 401"}, "the real host's admin API; the app is not asked"},
}

// ownHost are the cases that need a host of their own: the handler dies in them, or settings differ, or they take long.
var ownHost = []string{
	"http-body-over-default-limit-unsent", "http-function-timeout", "http-expect-100", "http-answer-cut", "http-answer-post-cut",
	"http-non-ascii-header", "http-body-over-limit-chunked",
}

// The host does with a request and with the handler's answer what the real one was recorded to do.
func TestRecordedRequests(t *testing.T) {
	t.Parallel()
	var together []recording
	seen := map[string]bool{}
	for _, r := range readRecordings(t, "http.jsonl") {
		seen[r.Case] = true
		if !slices.Contains(ownHost, r.Case) && !r.clientLeaves() && r.Client != "" && (r.Request == nil || r.Request.DiedAfter == nil) {
			together = append(together, r)
			continue
		}
		t.Run(r.Case, func(t *testing.T) {
			t.Parallel()
			newReplay(t, r).check(r)
		})
	}
	t.Run("on one host", func(t *testing.T) {
		t.Parallel()
		host := newReplay(t, recording{})
		for _, r := range together {
			t.Run(r.Case, func(t *testing.T) {
				host.t = t
				host.check(r)
			})
		}
	})
	for name := range known {
		if !seen[name] {
			t.Errorf("there is no recording %s", name)
		}
	}
}

// readNoMore is what a handler does after its answer that was never recorded.
const readNoMore = "read no more"

// replay is a host whose handler answers as the recorded one did.
type replay struct {
	t    *testing.T
	app  *app
	host *funchost.Host

	mu       sync.Mutex
	current  recording
	requests []rawMessage
	probes   []rawMessage
	left     int // connections that ended while the handler waited
}

func newReplay(t *testing.T, r recording) *replay {
	t.Helper()
	p := &replay{t: t, current: r}
	address := serveConnections(t, p.serve)
	p.app = newApp(t, `{"functionTimeout": "00:05:00", "customHandler": {"enableProxyingHttpRequest": true}}`)
	p.app.addHTTP("upload-api", "{*path}")
	p.app.onBirth = func(int, birth) string { return tunnelTo + address }
	switch {
	case r.Case == "http-function-timeout":
		p.app.write("host.json", `{"functionTimeout": "00:00:01", "customHandler": {"enableProxyingHttpRequest": true}}`)
		p.app.config.TimeScale = 10 // the next handler may take its time to start
	case r.Request != nil && r.Request.DiedAfter != nil && r.Outcome.HTTP.Status == http.StatusOK:
		p.app.config.TimeScale = 10 // the next handler may take its time to start
	case r.Then == readNoMore:
		p.app.config.TimeScale = 0.01 // the host waits for 240 s
	default:
		p.app.config.TimeScale = 1
	}
	p.app.config.Settings["APPLICATIONINSIGHTS_CONNECTION_STRING"] = "InstrumentationKey=00000000-0000-0000-0000-000000000000"
	if r.Case != "http-body-over-default-limit-unsent" {
		p.app.config.Settings["FUNCTIONS_REQUEST_BODY_SIZE_LIMIT"] = strconv.Itoa(1 << 20)
	}
	p.host = p.app.start()
	return p
}

// serve is the handler's end of one connection.
func (p *replay) serve(conn net.Conn) {
	defer conn.Close()
	for reader := bufio.NewReader(conn); ; {
		request, err := readHead(reader)
		if err != nil || !p.answer(conn, reader, request) {
			return
		}
	}
}

// answer does as the recorded handler did, and reports whether the connection can serve another request. As in the
// recordings a request counts when it is complete, or when the handler dies in it.
func (p *replay) answer(conn net.Conn, reader *bufio.Reader, request rawMessage) bool {
	p.mu.Lock()
	r, first := p.current, len(p.requests) == 0
	p.mu.Unlock()
	answer := latin1(r.Answer)
	switch {
	case strings.HasPrefix(request.start, "GET / "):
		p.record(&p.probes, request)
		if r.Client != "" || r.Case == "" {
			answer = []byte("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")
		}
	case r.Request != nil && r.Request.DiedAfter != nil && first:
		_, _ = io.CopyN(io.Discard, reader, *r.Request.DiedAfter)
		p.record(&p.requests, request)
		p.app.mu.Lock()
		handler := p.app.births[len(p.app.births)-1].PID
		p.app.mu.Unlock()
		if process, err := os.FindProcess(handler); err == nil {
			_ = process.Kill()
		}
		return false
	case r.Then == readNoMore:
		_, _ = conn.Write(answer)
		<-p.t.Context().Done()
		return false
	case r.Then == "drain and close", r.Request == nil && r.Then == "close":
		p.record(&p.requests, request)
	default:
		if request.readBody(reader, false) != nil {
			return false
		}
		p.record(&p.requests, request)
	}
	if _, err := conn.Write(answer); err != nil || r.Then == "close" {
		return false
	}
	if r.Then != "" {
		_, _ = io.Copy(io.Discard, reader)
		p.mu.Lock()
		p.left++
		p.mu.Unlock()
	}
	return r.Then == ""
}

func (p *replay) record(list *[]rawMessage, request rawMessage) {
	p.mu.Lock()
	defer p.mu.Unlock()
	*list = append(*list, request)
}

// check replays one case and compares.
func (p *replay) check(r recording) {
	p.t.Helper()
	p.mu.Lock()
	p.current, p.requests, p.left = r, nil, 0
	p.mu.Unlock()
	var differs []string
	if r.Client != "" {
		differs = p.exchange(r)
	}
	differs = append(differs, p.compareRequests(r)...)
	slices.Sort(differs)
	want := known[r.Case]
	slices.Sort(want.lines)
	if !slices.Equal(differs, want.lines) {
		p.t.Errorf("%s\ndiffers in\n\t%s\nand is known to differ in\n\t%s",
			r.Setup, strings.Join(differs, "\n\t"), strings.Join(want.lines, "\n\t"))
	}
}

func (p *replay) count() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.requests)
}

// exchange is the client: it sends the recorded bytes and compares what comes back.
func (p *replay) exchange(r recording) []string {
	p.t.Helper()
	address := strings.TrimPrefix(p.host.URL(), "http://")
	conn, err := net.Dial("tcp", address)
	if err != nil {
		p.t.Fatal(err)
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(time.Minute))
	_, hostPort, _ := net.SplitHostPort(address)
	if r.clientLeaves() {
		_, _ = conn.Write(r.sent(hostPort))
		return p.leave(r, conn)
	}
	go func() { _, _ = conn.Write(r.sent(hostPort)) }() // the host may answer before it has read it all
	got, interim, end := readAnswer(bufio.NewReader(conn), strings.HasPrefix(r.Client, "HEAD "))
	differs := differences("answer", got.inWords("", hostPort), r.answered())
	if recorded := r.Outcome.HTTP.Interim; !slices.Equal(interim, recorded) {
		differs = append(differs, fmt.Sprintf("interim answers %v, recorded %v", interim, recorded))
	}
	if end != r.Outcome.Client {
		differs = append(differs, fmt.Sprintf("connection ended with %q, recorded %q", end, r.Outcome.Client))
	}
	return differs
}

// leave closes the connection when what was recorded until then has happened, and waits until the host has noticed.
func (p *replay) leave(r recording, conn net.Conn) (differs []string) {
	p.t.Helper()
	reader := bufio.NewReader(conn)
	if got := r.Outcome.HTTP; got != nil {
		head, err := readHead(reader)
		if want := fmt.Sprint(max(got.Status, slices.Max(append(got.Interim, 0)))); err != nil || !strings.Contains(head.start, " "+want+" ") {
			differs = append(differs, fmt.Sprintf("answer %q, %v; recorded %s", head.start, err, want))
		}
	}
	await.Until(p.t, "the request", func() bool { return p.count() == r.Outcome.RequestsToHandler })
	_ = conn.Close()
	await.Until(p.t, "the client's end in the log", func() bool { return strings.Contains(p.app.log.String(), "the client has gone") })
	if r.Then == "wait" {
		await.Until(p.t, "the end of the handler's connection", func() bool {
			p.mu.Lock()
			defer p.mu.Unlock()
			return p.left > 0
		})
	}
	return differs
}

// readAnswer reads one answer, and says how its connection ended if that was no good end.
func readAnswer(from *bufio.Reader, head bool) (answer rawMessage, interim []int, end string) {
	for {
		answer, err := readHead(from)
		if err != nil {
			return answer, interim, err.Error()
		}
		answer.start = strings.Fields(answer.start + " none")[1]
		status, _ := strconv.Atoi(answer.start)
		if status < 200 {
			interim = append(interim, status)
			continue
		}
		if !head && status != 204 && status != 304 {
			err = answer.readBody(from, true)
		}
		switch {
		case errors.Is(err, syscall.ECONNRESET):
			end = "connection reset"
		case err != nil:
			end = err.Error()
		}
		return answer, interim, end
	}
}

// compareRequests compares what the handler got.
func (p *replay) compareRequests(r recording) (differs []string) {
	p.t.Helper()
	if r.Client == "" {
		return append(differs, p.compareProbes(r)...)
	}
	if r.Case == "http-function-timeout" { // the second one comes when the client has its answer
		await.Until(p.t, "the second request", func() bool { return p.count() == r.Outcome.RequestsToHandler })
	}
	p.mu.Lock()
	requests := slices.Clone(p.requests)
	p.mu.Unlock()
	if len(requests) != r.Outcome.RequestsToHandler {
		differs = append(differs, fmt.Sprintf("%d requests to the handler, recorded %d", len(requests), r.Outcome.RequestsToHandler))
	}
	if len(requests) == 0 {
		return differs
	}
	_, hostPort, _ := strings.Cut(strings.TrimPrefix(p.host.URL(), "http://"), ":")
	handlerPort := p.app.birth(1).Env["FUNCTIONS_CUSTOMHANDLER_PORT"]
	if r.Request != nil {
		differs = append(differs, differences("request", requests[0].inWords(handlerPort, hostPort), r.received())...)
	}
	ids := map[string]bool{}
	for _, request := range requests {
		ids[request.header("X-Azure-Functions-InvocationId")] = true
	}
	if r.Outcome.SameInvocationID && len(ids) != 1 {
		differs = append(differs, fmt.Sprintf("%d invocation ids, recorded 1", len(ids)))
	}
	return differs
}

func (p *replay) compareProbes(r recording) []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.probes) != r.Outcome.ProbesUntilReady {
		return []string{fmt.Sprintf("%d probes, recorded %d", len(p.probes), r.Outcome.ProbesUntilReady)}
	}
	return differences("request", p.probes[0].inWords(p.app.birth(1).Env["FUNCTIONS_CUSTOMHANDLER_PORT"], ""), r.received())
}

// serveConnections has each connection to the returned address served, until the test ends.
func serveConnections(t *testing.T, serve func(net.Conn)) (address string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go serve(conn)
		}
	}()
	return listener.Addr().String()
}

// tunnelTo, followed by an address, makes the handler pass each connection on to it, byte by byte.
const tunnelTo = "tunnel to "

func tunnel(listener net.Listener, address string) {
	for {
		host, err := listener.Accept()
		if err != nil {
			os.Exit(1)
		}
		go func() {
			defer host.Close()
			test, err := net.Dial("tcp", address)
			if err != nil {
				return
			}
			go func() {
				_, _ = io.Copy(test, host)
				_ = test.Close()
			}()
			_, _ = io.Copy(host, test)
		}()
	}
}
