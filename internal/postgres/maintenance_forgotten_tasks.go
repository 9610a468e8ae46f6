package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
)

// forgotten are PENDING tasks t that no live message asks for, and whose last message was written or sent longer than $1 × 2^enqueues ago,
// or than 6 h. The first condition on enqueued_at is for the index.
const forgotten = `from sheetdrop.task t where status = 'PENDING' and enqueued_at < now() - $1::interval
  and enqueued_at < now() - least(interval '6 hours', $1::interval * power(2, least(enqueues, 10)))
  and not exists (select from sheetdrop.outbox_message m where m.task_id = t.id and m.status in ('PENDING', 'PROCESSING'))`

// AnyForgotten reports whether LockForgotten would find a task.
func (db *DB) AnyForgotten(ctx context.Context, after time.Duration) (found bool, err error) {
	if err := db.pool.QueryRow(ctx, `select exists (select `+forgotten+`)`, after).Scan(&found); err != nil {
		return false, fmt.Errorf("look for forgotten tasks: %w", err)
	}
	return found, nil
}

// Forgotten is a PENDING task that no live message asks for.
type Forgotten struct {
	ID         uuid.UUID
	EnqueuedAt time.Time // when its last message was written, or sent
}

// LockForgotten locks up to limit PENDING tasks that no live message asks for, oldest first: those whose last message is older than after,
// which doubles with each message, up to 6 h. Those from before a time are left out; the zero time leaves out none.
func (t Tx) LockForgotten(ctx context.Context, after time.Duration, from time.Time, limit int) ([]Forgotten, error) {
	found, err := selectAll[Forgotten](ctx, t.tx, `select id, enqueued_at `+forgotten+` and enqueued_at >= $2
order by enqueued_at limit $3 for no key update skip locked`, after, from, limit)
	if err != nil {
		return nil, fmt.Errorf("find forgotten tasks: %w", err)
	}
	return found, nil
}

// Enqueue writes a message for each locked PENDING task, and counts it.
func (t Tx) Enqueue(ctx context.Context, messages []OutboxMessage) error {
	ids := make([]uuid.UUID, len(messages))
	for i, m := range messages {
		ids[i] = *m.TaskID
	}
	if _, err := t.tx.Exec(ctx, `update sheetdrop.task set enqueues = enqueues + 1, enqueued_at = now() where id = any($1)`, ids); err != nil {
		return fmt.Errorf("count the messages: %w", err)
	}
	return t.InsertMessages(ctx, messages)
}
