package devtest

import (
	"encoding/json"
	"strings"
	"sync"
	"testing"
)

// Log collects what a program under test writes. It is safe for concurrent use, and its zero value is empty.
type Log struct {
	mu   sync.Mutex
	text strings.Builder
}

// Write appends to the log and never fails.
func (l *Log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

// String returns everything written so far.
func (l *Log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// Lines returns the JSON lines that have a message, as slog's JSONHandler writes them.
func (l *Log) Lines(t testing.TB, message string) []map[string]any {
	t.Helper()
	var found []map[string]any
	for line := range strings.Lines(l.String()) {
		var fields map[string]any
		if err := json.Unmarshal([]byte(line), &fields); err != nil {
			t.Fatal(err)
		}
		if fields["msg"] == message {
			found = append(found, fields)
		}
	}
	return found
}
