package watch

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"net/http"
	"time"

	"github.com/google/uuid"

	"sheetdrop/internal/clock"
	"sheetdrop/internal/postgres/progress"
	"sheetdrop/internal/task"
)

// retryPause is how long a client waits until it goes on with another stream.
const retryPause = time.Second

// writeTimeout is how long a client may take to accept an event.
const writeTimeout = 10 * time.Second

// TaskEvent is the data of an event "task": the whole state of a task.
type TaskEvent struct {
	ID         uuid.UUID     `json:"id" format:"uuid"`
	FileID     uuid.UUID     `json:"file_id" format:"uuid"`
	Status     task.Status   `json:"status" enum:"PENDING,PROCESSING,COMPLETED,FAILED,CANCELLED"`
	Attempt    int           `json:"attempt"`
	Progress   task.Progress `json:"progress"`
	ErrorCode  string        `json:"error_code,omitempty" doc:"Why it is FAILED."`
	StartedAt  *time.Time    `json:"started_at,omitempty"`
	FinishedAt *time.Time    `json:"finished_at,omitempty"`
}

// event is one event of a stream.
type event struct {
	name string
	data []byte
	last bool // of its task
}

func taskEvent(s progress.State) event {
	shown := TaskEvent{s.ID, s.FileID, s.Status, s.Attempt, s.Progress, "", s.StartedAt, s.FinishedAt}
	if s.Status == task.Failed {
		shown.ErrorCode = s.Code
	}
	return event{"task", marshal(shown), s.Status.Terminal()}
}

func goneEvent(id uuid.UUID) event {
	return event{"gone", marshal(map[string]uuid.UUID{"id": id}), true}
}

func marshal(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // ids, numbers and times always marshal
	}
	return text
}

// hash tells one state of a task from another.
func (e event) hash() uint64 {
	h := fnv.New64a()
	h.Write([]byte(e.name))
	h.Write(e.data)
	return h.Sum64()
}

// position is which event of each task a client has got, by their hashes; 0 is none. As text it is the id of an event,
// which clients send back: whichever process serves the next stream, it goes on where the one before ended.
type position []uint64

func (p position) String() string {
	raw := make([]byte, 0, 8*len(p))
	for _, hash := range p {
		raw = binary.BigEndian.AppendUint64(raw, hash)
	}
	return base64.RawURLEncoding.EncodeToString(raw)
}

// parsePosition returns a position of so many tasks. One that cannot be read is that of a client that has got nothing.
func parsePosition(text string, tasks int) position {
	p := make(position, tasks)
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || len(raw) != 8*tasks {
		return p
	}
	for i := range p {
		p[i] = binary.BigEndian.Uint64(raw[8*i:])
	}
	return p
}

// writer writes events, each at once.
type writer struct {
	out     io.Writer
	control *http.ResponseController
}

func (w *writer) begin() error {
	return w.write(fmt.Appendf(nil, "retry: %d\n\n", retryPause.Milliseconds()))
}

func (w *writer) event(e event, at position) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "event: %s\nid: %s\ndata: %s\n\n", e.name, at, e.data) // JSON has no line ends
	return w.write(b.Bytes())
}

func (w *writer) comment(text string) error { return w.write([]byte(": " + text + "\n\n")) }

func (w *writer) write(b []byte) error {
	_ = w.control.SetWriteDeadline(clock.In(writeTimeout)) // not every ResponseWriter supports it
	if _, err := w.out.Write(b); err != nil {
		return err
	}
	return w.control.Flush()
}
