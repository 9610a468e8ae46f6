package funchost_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"reflect"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/storage/azqueue"

	"sheetdrop/internal/devstack/await"
)

// The host calls a queue function with what the real one was recorded to send, and does with the message what that did after each
// answer.
func TestRecordedMessages(t *testing.T) {
	t.Parallel()
	for _, r := range readRecordings(t, "calls.jsonl") {
		if r.Message == nil {
			continue
		}
		t.Run(r.Case, func(t *testing.T) {
			t.Parallel()
			q := newQueue(t)
			function, dataType := "parse-worker", "binary"
			if strings.HasPrefix(r.Case, "text-") {
				function, dataType = "text-worker", ""
			}
			timeout := "01:00:00" // two minutes here, so that only a call that was to run into it does
			if r.Outcome.Handler == "replaced" {
				timeout = "00:00:10"
			}
			p := newCallReplay(t, r, fmt.Sprintf(`"functionTimeout": %q, "extensions": {"queues": {
				"batchSize": 1, "newBatchThreshold": 3, "visibilityTimeout": "00:00:30", "maxPollingInterval": "00:00:01"}}`, timeout))
			p.app.addQueue(function, q.name, dataType)
			p.app.write(function+"/function.json", fmt.Sprintf(
				`{"bindings": [{"type": "queueTrigger", "direction": "in", "name": "message", "queueName": %q, "dataType": %q}]}`, q.name, dataType))
			p.app.config.Settings["AzureWebJobsStorage"] = q.direct
			h := p.app.start()
			lifetime := int32(-1) // for ever, as the app sends
			if r.Case == "queue-ttl-default" {
				lifetime = 7 * 24 * 60 * 60
			}
			if _, err := q.client.EnqueueMessage(t.Context(), *r.Message, &azqueue.EnqueueMessageOptions{TimeToLive: &lifetime}); err != nil {
				t.Fatal(err)
			}
			q.waitEmpty()
			p.compare(r.Outcome.Deliveries)
			if got := q.poisoned(); (len(got) == 1) != (r.Outcome.End == "poison") || len(got) > 1 {
				t.Errorf("poison queue %q, recorded end %s", got, r.Outcome.End)
			}
			replaced := r.Outcome.Handler == "replaced"
			if got := h.Stats(); (got.HandlerStarts == 2) != replaced || got.Restarts != 0 {
				t.Errorf("%+v, recorded handler %q", got, r.Outcome.Handler)
			}
			if strings.HasPrefix(r.Answer, "HTTP/1.1 302") && !strings.HasPrefix(p.elsewhere.start, "GET /elsewhere ") {
				t.Errorf("the redirect led to %q", p.elsewhere.start)
			}
		})
	}
}

// The lines of a function's Logs appear in the host's log under its invocation.
func TestLinesOfAFunctionAreLogged(t *testing.T) {
	t.Parallel()
	q := newQueue(t)
	a, _ := startQueueApp(t, q, "", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"Logs":["first line","second line"]}`)
	})
	q.send("x")
	q.waitEmpty()
	for _, line := range []string{"first line", "second line"} {
		if !regexp.MustCompile(`function=work invocation_id=[0-9a-f-]{36} line="` + line).MatchString(a.log.String()) {
			t.Errorf("%q is not in the log", line)
		}
	}
}

// The host calls a timer's function with what the real one was recorded to send: at the first tick, at the next one, when the handler
// fails, when a tick was missed, and when the schedule is too frequent for the host to remember it.
func TestRecordedTicks(t *testing.T) {
	t.Parallel()
	recordings := map[string]recording{}
	for _, r := range readRecordings(t, "calls.jsonl") {
		if r.Message == nil {
			recordings[r.Case] = r
		}
	}
	for name, c := range map[string]struct {
		schedule string
		tick     int // which one of the life of the host; 0 is one that was missed before it
	}{
		"timer-first": {"00:01:00", 1}, "timer-second": {"00:01:00", 2}, "timer-failure": {"00:01:00", 2}, "timer-past-due": {"00:01:00", 0},
		"timer-unmonitored": {"00:00:10", 1},
	} {
		r, ok := recordings[name]
		delete(recordings, name)
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if !ok {
				t.Fatal("there is no such recording")
			}
			p := newCallReplay(t, r, "")
			p.app.addTimer("outbox-relay", c.schedule)
			if name == "timer-unmonitored" {
				delete(p.app.config.Settings, "APPLICATIONINSIGHTS_CONNECTION_STRING")
			}
			if c.tick == 0 {
				p.app.keepStatus("outbox-relay", time.Now().Add(-time.Hour))
			}
			p.app.start()
			p.await(c.tick + 1)
			p.mu.Lock()
			p.requests = p.requests[max(c.tick-1, 0):]
			p.mu.Unlock()
			p.compare(0)
		})
	}
	for name := range recordings {
		t.Errorf("nobody replays %s", name)
	}
}

