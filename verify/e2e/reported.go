package e2e

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
)

// reported is what an app's handlers reported as errors: lines of the level ERROR, and what the runtime prints when a process panics.
type reported struct {
	mu     sync.Mutex
	lines  []string
	alerts map[string]bool // the kinds that were logged
}

// note takes down a line of a handler's output, if it is an error.
func (r *reported) note(line string) {
	var said struct{ Level, Msg, Alert string }
	isJSON := json.Unmarshal([]byte(line), &said) == nil
	if isJSON && said.Level != "ERROR" || !isJSON && !strings.HasPrefix(line, "panic: ") && !strings.HasPrefix(line, "fatal error: ") {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lines = append(r.lines, line)
	if r.alerts == nil {
		r.alerts = map[string]bool{}
	}
	r.alerts[said.Alert] = true
}

// check fails the test for each alert that has not come, for each error that contains none of the expected texts and is
// none of these alerts, and for every panic, which nobody may expect.
func (r *reported) check(t testing.TB, alerts, expected []string) {
	t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, alert := range alerts {
		if !r.alerts[alert] {
			t.Errorf("the alert %q has not come", alert)
		}
		expected = append(expected, `"alert":"`+alert+`"`)
	}
	for _, line := range r.lines {
		isExpected := slices.ContainsFunc(expected, func(text string) bool { return strings.Contains(line, text) })
		if !isExpected || isPanic(line) {
			t.Errorf("the handler reported: %s", line)
		}
	}
}

func isPanic(line string) bool {
	return slices.ContainsFunc([]string{"function panicked", "panic while serving", "panic: ", "fatal error: "},
		func(text string) bool { return strings.Contains(line, text) })
}

// writer passes lines of a handler on, a line a Write.
func (r *reported) writer(next io.Writer) io.Writer { return reportedLines{r, next} }

type reportedLines struct {
	to   *reported
	next io.Writer
}

func (l reportedLines) Write(line []byte) (int, error) {
	l.to.note(strings.TrimSpace(string(line)))
	return l.next.Write(line)
}

// logger passes on a host's log, in which the lines of its handler stand.
func (r *reported) logger(next *slog.Logger) *slog.Logger {
	return slog.New(reportedRecords{next.Handler(), r})
}

type reportedRecords struct {
	slog.Handler

	to *reported
}

func (reportedRecords) Enabled(context.Context, slog.Level) bool { return true }

func (h reportedRecords) Handle(ctx context.Context, record slog.Record) error {
	if record.Message == "handler output" {
		record.Attrs(func(a slog.Attr) bool {
			switch content := a.Value.Any().(type) {
			case json.RawMessage:
				h.to.note(string(content))
			case string:
				h.to.note(content)
			}
			return true
		})
	}
	if !h.Handler.Enabled(ctx, record.Level) {
		return nil
	}
	return h.Handler.Handle(ctx, record)
}

func (h reportedRecords) WithAttrs(attrs []slog.Attr) slog.Handler {
	return reportedRecords{h.Handler.WithAttrs(attrs), h.to}
}

func (h reportedRecords) WithGroup(name string) slog.Handler {
	return reportedRecords{h.Handler.WithGroup(name), h.to}
}
