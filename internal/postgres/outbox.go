package postgres

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sheetdrop/internal/postgres/database"
	"sheetdrop/internal/task"
)

// OutboxMessage is a message that waits to be sent.
type OutboxMessage struct {
	ID         uuid.UUID       `json:"id"`
	EventType  task.EventType  `json:"event_type"`
	TaskID     *uuid.UUID      `json:"task_id"`
	Payload    json.RawMessage `json:"payload"`
	Attempts   int             `json:"-"` // claims so far, this one included
	Rejections int             `json:"-"` // refusals that blamed the message itself
	DueAt      time.Time       `json:"-"`
	// TraceContext is the traceparent of who wrote the message; where that is "", it gets its task's.
	TraceContext string `json:"trace_context,omitempty"`
}

// NewParseMessage makes the message that asks for a task to be parsed.
func NewParseMessage(id, taskID uuid.UUID) OutboxMessage {
	return OutboxMessage{
		ID: id, EventType: task.ParseTask, TaskID: &taskID,
		Payload: task.ParseMessage{Version: 1, MessageID: id, TaskID: taskID}.Encode(),
	}
}

// NewParseMessages makes a message for each of the tasks.
func NewParseMessages(taskIDs []uuid.UUID) []OutboxMessage {
	messages := make([]OutboxMessage, len(taskIDs))
	for i, taskID := range taskIDs {
		messages[i] = NewParseMessage(task.NewID(), taskID)
	}
	return messages
}

// traceOfTaskSQL is the trace of the task whose id follows: every message that asks for a task belongs to it, whoever has written it.
const traceOfTaskSQL = `(select t.trace_context from sheetdrop.task t where t.id = `

// InsertMessage adds a message that is due after a delay. Its age counts from then, so that nobody takes it for one that is stuck.
func (t Tx) InsertMessage(ctx context.Context, m OutboxMessage, delay time.Duration) error {
	_, err := t.tx.Exec(ctx, `insert into sheetdrop.outbox_message (id, event_type, task_id, payload, created_at, next_attempt_at, trace_context)
values ($1, $2, $3, $4, now() + $5::interval, now() + $5::interval, coalesce(nullif($6, ''), `+traceOfTaskSQL+`$3)))`,
		m.ID, m.EventType, m.TaskID, m.Payload, delay, m.TraceContext)
	if err != nil {
		return fmt.Errorf("insert outbox message: %w", err)
	}
	return nil
}

// InsertMessages adds messages that are due at once.
func (t Tx) InsertMessages(ctx context.Context, messages []OutboxMessage) error {
	_, err := t.tx.Exec(ctx, `insert into sheetdrop.outbox_message (id, event_type, task_id, payload, trace_context)
select id, event_type, task_id, payload, coalesce(trace_context, `+traceOfTaskSQL+`task_id))
from jsonb_to_recordset($1) as m (id uuid, event_type text, task_id uuid, payload jsonb, trace_context text)`, messages)
	if err != nil {
		return fmt.Errorf("insert outbox messages: %w", err)
	}
	return nil
}

// claimMessagesSQL claims the messages in "due" for token $1 until the lease $2 ends: it touches no indexed column, so that the update stays HOT.
const claimMessagesSQL = `
update sheetdrop.outbox_message m
set status = 'PROCESSING', attempts = attempts + 1, locked_by = $1, locked_until = now() + $2::interval
where m.id = any(array(select id from due))
returning m.id, m.event_type, m.task_id, m.payload, m.attempts, m.rejections, m.next_attempt_at as due_at,
  coalesce(m.trace_context, '') as trace_context`

// claimableSQL is what a relay may take: due, and nobody's or of a holder whose lease has ended.
const claimableSQL = `next_attempt_at <= now() and (status = 'PENDING' or status = 'PROCESSING' and locked_until < now())`

// beginClaimSQL opens the transaction of a claim.
const beginClaimSQL = database.BeginShort + `; ` + database.ByIndexes + `; set local synchronous_commit = off`

