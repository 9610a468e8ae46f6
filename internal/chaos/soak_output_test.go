//go:build linux

package chaos

import (
	"bytes"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/google/uuid"
)

// output passes on what a handler writes, a line at a time. It notes the tasks of which the reconciler says that they had lost their message,
// the alerts, and in the end keeps all.
type output struct {
	log io.Writer

	mu        sync.Mutex
	forgotten []uuid.UUID
	alerts    strings.Builder
	keep      bool
	kept      bytes.Buffer
}

func (o *output) Write(line []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.keep {
		o.kept.Write(line)
	}
	if bytes.Contains(line, []byte(`"alert":`)) {
		o.alerts.Write(line)
	}
	if bytes.Contains(line, []byte("task had lost its message")) {
		var said struct {
			TaskID uuid.UUID `json:"task_id"`
		}
		if err := json.Unmarshal(line, &said); err != nil {
			return 0, err
		}
		o.forgotten = append(o.forgotten, said.TaskID)
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

// tasks are those that had lost their message.
func (o *output) tasks() []uuid.UUID {
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
