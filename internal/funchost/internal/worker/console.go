package worker

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"strings"
	"sync"
)

const (
	longestLine   = 1 << 20 // bytes; what is longer is cut into several lines
	linesInErrors = 3       // stderr lines that end up in the exit error
)

// console turns one output stream of the handler into log records, a line each.
type console struct {
	logger *slog.Logger
	raw    io.Writer // gets the lines instead of logger, when set
	stderr bool

	mu      sync.Mutex
	partial []byte
	last    []string
}

func newConsole(c Config, stderr bool) *console {
	return &console{logger: c.Log, raw: c.HandlerOutput, stderr: stderr}
}

func (c *console) Write(output []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.partial = append(c.partial, output...)
	for {
		line, rest, found := bytes.Cut(c.partial, []byte("\n"))
		if !found && len(c.partial) < longestLine {
			return len(output), nil
		}
		c.emit(line)
		c.partial = rest
	}
}

// SharedWriter lets stdout and stderr share one writer. It is safe for concurrent use.
type SharedWriter struct {
	mu sync.Mutex
	w  io.Writer
}

// Share returns a SharedWriter.
func Share(w io.Writer) *SharedWriter { return &SharedWriter{w: w} }

func (l *SharedWriter) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(line)
}

// flush emits a last line that has no newline.
func (c *console) flush() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.partial) > 0 {
		c.emit(c.partial)
		c.partial = nil
	}
}

// lastLines are the latest lines, oldest first.
func (c *console) lastLines() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.last
}

func (c *console) emit(line []byte) {
	text := strings.TrimSuffix(string(line), "\r")
	c.last = append(c.last, text)
	if len(c.last) > linesInErrors {
		c.last = c.last[1:]
	}
	if c.raw != nil {
		_, _ = io.WriteString(c.raw, text+"\n") // a writer that fails must not end the handler
		return
	}
	level, category, text := classify(text, c.stderr)
	content := slog.String("line", text)
	if json.Valid([]byte(text)) && strings.HasPrefix(text, "{") {
		content = slog.Any("record", json.RawMessage(text))
	}
	c.logger.LogAttrs(context.Background(), level, "handler output", slog.String("category", category), content)
}

// classify returns level and category of a line of the handler, by the real host's rules: stderr is for errors unless
// the line speaks of a warning, and two prefixes divert a line from the user's log.
func classify(line string, stderr bool) (slog.Level, string, string) {
	level := slog.LevelInfo
	switch {
	case stderr && strings.Contains(strings.ToLower(line), "warn"):
		level = slog.LevelWarn
	case stderr:
		level = slog.LevelError
	}
	if system, ok := strings.CutPrefix(line, "LanguageWorkerConsoleLog"); ok {
		return level, "system", system
	}
	if strings.HasPrefix(line, "azfuncjsonlog:") {
		return level, "tooling", line
	}
	return level, "Host.Function.Console", line
}
