package outbox

import (
	"context"
	"encoding/json"
	"fmt"

	"sheetdrop/internal/azure"
	"sheetdrop/internal/fault"
	"sheetdrop/internal/postgres"
	"sheetdrop/internal/task"
)

// errMessage marks failures that only another message could avoid.
var errMessage = fault.New(fault.Message, "unusable message")

// destination is where messages of a type go. It is called outside of any transaction and must be idempotent.
type destination func(ctx context.Context, m postgres.OutboxMessage) error

// outcome of a message that was tried; of one that was not, the zero value.
type outcome struct {
	tried    bool
	err      error
	rejected bool // the message is to blame
	unknown  bool // nobody is: a newer program has written it, and sends it
}

// send sends one message and counts a service's failures in its breaker. It is waited for even when the caller's context ends: a send
// that was cut off may have taken effect or not.
func (r *Relay) send(ctx context.Context, m postgres.OutboxMessage, breakers *breakers) outcome {
	to, known := r.destinations[m.EventType]
	if !known {
		return outcome{tried: true, unknown: true, err: fmt.Errorf("unknown event type %q: left to a newer program", m.EventType)}
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), r.settings.SendTimeout)
	defer cancel()
	err := to(ctx, m)
	rejected := err != nil && fault.Of(err) == fault.Message
	switch {
	case err == nil:
		breakers.success(m.EventType)
	case !rejected:
		breakers.failure(m.EventType)
	}
	return outcome{tried: true, err: err, rejected: rejected}
}

// parseQueue puts messages into the queue of the tasks to parse.
func parseQueue(queue *azure.Queue) destination {
	return func(ctx context.Context, m postgres.OutboxMessage) error { return queue.Send(ctx, m.Payload) }
}

// blobDeletion deletes the blob that the message names.
func blobDeletion(blobs *azure.Blobs) destination {
	return func(ctx context.Context, m postgres.OutboxMessage) error {
		var payload task.BlobDeletePayload
		if err := json.Unmarshal(m.Payload, &payload); err != nil {
			return fmt.Errorf("%w: payload of %s: %w", errMessage, m.EventType, err)
		}
		if payload.BlobName == "" {
			return fmt.Errorf("%w: payload of %s: no blob_name", errMessage, m.EventType)
		}
		return blobs.Delete(ctx, payload.BlobName)
	}
}
