package postgres

import (
	"context"
	"fmt"
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
	alerts, err := selectAll[Alert](ctx, db.pool, `select id, kind, subject, coalesce(code, '') as code from sheetdrop.alert order by id limit $1`, limit)
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
