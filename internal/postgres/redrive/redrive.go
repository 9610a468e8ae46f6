// Package redrive shows operators the outbox messages that have not been sent, and makes FAILED ones due again.
package redrive

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/database"
	"sheetdrop/internal/task"
)

// Message is an outbox message as operators see it.
type Message struct {
	ID            uuid.UUID
	EventType     task.EventType
	TaskID        *uuid.UUID
	Status        string // PENDING, PROCESSING or FAILED
	Attempts      int
	Rejections    int
	NextAttemptAt *time.Time // nil where it is FAILED: never
	LastError     *string
	CreatedAt     time.Time
}

// Place is a message's place in the list: FAILED ones first, then by id.
type Place struct {
	Alive bool
	ID    uuid.UUID
}

// Filter chooses live messages; its zero value chooses all.
type Filter struct {
	Status        string
	EventType     task.EventType
	TaskID        uuid.UUID // uuid.Nil is any
	CreatedAfter  *time.Time
	CreatedBefore *time.Time
}

func (f Filter) args() []any {
	return []any{f.Status, string(f.EventType), uuid.NullUUID{UUID: f.TaskID, Valid: f.TaskID != uuid.Nil}, f.CreatedAfter, f.CreatedBefore}
}

const messageFilterSQL = `($1 = '' or status = $1) and ($2 = '' or event_type = $2) and ($3::uuid is null or task_id = $3)
  and ($4::timestamptz is null or created_at >= $4) and ($5::timestamptz is null or created_at < $5)`

// List lists the live messages, FAILED ones first: up to limit of those after a place, and whether there are more.
func List(ctx context.Context, db *postgres.DB, f Filter, after Place, limit int) (messages []Message, more bool, err error) {
	return postgres.ReadPage(ctx, db, limit, pgx.RowToStructByName[Message], `select id, event_type, task_id, status, attempts, rejections,
  nullif(next_attempt_at, 'infinity') as next_attempt_at, last_error, created_at
from sheetdrop.outbox_message where `+messageFilterSQL+` and (status <> 'FAILED', id) > ($6, $7)
order by status <> 'FAILED', id limit $8`, append(f.args(), after.Alive, after.ID, limit+1)...)
}

// redriveSQL is what makes a FAILED message one that was never tried.
const redriveSQL = `update sheetdrop.outbox_message m
set status = 'PENDING', attempts = 0, rejections = 0, next_attempt_at = now(), last_error = null
from failed where m.id = failed.id returning m.id`

// One makes a FAILED message due again; false where it is not FAILED, and postgres.ErrNotFound where it is not there (any more).
func One(ctx context.Context, tx postgres.Tx, id uuid.UUID) (bool, error) {
	found, err := database.Column[uuid.UUID](ctx, tx.SQL(), `select id from sheetdrop.outbox_message where id = $1`, id)
	if err != nil {
		return false, fmt.Errorf("find the message: %w", err)
	}
	if len(found) == 0 {
		return false, postgres.ErrNotFound
	}
	driven, err := database.Column[uuid.UUID](ctx, tx.SQL(), `with failed as materialized (
  select id from sheetdrop.outbox_message where id = $1 and status = 'FAILED' for update
) `+redriveSQL, id)
	if err != nil {
		return false, fmt.Errorf("redrive the message: %w", err)
	}
	return len(driven) > 0, nil
}

// Many makes up to limit FAILED messages due again, and returns their ids. They are found by their due time, which is never.
func Many(ctx context.Context, tx postgres.Tx, f Filter, limit int) ([]uuid.UUID, error) {
	driven, err := database.Column[uuid.UUID](ctx, tx.SQL(), `with failed as materialized (
  select id from sheetdrop.outbox_message where next_attempt_at = 'infinity' and status = 'FAILED' and `+messageFilterSQL+`
  order by id limit $6 for update skip locked
) `+redriveSQL, append(f.args(), limit)...)
	if err != nil {
		return nil, fmt.Errorf("redrive messages: %w", err)
	}
	return driven, nil
}
