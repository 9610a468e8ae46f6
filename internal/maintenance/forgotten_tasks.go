package maintenance

import (
	"context"
	"log/slog"
	"time"

	"github.com/google/uuid"

	"sheetdrop/internal/azure"
	"sheetdrop/internal/postgres"
	"sheetdrop/internal/task"
)

const forgottenBatch = 1000 // tasks enqueued in one transaction

// How long a task waits for its message before it gets another one. If the queue has messages to receive, the task's
// may be among them; if it has none, the message is lost or was received by a host that has died since: storage then
// hides it for ten minutes.
const (
	forgottenAfter = task.ForgottenAfter
	hiddenAfter    = 30 * time.Second // or two periods, if that is longer
)

// forgottenTasks writes a new message for tasks whose last one was lost, or is hidden. Each batch starts where the last
// one ended, so that tasks with waiting messages are read once and not by each batch. Use one value per run.
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

// waitingTime returns how long a task must have waited. If the queue does not answer, it is the longer time.
func (f *forgottenTasks) waitingTime(ctx context.Context) (time.Duration, error) {
	hidden := max(hiddenAfter, 2*f.period)
	waiting, err := f.db.AnyForgotten(ctx, hidden)
	if err != nil || !waiting {
		return forgottenAfter, err
	}
	ctx, cancel := context.WithTimeout(ctx, storageTimeout)
	defer cancel()
	if visible, err := f.queue.HasVisible(ctx); err != nil || visible {
		return forgottenAfter, nil // unknown, so assume the worse case
	}
	return hidden, nil
}

func (f *forgottenTasks) enqueueBatch(ctx context.Context) (n int, err error) {
	var (
		messages  []postgres.OutboxMessage // of the last try, as is forgotten
		forgotten []postgres.Forgotten
	)
	err = f.db.InTx(ctx, nil, func(ctx context.Context, tx postgres.Tx) (err error) {
		forgotten, err = tx.LockForgotten(ctx, f.after, f.from, forgottenBatch)
		messages = nil
		if err != nil || len(forgotten) == 0 {
			return err
		}
		ids := make([]uuid.UUID, len(forgotten))
		for i, t := range forgotten {
			ids[i] = t.TaskID
		}
		messages = postgres.NewParseMessages(ids)
		return tx.Enqueue(ctx, messages)
	})
	if err != nil {
		return 0, err
	}
	for i, m := range messages {
		f.from = forgotten[i].EnqueuedAt
		f.log.With(forgotten[i].Fields()).WarnContext(ctx, "message written anew, since none has come for the task", "message_id", m.ID)
	}
	return len(messages), nil
}
