package outbox

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"sheetdrop/internal/postgres"
)

// deliver sends a claimed batch and writes down what became of each message, also when ctx ends in the middle.
func (r *Relay) deliver(ctx context.Context, token uuid.UUID, messages []postgres.OutboxMessage, b *breakers) error {
	stopRenewing := r.keepLease(ctx, token, messages)
	outcomes := make([]outcome, len(messages))
	next := atomic.Int32{}
	var senders sync.WaitGroup
	for range min(sendsAtOnce, len(messages)) {
		senders.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(messages); i = int(next.Add(1)) - 1 {
				if !b.open(messages[i].EventType) && ctx.Err() == nil {
					outcomes[i] = r.send(ctx, messages[i], b)
				}
			}
		})
	}
	senders.Wait()
	stopRenewing()
	return r.settle(ctx, token, messages, outcomes)
}

// outcome of a message that was tried; of one that was not, the zero value.
type outcome struct {
	tried    bool
	err      error
	rejected bool // the message is to blame
	unknown  bool // nobody is: a newer program has written it, and sends it
}

func (r *Relay) send(ctx context.Context, m postgres.OutboxMessage, b *breakers) outcome {
	// A send that has begun is waited for even when the caller's time ends: cutting it would leave its fate unknown.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), r.settings.SendTimeout)
	defer cancel()
	o := r.trySend(ctx, m)
	switch {
	case o.err == nil:
		b.success(m.EventType)
	case !o.rejected && !o.unknown:
		b.failure(m.EventType)
	}
	return o
}

// keepLease renews the batch's lease while it is being sent, and returns how to end that.
func (r *Relay) keepLease(ctx context.Context, token uuid.UUID, messages []postgres.OutboxMessage) (stop func()) {
	ids := make([]uuid.UUID, len(messages))
	for i, m := range messages {
		ids[i] = m.ID
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	var renewing sync.WaitGroup
	renewing.Go(func() {
		ticker := time.NewTicker(r.settings.Lease / 3)
		defer ticker.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
				if err := r.db.RenewMessages(ctx, token, r.settings.Lease, ids); err != nil && ctx.Err() == nil {
					r.log.WarnContext(ctx, "outbox lease not renewed", "error", err)
				}
			}
		}
	})
	return func() { cancel(); renewing.Wait() }
}

// settle writes the batch down, trying again for a while: a batch that is not written down is sent a second time.
func (r *Relay) settle(ctx context.Context, token uuid.UUID, messages []postgres.OutboxMessage, outcomes []outcome) error {
	var s postgres.Settlement
	for i, m := range messages {
		switch o := outcomes[i]; {
		case !o.tried:
			s.Unsent = append(s.Unsent, m.ID)
		case o.err == nil:
			s.Sent = append(s.Sent, m.ID)
		default:
			r.log.WarnContext(ctx, "outbox message not sent", "message_id", m.ID, "event_type", m.EventType, "attempts", m.Attempts,
				"rejected", o.rejected, "error", o.err)
			s.Failed = append(s.Failed, postgres.SendFailure{ID: m.ID, Error: o.err.Error(), Rejected: o.rejected})
		}
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), settlePatience)
	defer cancel()
	for {
		err := r.db.Settle(ctx, token, s)
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(r.settings.Lease / 100):
		}
	}
}
