package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sheetdrop/internal/postgres/database"
	"sheetdrop/internal/task"
)

// Alert is something that operators have to be told. It is written by the statement that brings it about.
type Alert struct {
	ID      int64
	Kind    string // task_failed, outbox_message_failed or dead_letter
	Subject string // the id of the task, the outbox message or the queue message
	Code    string // why the task failed
	TaskID  *uuid.UUID
	FileID  *uuid.UUID
	Owner   *string
	Attempt *int
}

// Task is the task that the alert is about; nil where it is about none, or about one that is deleted.
func (a Alert) Task() *task.Subject {
	if a.TaskID == nil {
		return nil
	}
	return &task.Subject{TaskID: *a.TaskID, FileID: *a.FileID, Owner: *a.Owner, Attempt: *a.Attempt}
}

// alertedTaskSQL is the task of an alert a, by what its kind is about.
const alertedTaskSQL = `case a.kind when 'task_failed' then a.subject::uuid
  when 'outbox_message_failed' then (select m.task_id from sheetdrop.outbox_message m where m.id = a.subject::uuid)
  when 'dead_letter' then (select d.task_id from sheetdrop.dead_letter d where d.queue_message_id = a.subject) end`

// Alerts lists up to limit alerts that nobody has been told of, oldest first.
func (db *DB) Alerts(ctx context.Context, limit int) ([]Alert, error) {
	alerts, err := database.All[Alert](ctx, db.pool, `select a.id, a.kind, a.subject, coalesce(a.code, '') as code,
  t.id as task_id, f.id as file_id, f.owner, t.attempt
from sheetdrop.alert a left join (sheetdrop.task t join sheetdrop.source_file f on f.id = t.source_file_id) on t.id = `+alertedTaskSQL+`
order by a.id limit $1`, limit)
	if err != nil {
		return nil, fmt.Errorf("read alerts: %w", err)
	}
	return alerts, nil
}

// DeleteAlerts takes away alerts that operators have been told of.
func (db *DB) DeleteAlerts(ctx context.Context, told []Alert) error {
	ids := make([]int64, len(told))
	for i, a := range told {
		ids[i] = a.ID
	}
	if _, err := db.pool.Exec(ctx, `delete from sheetdrop.alert where id = any($1)`, ids); err != nil {
		return fmt.Errorf("delete alerts: %w", err)
	}
	return nil
}

// DeadLetter is a message that the queue has given up delivering.
type DeadLetter struct {
	ID             uuid.UUID  `json:"id"`
	QueueMessageID string     `json:"queue_message_id"`
	TaskID         *uuid.UUID `json:"task_id"` // nil where the text names none
	Text           string     `json:"text"`
	DequeueCount   int64      `json:"dequeue_count"`
	SeenAt         time.Time  `json:"-"`
}

// StoreDeadLetters writes dead letters, with their alerts; those that are kept already stay as they are.
func (t Tx) StoreDeadLetters(ctx context.Context, letters []DeadLetter) error {
	_, err := t.tx.Exec(ctx, `with kept as (
insert into sheetdrop.dead_letter (id, queue_message_id, task_id, text, dequeue_count)
select id, queue_message_id, task_id, text, dequeue_count
from jsonb_to_recordset($1) as l (id uuid, queue_message_id text, task_id uuid, text text, dequeue_count bigint)
on conflict (queue_message_id) do nothing returning queue_message_id
)
insert into sheetdrop.alert (kind, subject) select 'dead_letter', queue_message_id from kept`, letters)
	if err != nil {
		return fmt.Errorf("keep dead letters: %w", err)
	}
	return nil
}

// DeadLetters lists them, newest first, as Files does.
func (db *DB) DeadLetters(ctx context.Context, before uuid.UUID, limit int) (letters []DeadLetter, more bool, err error) {
	return ReadPage(ctx, db, limit, pgx.RowToStructByName[DeadLetter], `select id, queue_message_id, task_id, text, dequeue_count, seen_at
from sheetdrop.dead_letter where id < $1 order by id desc limit $2`, before, limit+1)
}
