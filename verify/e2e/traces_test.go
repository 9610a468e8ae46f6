package e2e_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"slices"
	"sync"
	"testing"

	"sheetdrop/internal/devstack/await"
)

// traces keeps what the host hands on of the handler's output: the messages of AppTraces.
type traces struct {
	mu   sync.Mutex
	kept []string
}

// Enabled is by the level that host.json lets through.
func (*traces) Enabled(_ context.Context, level slog.Level) bool { return level >= slog.LevelInfo }

func (l *traces) Handle(_ context.Context, r slog.Record) error {
	if r.Message != "handler output" {
		return nil
	}
	r.Attrs(func(a slog.Attr) bool {
		if record, ok := a.Value.Any().(json.RawMessage); ok {
			l.add(string(record))
		}
		return true
	})
	return nil
}

func (l *traces) WithAttrs([]slog.Attr) slog.Handler { return l }
func (l *traces) WithGroup(string) slog.Handler      { return l }

func (l *traces) add(message string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.kept = append(l.kept, message)
}

func (l *traces) clear() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.kept = nil
}

func (l *traces) messages() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.kept)
}

// await waits until the messages fulfil a condition.
func (l *traces) await(t *testing.T, condition func(messages []string) bool) {
	t.Helper()
	await.Value(t, "the condition of the log's messages", l.messages, condition)
}
