package outbox

import (
	"context"

	"github.com/google/uuid"

	"sheetdrop/internal/task"
)

// Nudge requests that messages that have just been committed are sent at once. It never blocks: if there are too many
// requests, or the process dies, the timer sends them.
func (r *Relay) Nudge(messageIDs ...uuid.UUID) {
	for _, id := range messageIDs {
		select {
		case r.nudges <- id:
		default:
			return
		}
	}
}

// listen delivers nudged messages; those that arrive during a batch form the next one.
func (r *Relay) listen(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case first := <-r.nudges:
			if err := r.deliverNudged(ctx, r.gather(first)); err != nil && ctx.Err() == nil {
				r.log.WarnContext(ctx, "nudged messages are left to the timer", "error", err)
			}
		}
	}
}

// gather returns the first id and those waiting behind it, up to a batch.
func (r *Relay) gather(first uuid.UUID) []uuid.UUID {
	ids := []uuid.UUID{first}
	for len(ids) < batchSize {
		select {
		case id := <-r.nudges:
			ids = append(ids, id)
		default:
			return ids
		}
	}
	return ids
}

// deliverNudged claims, sends and settles those of the messages that are due.
func (r *Relay) deliverNudged(ctx context.Context, ids []uuid.UUID) error {
	token := task.NewID()
	claimCtx, cancel := context.WithTimeout(ctx, claimTimeout)
	defer cancel()
	messages, err := r.db.ClaimMessagesByID(claimCtx, token, r.settings.Lease, ids)
	if err != nil || len(messages) == 0 {
		return err
	}
	return r.deliver(ctx, batch{token, messages}, new(breakers))
}
