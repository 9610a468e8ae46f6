package maintenance

import (
	"context"
	"log/slog"

	"sheetdrop/internal/azure"
	"sheetdrop/internal/postgres"
	"sheetdrop/internal/task"
)

const poisonBatches = 10 // of 32 messages, in one run

// deadLetters stores the messages that the host gave up delivering as dead letters, and only then deletes them from the
// poison queue. Their tasks are left to the other steps: a worker may be running them at this moment.
type deadLetters struct {
	db    *postgres.DB
	queue *azure.Queue
	log   *slog.Logger
	lease *lease
}

// collect empties the poison queue within its bound. If the queue does not answer, the next run continues.
func (d deadLetters) collect(ctx context.Context) (more bool, err error) {
	for range poisonBatches {
		messages, err := d.receive(ctx)
		if err != nil {
			d.log.WarnContext(ctx, "poison queue not read", "error", err)
			return false, nil
		}
		if len(messages) == 0 {
			return false, nil
		}
		if err := d.store(ctx, messages); err != nil {
			return false, err
		}
		if err := d.delete(ctx, messages); err != nil {
			d.log.WarnContext(ctx, "poison messages are left for the next run", "error", err)
			return false, nil
		}
		if held, err := d.lease.renew(ctx); err != nil || !held {
			return false, err
		}
	}
	return false, nil
}

func (d deadLetters) receive(ctx context.Context) ([]azure.PoisonMessage, error) {
	ctx, cancel := context.WithTimeout(ctx, storageTimeout)
	defer cancel()
	return d.queue.TakePoison(ctx)
}

func (d deadLetters) store(ctx context.Context, messages []azure.PoisonMessage) error {
	letters := make([]postgres.DeadLetter, len(messages))
	for i, m := range messages {
		letters[i] = postgres.DeadLetter{ID: task.NewID(), QueueMessageID: m.ID, Text: m.Text, DequeueCount: m.DequeueCount}
		if parsed, err := task.DecodeParseMessage([]byte(m.Text)); err == nil {
			letters[i].TaskID = &parsed.TaskID
		}
	}
	return d.db.InTx(ctx, nil, func(ctx context.Context, tx postgres.Tx) error { return tx.StoreDeadLetters(ctx, letters) })
}

func (d deadLetters) delete(ctx context.Context, messages []azure.PoisonMessage) error {
	ctx, cancel := context.WithTimeout(ctx, storageTimeout)
	defer cancel()
	for _, m := range messages {
		if err := d.queue.DeletePoison(ctx, m); err != nil {
			return err
		}
	}
	return nil
}
