package funchost_test

import (
	"encoding/json"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// call is an envelope as the handler received it.
type call struct {
	request  *http.Request
	Data     map[string]json.RawMessage
	Metadata map[string]json.RawMessage
}

func readCall(t *testing.T, r *http.Request) call {
	t.Helper()
	content, err := io.ReadAll(r.Body)
	c := call{request: r}
	if err == nil {
		err = json.Unmarshal(content, &c)
	}
	if err != nil {
		t.Errorf("envelope %q: %v", content, err)
	}
	return c
}

// deliver sends one message to a function with that dataType and returns the envelope that came of it.
func deliver(t *testing.T, dataType, message string) call {
	t.Helper()
	q := newQueue(t)
	calls := make(chan call, 1)
	a := newQueueApp(t, q, "", func(w http.ResponseWriter, r *http.Request) {
		calls <- readCall(t, r)
		succeed(w, r)
	})
	a.addQueue("work", q.name, dataType)
	a.start()
	q.send(message)
	defer q.waitEmpty()
	return receive(t, calls, "the call")
}

var (
	wholeSeconds = regexp.MustCompile(`^"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00"$`)
	ticks        = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{0,6}[1-9])?Z$`)
)

// With dataType binary the message arrives as base64, once, and stays out of the metadata.
func TestBinaryQueueEnvelope(t *testing.T) {
	t.Parallel()
	c := deliver(t, "binary", `{"id":"u-1","v":1}`)
	r := c.request
	if r.Method != http.MethodPost || r.RequestURI != "/work" || r.Header.Get(seenEncoding) != "chunked" ||
		r.Header.Get("Content-Type") != "application/json; charset=utf-8" ||
		!strings.HasPrefix(r.Header.Get("User-Agent"), "Azure-Functions-Host/") ||
		len(r.Header.Get("X-Azure-Functions-InvocationId")) != 36 || r.Header.Get("X-Azure-Functions-HostVersion") == "" {
		t.Errorf("%s %s %v", r.Method, r.RequestURI, r.Header)
	}
	if got := string(c.Data["msg"]); len(c.Data) != 1 || got != `"eyJpZCI6InUtMSIsInYiOjF9"` {
		t.Errorf("Data %s", c.Data)
	}
	names := make([]string, 0, len(c.Metadata))
	for name := range c.Metadata {
		names = append(names, name)
	}
	slices.Sort(names)
	want := []string{"DequeueCount", "ExpirationTime", "Id", "InsertionTime", "NextVisibleTime", "PopReceipt", "sys"}
	if !slices.Equal(names, want) {
		t.Errorf("Metadata has %q, want %q", names, want)
	}
	if got := string(c.Metadata["DequeueCount"]); got != `"1"` {
		t.Errorf("DequeueCount %s", got)
	}
	if got := string(c.Metadata["Id"]); !regexp.MustCompile(`^"\\"[0-9a-f-]{36}\\""$`).MatchString(got) {
		t.Errorf("Id %s", got)
	}
	for _, name := range []string{"ExpirationTime", "InsertionTime", "NextVisibleTime"} {
		if got := string(c.Metadata[name]); !wholeSeconds.MatchString(got) {
			t.Errorf("%s %s", name, got)
		}
	}
	var sys struct {
		MethodName, UtcNow string
		RandGUID           string // spelled RandGuid; JSON names match in any case
	}
	if err := json.Unmarshal(c.Metadata["sys"], &sys); err != nil || sys.MethodName != "work" ||
		!ticks.MatchString(sys.UtcNow) || len(sys.RandGUID) != 36 {
		t.Errorf("sys %s: %v", c.Metadata["sys"], err)
	}
}

// Without dataType the message is encoded twice, and its properties replace metadata of the same name in any case.
func TestTextQueueEnvelope(t *testing.T) {
	t.Parallel()
	const message = `{"id":"u-1","n":2,"ok":true,"who":{"name":"<é>"},"list":[1],"none":null,"aTrigger":1,"dequeuecount":"x"}`
	c := deliver(t, "", message)
	var once, twice string
	if json.Unmarshal(c.Data["msg"], &once) != nil || json.Unmarshal([]byte(once), &twice) != nil || twice != message {
		t.Errorf("Data %s", c.Data)
	}
	for name, want := range map[string]string{
		"Id": `"\"u-1\""`, "n": `"\"2\""`, "ok": `"\"True\""`, "who": `{"name":"<é>"}`, "DequeueCount": `"\"x\""`,
		"list": "", "none": "", "aTrigger": "", "id": "", "dequeuecount": "",
	} {
		if got := string(c.Metadata[name]); got != want {
			t.Errorf("Metadata.%s %s, want %s", name, got, want)
		}
	}
}

// answers are the ways in which a handler can answer an envelope, by the real host's table.
var answers = map[string]struct {
	success bool
	answer  http.HandlerFunc
}{
	"object":                {true, answer(200, "application/json", `{}`)},
	"object with charset":   {true, answer(200, "application/json; charset=utf-8", `{"Outputs":{"a":"b"},"unknown":1}`)},
	"text/json":             {true, answer(201, "text/json", `{"returnvalue":1,"LOGS":null}`)},
	"redirect":              {true, redirect},
	"sniffed as plain text": {false, answer(200, "", `{}`)},
	"plain text":            {false, answer(200, "text/plain", `{}`)},
	"broken JSON":           {false, answer(200, "application/json", `{"Outputs":`)},
	"array":                 {false, answer(200, "application/json", `[]`)},
	"400":                   {false, answer(400, "application/json", `{}`)},
	"500":                   {false, answer(500, "application/json", `{"Logs":["a log of a failure"]}`)},
	"503":                   {false, answer(503, "text/plain", `busy`)},
	"connection cut":        {false, func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }},
}

func answer(status int, contentType, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		if contentType != "" {
			w.Header().Set("Content-Type", contentType)
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

func redirect(w http.ResponseWriter, r *http.Request) {
	http.Redirect(w, r, "/moved", http.StatusFound)
}

// Success is 2xx and a JSON object; everything else fails the invocation.
func TestAnswers(t *testing.T) {
	t.Parallel()
	q := newQueue(t)
	a, h := startQueueApp(t, q, `"maxDequeueCount": 1`, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/moved" {
			succeed(w, r)
			return
		}
		answers[text(r)].answer(w, r)
	})
	var failures []string
	for name, c := range answers {
		q.send(name)
		if !c.success {
			failures = append(failures, name)
		}
	}
	q.waitEmpty()
	got := q.poisoned()
	slices.Sort(got)
	slices.Sort(failures)
	if !slices.Equal(got, failures) {
		t.Errorf("failed: %q, want %q", got, failures)
	}
	if strings.Contains(a.log.String(), "a log of a failure") {
		t.Error("the logs of a failure came through")
	}
	if got := h.Stats().HandlerStarts; got != 1 {
		t.Errorf("%d handler starts", got)
	}
}

func TestLogsOfASuccess(t *testing.T) {
	t.Parallel()
	q := newQueue(t)
	a, _ := startQueueApp(t, q, "", answer(200, "application/json", `{"Logs":["first line","second line"]}`))
	q.send("x")
	q.waitEmpty()
	for _, line := range []string{"first line", "second line"} {
		if !regexp.MustCompile(`function=work invocation_id=[0-9a-f-]{36} line="` + line).MatchString(a.log.String()) {
			t.Errorf("%q is not in the log", line)
		}
	}
}

