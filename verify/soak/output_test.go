//go:build linux

package soak

import (
	"bytes"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/google/uuid"
)

// forgotten is a task for which the reconciler wrote a new message, since none had come for long.
type forgotten struct {
	TaskID    uuid.UUID `json:"task_id"`
	MessageID uuid.UUID `json:"message_id"`
}

// output passes on what a handler writes, a line at a time. It notes the messages that the reconciler has written anew, the alerts, and in the
// end keeps all.
type output struct {
	log io.Writer

	mu        sync.Mutex
	forgotten []forgotten
	alerts    strings.Builder
	said      []said
	keep      bool
	kept      bytes.Buffer
}

func (o *output) Write(line []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.keep {
		o.kept.Write(line)
	}
	if s, ok := readSaid(line); ok {
		o.said = append(o.said, s)
	}
	if bytes.Contains(line, []byte(`"alert":`)) {
		o.alerts.Write(line)
	}
	if bytes.Contains(line, []byte("message written anew")) {
		var said forgotten
		if err := json.Unmarshal(line, &said); err != nil {
			return 0, err
		}
		o.forgotten = append(o.forgotten, said)
	}
	return o.log.Write(line)
}

// begin keeps what comes from now on.
func (o *output) begin() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.keep = true
}

func (o *output) text() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.kept.String()
}

// anew are the messages that the reconciler has written.
func (o *output) anew() []forgotten {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.Clone(o.forgotten)
}

// tells reports whether an alert names this subject.
func (o *output) tells(subject string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return strings.Contains(o.alerts.String(), `"`+subject+`"`)
}
