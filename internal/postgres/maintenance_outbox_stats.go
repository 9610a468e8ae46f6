package postgres

import (
	"context"
	"fmt"
	"time"
)

// OutboxStats is how the outbox stands.
type OutboxStats struct {
	Pending       int64
	Failed        int64
	OldestPending time.Duration // the age of the oldest live message, due again or not; 0 where none has been due yet
}

// OutboxStats counts the live messages.
func (db *DB) OutboxStats(ctx context.Context) (OutboxStats, error) {
	var (
		stats OutboxStats
		age   float64
	)
	err := db.pool.QueryRow(ctx, `select count(*) filter (where status <> 'FAILED'), count(*) filter (where status = 'FAILED'),
  greatest(extract(epoch from now() - min(created_at) filter (where status <> 'FAILED')), 0)::float8
from sheetdrop.outbox_message`).Scan(&stats.Pending, &stats.Failed, &age)
	if err != nil {
		return stats, fmt.Errorf("count outbox messages: %w", err)
	}
	stats.OldestPending = time.Duration(age * float64(time.Second))
	return stats, nil
}
