package maintenance

import (
	"context"
	"log/slog"

	"sheetdrop/internal/postgres"
)

// history deletes sent messages after their retention.
type history struct {
	db   *postgres.DB
	log  *slog.Logger
	days int // retention of sent messages
}

// truncate empties the partitions whose retention has ended. A partition that somebody is reading is left to the next
// run.
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
