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

// errMessage marks failures that only another message could mend.
var errMessage = fault.New(fault.Message, "unusable message")

func (r *Relay) trySend(ctx context.Context, m postgres.OutboxMessage) outcome {
	send, known := r.senders[m.EventType]
	if !known {
		return outcome{tried: true, unknown: true, err: fmt.Errorf("unknown event type %q: left to a newer program", m.EventType)}
	}
	err := send(ctx, m)
	return outcome{tried: true, err: err, rejected: err != nil && fault.Of(err) == fault.Message}
}

func sendToQueue(queue *azure.Queue) sender {
	return func(ctx context.Context, m postgres.OutboxMessage) error { return queue.Send(ctx, m.Payload) }
}

func deleteBlob(blobs *azure.Blobs) sender {
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
