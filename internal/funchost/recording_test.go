package funchost_test

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httputil"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// recording is what the real host (4.1037, host.json with functionTimeout 10 s, prefix api, route {*path}, a body limit
// of 1 MiB) did with one request, message or
// tick of a timer. A string of bytes holds a byte a character (Latin-1). Words stand for values that differ
// from run to run: PORT (the handler's), HOST-PORT, INVOCATION-ID, DATE, 00-TRACE-ID-SPAN-ID-00; `x…(n times)` is n
// times that character, "(n bytes with framing)" a body of so many bytes that mean nothing.
type recording struct {
	Case, Setup string
	Message     *string `json:"message_text"` // as it lay in the queue
	Client      string  // the bytes that the client sent, up to the empty line
	ClientBody  string  `json:"client_body"`
	Answer      string  // of the handler, as bytes; to a message that is delivered again, of the first time
	Then        string  // what it did then: "", "close" the connection, "drain and close", "wait" for its end
	Request     *struct {
		Method, Target string
		Headers        [][2]string
		Body           string
		BodyBase64     string `json:"body_base64"`
		BodyBytes      int    `json:"body_bytes"` // of a long body, of which nothing else is kept
		BodyNotRead    bool   `json:"body_not_read"`
		DiedAfter      *int64 `json:"handler_died_after_bytes_of_body"`
	}
	Outcome struct {
		HTTP *struct {
			Status  int
			Headers [][2]string
			Body    string
			Interim []int
		}
		RequestsToHandler int    `json:"requests_to_handler"`
		ProbesUntilReady  int    `json:"probes_until_ready"`
		SameInvocationID  bool   `json:"same_invocation_id"`
		Client            string // how its connection ended, where that was no good end
		Deliveries        int    // of a message or a tick to the handler
		End               string // of a message: "deleted", or "poison", its text in the poison queue
		Handler           string // "replaced" where its process was killed and started again
	}
}

