package worker

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
)

// Lines of the handler become log records by the rules for stdout and stderr, JSON as it is.
func TestHandlerOutputBecomesLogRecords(t *testing.T) {
	t.Parallel()
	var log, raw bytes.Buffer
	c := Config{Log: slog.New(slog.NewTextHandler(&log, nil))}
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
