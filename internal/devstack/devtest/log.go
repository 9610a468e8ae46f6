package devtest

import (
	"strings"
	"sync"
)

// Log keeps what a program under test writes, from several goroutines at once, and may be read meanwhile. Its zero value is empty.
type Log struct {
	mu   sync.Mutex
	text strings.Builder
}

// Write adds to it and never fails.
func (l *Log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

// String is all that was written so far.
func (l *Log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}
