package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// DeadLetter is a message that the queue has given up delivering.
type DeadLetter struct {
	ID             uuid.UUID
	QueueMessageID string
	TaskID         *uuid.UUID // nil where the text names none
	Text           string
	DequeueCount   int64
	SeenAt         time.Time
}

// StoreDeadLetters writes dead letters, with their alerts; those that are kept already stay as they are.
func (t Tx) StoreDeadLetters(ctx context.Context, letters []DeadLetter) error {
	n := len(letters)
	ids, queueIDs, tasks, texts, counts := make([]uuid.UUID, n), make([]string, n), make([]*uuid.UUID, n), make([]string, n), make([]int64, n)
	for i, l := range letters {
		ids[i], queueIDs[i], tasks[i], texts[i], counts[i] = l.ID, l.QueueMessageID, l.TaskID, l.Text, l.DequeueCount
	}
	_, err := t.tx.Exec(ctx, `with kept as (
insert into sheetdrop.dead_letter (id, queue_message_id, task_id, text, dequeue_count)
select * from unnest($1::uuid[], $2::text[], $3::uuid[], $4::text[], $5::bigint[])
on conflict (queue_message_id) do nothing returning queue_message_id
)
insert into sheetdrop.alert (kind, subject) select 'dead_letter', queue_message_id from kept`, ids, queueIDs, tasks, texts, counts)
	if err != nil {
		return fmt.Errorf("keep dead letters: %w", err)
	}
	return nil
}

// DeadLetters lists them, newest first, as Files does.
func (db *DB) DeadLetters(ctx context.Context, before uuid.UUID, limit int) (letters []DeadLetter, more bool, err error) {
	return readPage(ctx, db, limit, func(row pgx.CollectableRow) (l DeadLetter, err error) {
		err = row.Scan(&l.ID, &l.QueueMessageID, &l.TaskID, &l.Text, &l.DequeueCount, &l.SeenAt)
		l.SeenAt = l.SeenAt.UTC()
		return l, err
	}, `select id, queue_message_id, task_id, text, dequeue_count, seen_at from sheetdrop.dead_letter where id < $1 order by id desc limit $2`, before, limit+1)
}
