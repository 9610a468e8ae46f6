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
	stats, err := selectOne[OutboxStats](ctx, db.pool, `select count(*) filter (where status <> 'FAILED') as pending,
  count(*) filter (where status = 'FAILED') as failed,
  greatest(now() - min(created_at) filter (where status <> 'FAILED'), interval '0') as oldest_pending
from sheetdrop.outbox_message`)
	if err != nil {
		return OutboxStats{}, fmt.Errorf("count outbox messages: %w", err)
	}
	return *stats, nil
}