// callReplay is a handler that answers the first call as it was recorded to, and the others with success.
type callReplay struct {
	t        *testing.T
	app      *app
	recorded recording

	mu        sync.Mutex
	requests  []rawMessage
	elsewhere rawMessage
}

func newCallReplay(t *testing.T, r recording, options string) *callReplay {
	t.Helper()
	p := &callReplay{t: t, recorded: r}
	address := serveConnections(t, p.serve)
	if options != "" {
		options += ", "
	}
	p.app = newApp(t, `{`+options+`"customHandler": {"initializationTimeout": "00:00:20"}}`)
	p.app.config.TimeScale = 1.0 / 30 // visibilityTimeout is a second
	p.app.config.Settings["APPLICATIONINSIGHTS_CONNECTION_STRING"] = "InstrumentationKey=00000000-0000-0000-0000-000000000000"
	p.app.onBirth = func(int, birth) string { return tunnelTo + address }
	return p
}

func (p *callReplay) serve(conn net.Conn) {
	defer conn.Close()
	for reader := bufio.NewReader(conn); ; {
		request, err := readHead(reader)
		if err != nil || request.readBody(reader, false) != nil {
			return
		}
		answer, then := p.answer(request)
		if then == "wait" {
			_, _ = io.Copy(io.Discard, reader)
			return
		}
		if _, err := conn.Write(answer); err != nil || then != "" {
			return
		}
	}
}

const success = `{"Outputs":{},"Logs":[],"ReturnValue":null}`

func (p *callReplay) answer(request rawMessage) (answer []byte, then string) {
	answer = fmt.Appendf(nil, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(success), success)
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case strings.HasPrefix(request.start, "GET / "):
		return answer, ""
	case strings.HasPrefix(request.start, "GET "):
		p.elsewhere = request
		return answer, ""
	}
	p.requests = append(p.requests, request)
	if len(p.requests) > 1 && p.recorded.Outcome.End != "poison" && p.recorded.Case != "timer-failure" {
		return answer, ""
	}
	return latin1(p.recorded.Answer), p.recorded.Then
}

// await waits for n calls.
func (p *callReplay) await(n int) {
	p.t.Helper()
	await.Until(p.t, fmt.Sprintf("%d calls", n), func() bool {
		p.mu.Lock()
		defer p.mu.Unlock()
		return len(p.requests) >= n
	})
}

// compare compares the first call with the recorded one, and the number of calls, if that is told.
func (p *callReplay) compare(deliveries int) {
	p.t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.recorded.Message != nil && len(p.requests) != deliveries {
		p.t.Errorf("%d deliveries, recorded %d", len(p.requests), deliveries)
	}
	if p.recorded.Request == nil || len(p.requests) == 0 {
		return
	}
	got, recorded := p.requests[0].inWords(p.app.birth(1).Env["FUNCTIONS_CUSTOMHANDLER_PORT"], ""), p.recorded.received()
	gotCall, recordedCall := callInWords(p.t, got.body), callInWords(p.t, []byte(p.recorded.Request.Body))
	if !reflect.DeepEqual(gotCall, recordedCall) {
		p.t.Errorf("called with\n\t%s\nrecorded\n\t%s", indent(gotCall), indent(recordedCall))
	}
	got.body, recorded.body = nil, nil
	for _, difference := range differences("call", withoutVersion(got), withoutVersion(recorded)) {
		p.t.Error(difference)
	}
}

// withoutVersion leaves the host's version out of its User-Agent.
func withoutVersion(m rawMessage) rawMessage {
	for i, h := range m.headers {
		if h[0] == "User-Agent" {
			m.headers[i][1], _, _ = strings.Cut(h[1], "/")
		}
	}
	return m
}

var (
	messageID  = regexp.MustCompile(`"Id":"\\"[0-9a-f-]{36}\\""`)
	popReceipt = regexp.MustCompile(`"PopReceipt":"\\"[^"\\]+\\""`)
	randGUID   = regexp.MustCompile(`"RandGuid":"[0-9a-f-]{36}"`)
	// A timestamp of the run; the zero time, and the end of time, of what never expires, stay.
	timestamp = regexp.MustCompile(`"2\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{0,6}[1-9])?(Z|[+-]\d\d:\d\d)"`)
)

// callInWords decodes an envelope, with the recordings' words in place of what differs from run to run.
func callInWords(t *testing.T, body []byte) (call any) {
	t.Helper()
	body = messageID.ReplaceAll(body, []byte(`"Id":"\"MESSAGE-ID\""`))
	body = popReceipt.ReplaceAll(body, []byte(`"PopReceipt":"\"POP-RECEIPT\""`))
	body = randGUID.ReplaceAll(body, []byte(`"RandGuid":"RAND-GUID"`))
	body = timestamp.ReplaceAll(body, []byte(`"TIME"`))
	if err := json.Unmarshal(body, &call); err != nil {
		t.Errorf("%v in %s", err, body)
	}
	return call
}

func indent(call any) string {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetIndent("\t", " ")
	_ = encoder.Encode(call)
	return text.String()
}
