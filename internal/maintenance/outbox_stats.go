package maintenance

import (
	"context"
	"log/slog"
	"time"

	"sheetdrop/internal/azure"
	"sheetdrop/internal/postgres"
)

const statsTimeout = 3 * time.Second

// outboxStats logs statistics of the outbox and the queue.
type outboxStats struct {
	db           *postgres.DB
	queue        *azure.Queue
	log          *slog.Logger
	pendingAlert time.Duration // the age from which a waiting message causes an alert
}

// write logs the line that the operators' alert rules read.
func (s outboxStats) write(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, statsTimeout)
	defer cancel()
	stats, err := s.db.OutboxStats(ctx)
	if err != nil {
		s.log.WarnContext(ctx, "outbox not counted", "error", err)
		return
	}
	if stats.OldestPending > s.pendingAlert {
		s.log.ErrorContext(ctx, "outbox is behind", "alert", "outbox_behind", "oldest_pending_s", int64(stats.OldestPending.Seconds()))
	}
	attrs := []any{"pending", stats.Pending, "failed", stats.Failed, "oldest_pending_s", int64(stats.OldestPending.Seconds())}
	queue, poison, err := s.queue.Lengths(ctx)
	if err != nil {
		attrs = append(attrs, "queue_error", err.Error())
	} else {
		attrs = append(attrs, "queue_len", queue, "poison_len", poison)
	}
	s.log.InfoContext(ctx, "outbox_stats", attrs...)
}
