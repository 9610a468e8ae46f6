package maintenance

import (
	"context"
	"log/slog"

	"sheetdrop/internal/postgres"
)

const alertBatch = 1000 // logged in one call

// alerts logs the alerts that SQL statements have written as rows for operators.
type alerts struct {
	db  *postgres.DB
	log *slog.Logger
}

// announce logs each alert at least once. The deployment's alert rules read these lines.
func (a alerts) announce(ctx context.Context) (more bool, err error) {
	found, err := a.db.Alerts(ctx, alertBatch)
	if err != nil || len(found) == 0 {
		return false, err
	}
	for _, alert := range found {
		log := a.log.With("alert", alert.Kind)
		if subject := alert.Task(); subject != nil {
			log = log.With(subject.Fields())
		} else if alert.Kind == "task_failed" { // and is deleted
			log = log.With("task_id", alert.Subject)
		}
		switch alert.Kind {
		case "task_failed":
			log.ErrorContext(ctx, "task failed", "code", alert.Code)
		case "outbox_message_failed":
			log.ErrorContext(ctx, "outbox message failed", "message_id", alert.Subject)
		case "dead_letter":
			log.ErrorContext(ctx, "message was given up by the queue", "queue_message_id", alert.Subject)
		}
	}
	return false, a.db.DeleteAlerts(ctx, found)
}
