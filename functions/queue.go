package functions

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"log/slog"
	"net/http"
	"strconv"
	"time"
)

// QueueMessage is a message that the host took from a storage queue. Only Body is reliable: unless function.json asks
// for dataType binary, the host overwrites metadata with properties of the message that have the same name.
type QueueMessage struct {
	Body          []byte    // the message as it was sent, decoded from base64
	ID            string    // the queue's id for it; "" if the envelope had none
	DequeueCount  int       // deliveries so far, including this one, from 1; 0 if the envelope had none
	InsertionTime time.Time // when it was sent, by the queue's clock, to the second; zero if the envelope had none
}

// Queue handles the host's calls of a queue trigger: it decodes the envelope and passes the message of the named
// binding to fn, whose context has the invocation's id. If fn returns nil, the host deletes the message. An error, a
// panic, or an envelope that cannot be decoded is answered with 500: the host delivers the message again, and moves it
// to the poison queue after maxDequeueCount.
func Queue(binding string, log *slog.Logger, fn func(ctx context.Context, m QueueMessage) error) http.Handler {
	decode := func(envelope []byte) (QueueMessage, error) { return decodeQueueMessage(envelope, binding) }
	return WithInvocation(invocation[QueueMessage]{decode, fn, log})
}

func decodeQueueMessage(envelope []byte, binding string) (QueueMessage, error) {
	value, metadata, err := open(envelope, binding)
	if err != nil {
		return QueueMessage{}, err
	}
	body, err := messageBody(value)
	if err != nil {
		return QueueMessage{}, err
	}
	m := QueueMessage{Body: body}
	m.readMetadata(metadata)
	return m, nil
}

// messageBody returns the message's bytes. With dataType binary they arrive as base64; without it, text arrives encoded
// twice. Text encoded once, and objects, are sent by no known host but by people and tools; such a text is taken for
// base64 if it can be decoded.
func messageBody(value json.RawMessage) ([]byte, error) {
	s, twice, err := text(value)
	if err != nil {
		return nil, err
	}
	if value[0] == '"' && !twice {
		if b, err := base64.StdEncoding.DecodeString(s); err == nil {
			return b, nil
		}
	}
	return []byte(s), nil
}

// readMetadata sets the fields that it can read. A message is never rejected for its metadata, which the message itself
// may have overwritten.
func (m *QueueMessage) readMetadata(metadata json.RawMessage) {
	var raw struct{ ID, DequeueCount, InsertionTime json.RawMessage }
	if json.Unmarshal(metadata, &raw) != nil {
		return
	}
	m.ID, _, _ = text(raw.ID)
	count, _, _ := text(raw.DequeueCount)
	m.DequeueCount, _ = strconv.Atoi(count)
	inserted, _, _ := text(raw.InsertionTime)
	m.InsertionTime, _ = time.Parse(time.RFC3339, inserted)
}
