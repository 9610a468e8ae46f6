package outbox

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"sheetdrop/internal/backoff"
	"sheetdrop/internal/postgres"
)

// deliver sends a claimed batch and settles it, even if ctx ends in between.
func (r *Relay) deliver(ctx context.Context, b batch, breakers *breakers) error {
	stopRenewing := r.renewLease(ctx, b)
	outcomes := r.sendAll(ctx, b.messages, breakers)
	stopRenewing()
	return r.settle(ctx, b, outcomes)
}

// sendAll sends several messages at a time, except those whose breaker is open and, once ctx has ended, all that are
// left.
func (r *Relay) sendAll(ctx context.Context, messages []postgres.OutboxMessage, breakers *breakers) []outcome {
	outcomes := make([]outcome, len(messages))
	next := atomic.Int32{}
	var workers sync.WaitGroup
	for range min(sendsAtOnce, len(messages)) {
		workers.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(messages); i = int(next.Add(1)) - 1 {
				if !breakers.open(messages[i].EventType) && ctx.Err() == nil {
					outcomes[i] = r.send(ctx, messages[i], breakers)
				}
			}
		})
	}
	workers.Wait()
	return outcomes
}

// renewLease renews the batch's lease while it is being sent; calling stop ends that.
func (r *Relay) renewLease(ctx context.Context, b batch) (stop func()) {
	ids := make([]uuid.UUID, len(b.messages))
	for i, m := range b.messages {
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
				if err := r.db.RenewMessages(ctx, b.token, r.settings.Lease, ids); err != nil && ctx.Err() == nil {
					r.log.WarnContext(ctx, "outbox lease not renewed", "error", err)
				}
			}
		}
	})
	return func() { cancel(); renewing.Wait() }
}

// settle writes the batch's outcomes, retrying for a while: a batch that is not settled is sent a second time.
func (r *Relay) settle(ctx context.Context, b batch, outcomes []outcome) error {
	s := r.settlement(ctx, b.messages, outcomes)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), settleTimeout)
	defer cancel()
	pauses := backoff.Policy{First: r.settings.Lease / 100, Max: r.settings.Lease / 100}
	return pauses.Retry(ctx, backoff.Always, func() error { return r.db.Settle(ctx, b.token, s) })
}

// settlement sorts the messages by outcome and logs the failures.
func (r *Relay) settlement(ctx context.Context, messages []postgres.OutboxMessage, outcomes []outcome) (s postgres.Settlement) {
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
	return s
}
