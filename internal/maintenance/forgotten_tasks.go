package maintenance

import (
	"context"
	"log/slog"
	"time"

	"github.com/google/uuid"

	"sheetdrop/internal/azure"
	"sheetdrop/internal/postgres"
)

const forgottenBatch = 1000 // tasks enqueued in a transaction

// How long a task waits for its message before it gets another one. Where the queue has messages to receive, it may just be their turn;
// where it has none, the message is lost or was received by a host that has ended since: storage hides it for ten minutes then.
const (
	forgottenAfter = 5 * time.Minute
	hiddenAfter    = 30 * time.Second // or two periods
)

// forgottenTasks writes a new message for tasks whose last one was lost on its way, or is hidden. Each batch starts where the last one
// ended, so that tasks whose messages wait are read once and not by each batch. Use one for one run.
type forgottenTasks struct {
	db     *postgres.DB
	queue  *azure.Queue
	log    *slog.Logger
	period time.Duration

	after time.Duration // how long the tasks have waited; 0 before the first batch
	from  time.Time     // where the last batch ended
}

// enqueue writes the messages of the next batch.
func (f *forgottenTasks) enqueue(ctx context.Context) (more bool, err error) {
	if f.after == 0 {
		if f.after, err = f.waitingTime(ctx); err != nil {
			return false, err
		}
	}
	n, err := f.enqueueBatch(ctx)
	return n == forgottenBatch, err
}

// waitingTime returns how long a task waits now. Without an answer from the queue it is the longer time.
func (f *forgottenTasks) waitingTime(ctx context.Context) (time.Duration, error) {
	hidden := max(hiddenAfter, 2*f.period)
	waiting, err := f.db.AnyForgotten(ctx, hidden)
	if err != nil || !waiting {
		return forgottenAfter, err
	}
	ctx, cancel := context.WithTimeout(ctx, storageTimeout)
	defer cancel()
	if visible, err := f.queue.HasVisible(ctx); err != nil || visible {
		return forgottenAfter, nil // what the queue does not tell is not known
	}
	return hidden, nil
}

func (f *forgottenTasks) enqueueBatch(ctx context.Context) (n int, err error) {
	var (
		messages []postgres.OutboxMessage // by the last try, as is next
		next     time.Time
	)
	err = f.db.InTx(ctx, nil, func(ctx context.Context, tx postgres.Tx) error {
		forgotten, err := tx.LockForgotten(ctx, f.after, f.from, forgottenBatch)
		messages = nil
		if err != nil || len(forgotten) == 0 {
			return err
		}
		ids := make([]uuid.UUID, len(forgotten))
		for i, t := range forgotten {
			ids[i], next = t.ID, t.EnqueuedAt
		}
		messages = postgres.NewParseMessages(ids)
		return tx.Enqueue(ctx, messages)
	})
	if err != nil {
		return 0, err
	}
	f.from = next
	for _, m := range messages {
		f.log.WarnContext(ctx, "message written anew, since none has come for the task", "task_id", m.TaskID, "message_id", m.ID)
	}
	return len(messages), nil
}
