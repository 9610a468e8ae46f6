package task

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/google/uuid"
)

// EventType says what an outbox message requests, and so where the relay sends it.
type EventType string

// The event types.
const (
	ParseTask  EventType = "PARSE_TASK"  // parse the task: a message to the queue
	BlobDelete EventType = "BLOB_DELETE" // delete a deleted file's bytes
)

// MaxRejections is how many times an outbox message may itself be rejected before it is FAILED.
const MaxRejections = 5

// ParseMessage is what travels through the queue: only ids, because the database is authoritative.
type ParseMessage struct {
	Version   int       `json:"v"`
	MessageID uuid.UUID `json:"message_id"`
	TaskID    uuid.UUID `json:"task_id"`
	// TraceParent is of the sending: W3C Trace Context. Nothing depends on it, and a message of an older relay has none.
	TraceParent string `json:"traceparent,omitempty"`
}

// ErrBadMessage is wrapped by DecodeParseMessage's errors: delivering the same bytes again cannot help.
var ErrBadMessage = errors.New("not a parse message")

// Encode returns the message's JSON.
func (m ParseMessage) Encode() []byte {
	b, err := json.Marshal(m)
	if err != nil {
		panic(err) // an int and two uuids always marshal
	}
	return b
}

// DecodeParseMessage decodes a message of version 1. Unknown fields are allowed: a newer relay may add some.
func DecodeParseMessage(b []byte) (ParseMessage, error) {
	var m ParseMessage
	if err := json.NewDecoder(bytes.NewReader(b)).Decode(&m); err != nil {
		return m, fmt.Errorf("%w: %w", ErrBadMessage, err)
	}
	if m.Version != 1 || m.TaskID == uuid.Nil {
		return m, fmt.Errorf("%w: version %d, task %s", ErrBadMessage, m.Version, m.TaskID)
	}
	return m, nil
}

// BlobDeletePayload is the payload of a BlobDelete message.
type BlobDeletePayload struct {
	BlobName string `json:"blob_name"`
}
