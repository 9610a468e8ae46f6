package maintenance

import (
	"context"
	"log/slog"

	"sheetdrop/internal/postgres"
)

// history is the partitions of the messages that were sent.
type history struct {
	db   *postgres.DB
	log  *slog.Logger
	days int // how long messages are kept
}

// truncate empties the partitions that are past their time. One that somebody reads is left to the next run.
func (h history) truncate(ctx context.Context) (more bool, err error) {
	slots, err := h.db.ExpiredHistory(ctx, h.days)
	if err != nil {
		return false, err
	}
	for _, slot := range slots {
		emptied, err := h.db.TruncateHistory(ctx, slot)
		if err != nil {
			return false, err
		}
		h.log.InfoContext(ctx, "old history", "day_slot", slot, "emptied", emptied)
	}
	return false, nil
}
