package funchost

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"time"
)

func TestTimeSpans(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]time.Duration{
		"00:00:30": 30 * time.Second, "1:2:3": time.Hour + 2*time.Minute + 3*time.Second,
		"2.00:00:00": 48 * time.Hour, "00:00:00.1": 100 * time.Millisecond,
	} {
		if got, err := parseTimeSpan(text); err != nil || got != want {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "5", "24:00:00", "00:60:00", "00:00:60", "-00:00:01", "0 0 * * * *"} {
		if got, err := parseTimeSpan(text); err == nil {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// Six fields start with seconds, five with minutes; what fires more than once a minute has no monitor.
func TestSchedules(t *testing.T) {
	t.Parallel()
	from := time.Date(2026, 1, 30, 23, 59, 30, 1, time.Local)
	for text, want := range map[string]struct {
		next     time.Time
		frequent bool
	}{
		"*/10 * * * * *":  {time.Date(2026, 1, 30, 23, 59, 40, 0, time.Local), true},
		"15,45 * * * * *": {time.Date(2026, 1, 30, 23, 59, 45, 0, time.Local), true},
		"0 */5 * * * *":   {time.Date(2026, 1, 31, 0, 0, 0, 0, time.Local), false},
		"0 30 9 * * 1-5":  {time.Date(2026, 2, 2, 9, 30, 0, 0, time.Local), false},
		"0 0 0 1 JAN *":   {time.Date(2027, 1, 1, 0, 0, 0, 0, time.Local), false},
		"*/5 * * * *":     {time.Date(2026, 1, 31, 0, 0, 0, 0, time.Local), false},
		"00:00:30":        {from.Add(15 * time.Second), true},
		"00:01:00":        {from.Add(30 * time.Second), false},
		"30 0 12 * * MON": {time.Date(2026, 2, 2, 12, 0, 30, 0, time.Local), false},
	} {
		s, frequent, err := parseSchedule(text, 0.5)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got := s.Next(from); !got.Equal(want.next) || frequent != want.frequent {
			t.Errorf("%s: %v, frequent %v; want %+v", text, got, frequent, want)
		}
	}
}

// The delays are 0.1, 0.2, 0.3, 0.5, 0.9 s and so on, each but the first with a spread of a fifth, up to the longest.
func TestPollBackoff(t *testing.T) {
	t.Parallel()
	b := pollBackoff{step: shortestPoll, longest: 5 * time.Second}
	for range 3 {
		for n, middle := range []float64{0.1, 0.2, 0.3, 0.5, 0.9, 1.7, 3.3} {
			spread := (middle - 0.1) * 0.2
			if got := b.next().Seconds(); got < middle-spread-1e-6 || got > middle+spread+1e-6 {
				t.Errorf("delay %d: %v, want about %v", n, got, middle)
			}
		}
		for range 100 {
			if got := b.next(); got != 5*time.Second {
				t.Errorf("at the end: %v", got)
			}
		}
		b.reset()
	}
}

// Only the third of errors that each come within half an hour of the one before is too many.
func TestFailureWindow(t *testing.T) {
	t.Parallel()
	var f failureWindow
	now := time.Now()
	for n, step := range []struct {
		after time.Duration
		many  bool
	}{
		{0, false}, {29 * time.Minute, false}, {31 * time.Minute, false}, {30 * time.Minute, false}, {30 * time.Minute, true},
	} {
		now = now.Add(step.after)
		if got := f.add(now, restartWindow); got != step.many {
			t.Errorf("error %d: %v", n+1, got)
		}
	}
}

// Lines of the handler become log records by the rules for stdout and stderr, JSON as it is.
func TestConsole(t *testing.T) {
	t.Parallel()
	var log, raw bytes.Buffer
	c := Config{Logger: slog.New(slog.NewTextHandler(&log, nil))}
	stdout, stderr := newConsole(c, false), newConsole(c, true)
	for _, piece := range []string{"pl", "ain\r\n{\"a\":1}\nazfuncjsonlog: x\nLanguageWorkerConsoleLog y\n", "no newline"} {
		_, _ = stdout.Write([]byte(piece))
	}
	_, _ = stderr.Write([]byte("1\nsome WARNING\nbroken\n4\n"))
	stdout.flush()
	for _, want := range []string{
		"level=INFO msg=\"handler output\" category=Host.Function.Console line=plain\n",
		"level=INFO msg=\"handler output\" category=Host.Function.Console record=\"{\\\"a\\\":1}\"\n",
		"level=INFO msg=\"handler output\" category=tooling line=\"azfuncjsonlog: x\"\n",
		"level=INFO msg=\"handler output\" category=system line=\" y\"\n",
		"category=Host.Function.Console line=\"no newline\"\n",
		"level=WARN msg=\"handler output\" category=Host.Function.Console line=\"some WARNING\"\n",
		"level=ERROR msg=\"handler output\" category=Host.Function.Console line=broken\n",
	} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("no %q in\n%s", want, &log)
		}
	}
	if got := strings.Join(stderr.lastLines(), "|"); got != "some WARNING|broken|4" {
		t.Errorf("last lines %q", got)
	}

	c.HandlerOutput, log = &raw, bytes.Buffer{}
	_, _ = newConsole(c, true).Write([]byte("raw line\n" + strings.Repeat("x", longestLine)))
	if raw.String() != "raw line\n"+strings.Repeat("x", longestLine)+"\n" || log.Len() != 0 {
		t.Errorf("%d bytes raw, log %q", raw.Len(), &log)
	}
}

func TestExpandDevelopmentStorage(t *testing.T) {
	t.Parallel()
	if got := expandDevelopmentStorage("usedevelopmentstorage=true;"); !strings.Contains(got, "QueueEndpoint=http://127.0.0.1:10001/") {
		t.Error(got)
	}
	if got := expandDevelopmentStorage("AccountName=x"); got != "AccountName=x" {
		t.Error(got)
	}
}
