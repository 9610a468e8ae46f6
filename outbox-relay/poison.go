package outbox

import (
	"context"

	"github.com/google/uuid"

	"sheetdrop/internal/azure"
	"sheetdrop/internal/postgres"
	"sheetdrop/internal/task"
)

// keepPoison writes down what the host has given up delivering, and only then takes it out of the poison queue. The tasks that it is
// about are left to the other steps: a worker may be at them at this moment.
func (r *Relay) keepPoison(ctx context.Context, token uuid.UUID) error {
	for range poisonBatches {
		messages, err := r.takePoison(ctx)
		if err != nil {
			r.log.WarnContext(ctx, "poison queue not read", "error", err)
			return nil
		}
		if len(messages) == 0 {
			return nil
		}
		if err := r.keepLetters(ctx, messages); err != nil {
			return err
		}
		if err := r.deletePoison(ctx, messages); err != nil {
			r.log.WarnContext(ctx, "poison messages are left for the next run", "error", err)
			return nil
		}
		if held, err := r.keep(ctx, token); err != nil || !held {
			return err
		}
	}
	return nil
}

func (r *Relay) takePoison(ctx context.Context) ([]azure.PoisonMessage, error) {
	ctx, cancel := context.WithTimeout(ctx, outsidePatience)
	defer cancel()
	return r.queue.TakePoison(ctx)
}

func (r *Relay) keepLetters(ctx context.Context, messages []azure.PoisonMessage) error {
	letters := make([]postgres.DeadLetter, len(messages))
	for i, m := range messages {
		letters[i] = postgres.DeadLetter{ID: task.NewID(), QueueMessageID: m.ID, Text: m.Text, DequeueCount: m.DequeueCount}
		if parsed, err := task.DecodeParseMessage([]byte(m.Text)); err == nil {
			letters[i].TaskID = &parsed.TaskID
		}
	}
	return r.db.InTx(ctx, notCommitted, func(ctx context.Context, tx postgres.Tx) error { return tx.KeepDeadLetters(ctx, letters) })
}

func (r *Relay) deletePoison(ctx context.Context, messages []azure.PoisonMessage) error {
	ctx, cancel := context.WithTimeout(ctx, outsidePatience)
	defer cancel()
	for _, m := range messages {
		if err := r.queue.DeletePoison(ctx, m); err != nil {
			return err
		}
	}
	return nil
}