// unflushedSQL has the COMMIT of its statement's transaction not wait for the disk, or for a standby. Claims and settlements need no more:
// a crash of the server that loses one leaves the message as before, and it is sent again, as after the end of a lease. What was promised
// to a caller is in other transactions.
const unflushedSQL = `set_config('synchronous_commit', 'off', true)`

// ClaimMessages takes up to limit due messages for the holder of token until the lease ends, oldest due time first, passing by those that
// another relay is taking at this moment. Messages that were due before from are left, the zero time leaves none; so are those of the event
// types in without.
func (db *DB) ClaimMessages(
	ctx context.Context, token uuid.UUID, lease time.Duration, from time.Time, limit int, without ...task.EventType,
) (messages []OutboxMessage, err error) {
	events := make([]string, len(without)) // never nil, which would be NULL
	for i, event := range without {
		events[i] = string(event)
	}
	err = pgx.BeginTxFunc(ctx, db.pool, pgx.TxOptions{BeginQuery: beginClaimSQL}, func(tx pgx.Tx) error {
		rows, err := tx.Query(ctx, `with due as materialized (
  select id from sheetdrop.outbox_message where next_attempt_at >= $3 and `+claimableSQL+` and event_type <> all($5)
  order by next_attempt_at limit $4 for update skip locked)`+claimMessagesSQL,
			token, lease, from, limit, events)
		messages, err = collectMessages(rows, err)
		return err
	})
	return messages, err
}

// ClaimMessagesByID takes those of the given messages that are due and free.
func (db *DB) ClaimMessagesByID(ctx context.Context, token uuid.UUID, lease time.Duration, ids []uuid.UUID) ([]OutboxMessage, error) {
	rows, err := db.pool.Query(ctx, `with due as materialized (
  select id from sheetdrop.outbox_message where id = any($3) and (select `+unflushedSQL+`) = 'off' and `+claimableSQL+` for update skip locked)`+claimMessagesSQL,
		token, lease, ids)
	return collectMessages(rows, err)
}

func collectMessages(rows pgx.Rows, err error) ([]OutboxMessage, error) {
	if err != nil {
		return nil, fmt.Errorf("claim outbox messages: %w", err)
	}
	messages, err := pgx.CollectRows(rows, pgx.RowToStructByName[OutboxMessage])
	if err != nil {
		return nil, fmt.Errorf("claim outbox messages: %w", err)
	}
	return messages, nil
}

// RenewMessages lengthens the lease of the messages that token still holds.
func (db *DB) RenewMessages(ctx context.Context, token uuid.UUID, lease time.Duration, ids []uuid.UUID) error {
	_, err := db.pool.Exec(ctx, `update sheetdrop.outbox_message set locked_until = now() + $2::interval
where id = any($3) and locked_by = $1`, token, lease, ids)
	if err != nil {
		return fmt.Errorf("renew outbox leases: %w", err)
	}
	return nil
}

// OutboxStats is how the outbox stands.
type OutboxStats struct {
	Pending       int64 // due or delayed
	Delayed       int64 // of them, those that wait for their time
	Failed        int64
	OldestDue     time.Duration // since the oldest due message could have been sent; 0 where none is due
	OldestPending time.Duration // the age of the oldest live message, due again or not; 0 where none has been due yet
}

// OutboxStats counts the live messages.
func (db *DB) OutboxStats(ctx context.Context) (OutboxStats, error) {
	stats, err := database.One[OutboxStats](ctx, db.pool, `select count(*) filter (where status <> 'FAILED') as pending,
  count(*) filter (where status = 'PENDING' and next_attempt_at > now()) as delayed,
  coalesce(now() - min(next_attempt_at) filter (where status = 'PENDING' and next_attempt_at <= now()), interval '0') as oldest_due,
  count(*) filter (where status = 'FAILED') as failed,
  greatest(now() - min(created_at) filter (where status <> 'FAILED'), interval '0') as oldest_pending
from sheetdrop.outbox_message`)
	if err != nil {
		return OutboxStats{}, fmt.Errorf("count outbox messages: %w", err)
	}
	return *stats, nil
}
