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

// QueueMessage is a message that the host took from a storage queue. Only Body is to be relied on: where function.json does not ask for
// dataType binary, the host overwrites metadata with properties of the message that have the same name.
type QueueMessage struct {
	Body          []byte    // the message as it was sent, no longer base64
	ID            string    // the queue's id for it; "" where the envelope had none
	DequeueCount  int       // deliveries up to now, this one counted, from 1; 0 where the envelope had none
	InsertionTime time.Time // when it was sent, by the queue's clock, to the second; zero where the envelope had none
}

// Queue answers the host's calls for a queue trigger: it decodes the envelope and hands the message of the named binding to fn, whose
// context carries the invocation's id. No error from fn lets the host delete the message; an error or a panic gives 500, and so does an
// envelope that nobody can read: the host delivers again, and moves the message to the poison queue after maxDequeueCount.
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

// messageBody returns the message's bytes. With dataType binary they come as base64; without it a text comes encoded twice. A text encoded
// once, and an object, come from no host that is known, but from hands and tools; such a text is taken for base64 if it can be.
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

// readMetadata sets what it can read. A message is never refused for its metadata, which may be the message's own doing.
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
