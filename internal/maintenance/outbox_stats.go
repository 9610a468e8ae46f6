package maintenance

import (
	"context"
	"log/slog"
	"time"

	"sheetdrop/internal/azure"
	"sheetdrop/internal/metrics"
	"sheetdrop/internal/postgres"
)

const statsTimeout = 3 * time.Second

// outboxStats logs statistics of the outbox and the queue.
type outboxStats struct {
	db       *postgres.DB
	queue    *azure.Queue
	log      *slog.Logger
	settings Settings
}

// write logs the line that the operators' alert rules read, and keeps its figures for who asks for metrics.
func (s outboxStats) write(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, statsTimeout)
	defer cancel()
	stats, err := s.db.OutboxStats(ctx)
	if err != nil {
		s.log.WarnContext(ctx, "outbox not counted", "error", err)
		return
	}
	if stats.OldestPending > s.settings.PendingAlert {
		s.log.ErrorContext(ctx, "outbox is behind", "alert", "outbox_behind", "oldest_pending_s", int64(stats.OldestPending.Seconds()))
	}
	attrs := []any{
		"pending", stats.Pending, "delayed", stats.Delayed, "failed", stats.Failed,
		"oldest_due_s", int64(stats.OldestDue.Seconds()), "oldest_pending_s", int64(stats.OldestPending.Seconds()),
	}
	queue, poison, err := s.queue.Lengths(ctx)
	if err != nil {
		attrs = append(attrs, "queue_error", err.Error())
	} else {
		attrs = append(attrs, "queue_len", queue, "poison_len", poison)
	}
	s.log.InfoContext(ctx, "outbox_stats", attrs...)
	s.settings.Metrics.CountedOutbox(metrics.Outbox{
		Due: stats.Pending - stats.Delayed, Delayed: stats.Delayed, Failed: stats.Failed, OldestDue: stats.OldestDue, Oldest: stats.OldestPending,
		QueueKnown: err == nil, Queue: queue, Poison: poison,
	}, s.settings.Period)
}
