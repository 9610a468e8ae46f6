package outbox

import (
	"context"
	"encoding/json"
	"fmt"

	"sheetdrop/internal/azure"
	"sheetdrop/internal/fault"
	"sheetdrop/internal/metrics"
	"sheetdrop/internal/postgres"
	"sheetdrop/internal/task"
	"sheetdrop/internal/tracing"
)

// errMessage marks failures that only a different message could avoid.
var errMessage = fault.New(fault.Message, "unusable message")

// destination sends messages of one type. It is called outside of any transaction and must be idempotent.
type destination func(ctx context.Context, m postgres.OutboxMessage) error

// outcome is the result of sending a message; its zero value means that the message was not tried.
type outcome struct {
	tried    bool
	err      error
	rejected bool // the message itself is at fault
	unknown  bool // a newer version of the program has written it, and will send it
}

// send sends one message and counts failures of the service in its breaker. It waits for the result even if the
// caller's context ends: a send that was cancelled may or may not have taken effect.
func (r *Relay) send(ctx context.Context, m postgres.OutboxMessage, breakers *breakers) outcome {
	to, known := r.destinations[m.EventType]
	if !known {
		r.settings.Metrics.Send(metrics.UnknownDestination, metrics.Unknown)
		return outcome{tried: true, unknown: true, err: fmt.Errorf("unknown event type %q: left to a newer version", m.EventType)}
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), r.settings.SendTimeout)
	defer cancel()
	ctx, span := tracing.StartIn(ctx, m.TraceContext, "send "+string(m.EventType), tracing.Producer,
		tracing.Message("send", m.EventType, m.ID)...)
	if m.TaskID != nil {
		span.Set(tracing.Task(m.TaskID))
	}
	err := to(ctx, m)
	span.End(err)
	rejected := err != nil && fault.Of(err) == fault.Message
	sent := metrics.Rejected
	switch {
	case err == nil:
		sent = metrics.Sent
		breakers.success(m.EventType)
	case !rejected:
		sent = metrics.Failed
		if breakers.failure(m.EventType) {
			r.settings.Metrics.Tripped(string(m.EventType))
		}
	}
	r.settings.Metrics.Send(string(m.EventType), sent)
	return outcome{tried: true, err: err, rejected: rejected}
}

// parseQueue returns the destination of parse messages: the queue of the worker.
func parseQueue(queue *azure.Queue) destination {
	return func(ctx context.Context, m postgres.OutboxMessage) error {
		return queue.Send(ctx, traced(m.Payload, tracing.Parent(ctx)))
	}
}

// traced returns a payload with the traceparent of its sending; what cannot be read, and what has no trace, stays as it is.
func traced(payload json.RawMessage, parent string) json.RawMessage {
	var fields map[string]json.RawMessage // also those of a newer version
	if parent == "" || json.Unmarshal(payload, &fields) != nil {
		return payload
	}
	text, err := json.Marshal(parent)
	if err != nil {
		return payload
	}
	fields["traceparent"] = text
	with, err := json.Marshal(fields)
	if err != nil {
		return payload
	}
	return with
}

// blobDeletion returns the destination that deletes the blob named by the message.
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