func readRecordings(t *testing.T, name string) []recording {
	t.Helper()
	file, err := os.Open(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var all []recording
	for lines := json.NewDecoder(file); lines.More(); {
		var r recording
		if err := lines.Decode(&r); err != nil {
			t.Fatal(err)
		}
		all = append(all, r)
	}
	return all
}

// clientLeaves says that the client sent no more and closed the connection without having an answer.
func (r recording) clientLeaves() bool {
	return r.Outcome.Client == "timeout" || r.Outcome.Client == "closed by client"
}

// sent are the bytes of the client's request.
func (r recording) sent(hostPort string) []byte {
	head := unfold(strings.ReplaceAll(r.Client, "HOST-PORT", hostPort))
	var length int
	if _, err := fmt.Sscanf(r.ClientBody, "(%d bytes with framing)", &length); err != nil {
		return latin1(head + r.ClientBody)
	}
	body := bytes.Repeat([]byte("x"), length)
	if strings.Contains(head, "chunked") {
		var framed bytes.Buffer
		for chunk := range slices.Chunk(body, 4096) {
			fmt.Fprintf(&framed, "%x\r\n%s\r\n", len(chunk), chunk)
		}
		body = append(framed.Bytes(), "0\r\n\r\n"...)
	}
	return append(latin1(head), body...)
}

var folded = regexp.MustCompile(`(.)…\((\d+) times\)`)

func unfold(s string) string {
	return folded.ReplaceAllStringFunc(s, func(match string) string {
		parts := folded.FindStringSubmatch(match)
		n, _ := strconv.Atoi(parts[2])
		return strings.Repeat(parts[1], n)
	})
}

// latin1 returns a byte for each character.
func latin1(s string) []byte {
	b := make([]byte, 0, len(s))
	for _, r := range s {
		b = append(b, byte(r))
	}
	return b
}

// received is what the handler got, in the recording's words.
func (r recording) received() rawMessage {
	if r.Request == nil {
		return rawMessage{}
	}
	m := rawMessage{start: r.Request.Method + " " + r.Request.Target + " HTTP/1.1", body: latin1(r.Request.Body)}
	for _, h := range r.Request.Headers {
		if h[0] == "X-Azure-Functions-HostVersion" {
			h[1] = "VERSION"
		}
		m.headers = append(m.headers, [2]string{h[0], string(latin1(unfold(h[1])))})
	}
	if r.Request.BodyBase64 != "" {
		m.body, _ = base64.StdEncoding.DecodeString(r.Request.BodyBase64)
	}
	if r.Request.BodyBytes > 0 {
		m.body = bytes.Repeat([]byte("x"), r.Request.BodyBytes)
	}
	if r.Request.BodyNotRead || r.Request.DiedAfter != nil {
		m.body = nil
	}
	return m
}

// answered is what the client got. Kestrel names itself and the Application Insights component in headers of its own, which
// say nothing about the app.
func (r recording) answered() rawMessage {
	got := r.Outcome.HTTP
	m := rawMessage{}
	if got == nil || got.Status == 0 {
		return m
	}
	m.start = strconv.Itoa(got.Status)
	m.body = latin1(got.Body)
	for _, h := range got.Headers {
		if h[0] == "Request-Context" || h == [2]string{"Server", "Kestrel"} {
			continue
		}
		m.headers = append(m.headers, h)
	}
	if m.chunked() {
		m.body, _ = io.ReadAll(httputil.NewChunkedReader(bytes.NewReader(m.body)))
	}
	return m
}

// rawMessage is a request or an answer as it came over the connection, its body without framing.
type rawMessage struct {
	start   string // a request's first line; an answer's status, whose words mean nothing (RFC 9112, 4)
	headers [][2]string
	body    []byte
}

// header is the value of the first header with that name.
func (m rawMessage) header(name string) string {
	for _, h := range m.headers {
		if strings.EqualFold(h[0], name) {
			return h[1]
		}
	}
	return ""
}

func (m rawMessage) chunked() bool { return m.header("Transfer-Encoding") == "chunked" }

// readHead reads up to the empty line.
func readHead(from *bufio.Reader) (rawMessage, error) {
	var m rawMessage
	for {
		line, err := from.ReadString('\n')
		if err != nil {
			return m, err
		}
		line = strings.TrimSuffix(line, "\r\n")
		switch name, value, _ := strings.Cut(line, ":"); {
		case m.start == "":
			m.start = line
		case line == "":
			return m, nil
		default:
			m.headers = append(m.headers, [2]string{name, strings.TrimSpace(value)})
		}
	}
}

// readBody reads a body by its framing; untilClose says that one without any lasts until the connection ends.
func (m *rawMessage) readBody(from *bufio.Reader, untilClose bool) (err error) {
	length, lengthErr := strconv.ParseInt(m.header("Content-Length"), 10, 64)
	switch {
	case m.chunked():
		if m.body, err = io.ReadAll(httputil.NewChunkedReader(from)); err == nil {
			var line string
			if line, err = from.ReadString('\n'); err == nil && line != "\r\n" {
				err = fmt.Errorf("trailer %q", line)
			}
		}
	case lengthErr == nil:
		m.body, err = io.ReadAll(io.LimitReader(from, length))
		if err == nil && int64(len(m.body)) < length {
			err = io.ErrUnexpectedEOF
		}
	case untilClose:
		m.body, err = io.ReadAll(from)
	}
	return err
}

// differences are the lines in which two messages differ. The order of headers and the case of their names mean nothing in HTTP.
func differences(what string, got, recorded rawMessage) []string {
	if got.start != recorded.start { // the rest follows from that
		return []string{fmt.Sprintf("%s %s, recorded %s", what, got.start, recorded.start)}
	}
	var all []string
	lines := func(m rawMessage) []string {
		var lines []string
		for _, h := range m.headers {
			lines = append(lines, strings.ToLower(h[0])+": "+h[1])
		}
		slices.Sort(lines)
		return lines
	}
	gotLines, recordedLines := lines(got), lines(recorded)
	for _, line := range gotLines {
		if !slices.Contains(recordedLines, line) {
			all = append(all, fmt.Sprintf("%s has header %s", what, line))
		}
	}
	for _, line := range recordedLines {
		if !slices.Contains(gotLines, line) {
			all = append(all, fmt.Sprintf("%s lacks header %s", what, line))
		}
	}
	if len(all) == 0 && len(gotLines) != len(recordedLines) {
		all = append(all, fmt.Sprintf("%s has headers %q, recorded %q", what, gotLines, recordedLines))
	}
	if !bytes.Equal(got.body, recorded.body) {
		all = append(all, fmt.Sprintf("%s has body %q, recorded %q", what, shorten(got.body), shorten(recorded.body)))
	}
	return all
}

func shorten(b []byte) string {
	if len(b) > 60 {
		return fmt.Sprintf("%s… (%d bytes)", b[:60], len(b))
	}
	return string(b)
}

var (
	guid        = regexp.MustCompile(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)
	traceParent = regexp.MustCompile(`^00-[0-9a-f]{32}-[0-9a-f]{16}-00$`)
)

// inWords puts the recording's words in place of values that differ from run to run.
func (m rawMessage) inWords(handlerPort, hostPort string) rawMessage {
	id := m.header("X-Azure-Functions-InvocationId")
	m.headers = slices.Clone(m.headers)
	for i, h := range m.headers {
		name, value := strings.ToLower(h[0]), &m.headers[i][1]
		_, dateErr := http.ParseTime(*value)
		switch {
		case name == "host":
			*value = strings.Replace(*value, ":"+handlerPort, ":PORT", 1)
		case name == "x-forwarded-host":
			*value = strings.Replace(*value, ":"+hostPort, ":HOST-PORT", 1)
		case guid.MatchString(*value) && *value == id:
			*value = "INVOCATION-ID"
		case name == "traceparent" && traceParent.MatchString(*value):
			*value = "00-TRACE-ID-SPAN-ID-00"
		case name == "x-azure-functions-hostversion" && strings.HasPrefix(*value, "4."):
			*value = "VERSION"
		case name == "date" && dateErr == nil && !strings.Contains(*value, " 2024 "): // 2024 is the handler's own
			*value = "DATE"
		}
	}
	return m
}
