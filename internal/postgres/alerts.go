package postgres

import (
	"context"
	"fmt"
	"time"

	"sheetdrop/internal/postgres/database"
)

// Alert is something that operators have to be told. It is written by the statement that brings it about.
type Alert struct {
	ID      int64
	Kind    string // task_failed, outbox_message_failed or dead_letter
	Subject string // the id of the task, the outbox message or the queue message
	Code    string // why the task failed
}

// Alerts lists up to limit alerts that nobody has been told of, oldest first.
func (db *DB) Alerts(ctx context.Context, limit int) ([]Alert, error) {
	alerts, err := database.All[Alert](ctx, db.pool, `select id, kind, subject, coalesce(code, '') as code from sheetdrop.alert order by id limit $1`, limit)
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

// OutboxStats is how the outbox stands.
type OutboxStats struct {
	Pending       int64
	Failed        int64
	OldestPending time.Duration // the age of the oldest live message, due again or not; 0 where none has been due yet
}

// OutboxStats counts the live messages.
func (db *DB) OutboxStats(ctx context.Context) (OutboxStats, error) {
	stats, err := database.One[OutboxStats](ctx, db.pool, `select count(*) filter (where status <> 'FAILED') as pending,
  count(*) filter (where status = 'FAILED') as failed,
  greatest(now() - min(created_at) filter (where status <> 'FAILED'), interval '0') as oldest_pending
from sheetdrop.outbox_message`)
	if err != nil {
		return OutboxStats{}, fmt.Errorf("count outbox messages: %w", err)
	}
	return *stats, nil
}