// A 2xx without content settles nothing: the call lasts until functionTimeout, which kills the handler, frees the
// message and counts as no error.
func TestEmptyAnswersHang(t *testing.T) {
	t.Parallel()
	q := newQueue(t)
	hangs := map[string]http.HandlerFunc{
		"no body":        answer(200, "application/json", ""),
		"no content":     answer(204, "", ""),
		"null":           answer(200, "application/json", " null\n"),
		"null text/json": answer(200, "text/json", "null"),
		"no answer":      func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
	}
	var calls atomic.Int32
	a := newApp(t, `{"functionTimeout": "00:00:20", "extensions": {"queues":
		{"batchSize": 1, "newBatchThreshold": 0, "maxDequeueCount": 1, "maxPollingInterval": "00:00:01"}}}`)
	a.addQueue("work", q.name, "binary")
	a.config.Settings["AzureWebJobsStorage"] = q.viaUs
	a.handle = func(w http.ResponseWriter, r *http.Request) {
		calls.Add(1)
		hangs[text(r)](w, r)
	}
	started := time.Now()
	h := a.start()
	for name := range hangs {
		q.send(name)
	}
	q.waitEmpty()
	if got := q.poisoned(); len(got) != len(hangs) || int(calls.Load()) != len(hangs) {
		t.Errorf("failed: %q in %d calls", got, calls.Load())
	}
	if took, least := time.Since(started), time.Duration(len(hangs))*200*time.Millisecond; took < least {
		t.Errorf("all ended in %v, before the function time-outs of %v", took, least)
	}
	eventually(t, "the last restart", func() bool { return h.Stats().HandlerStarts == len(hangs)+1 })
	if got := h.Stats().Restarts; got != 0 {
		t.Errorf("%d job host restarts", got)
	}
}
