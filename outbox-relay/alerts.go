package outbox

import "context"

// alertBatch bounds the alerts of one run.
const alertBatch = 1000

// announce logs each alert at least once. The rules of the deployment read these lines.
func (r *Relay) announce(ctx context.Context) error {
	alerts, err := r.db.Alerts(ctx, alertBatch)
	if err != nil || len(alerts) == 0 {
		return err
	}
	for _, a := range alerts {
		switch log := r.log.With("alert", a.Kind); a.Kind {
		case "task_failed":
			log.ErrorContext(ctx, "task failed", "task_id", a.Subject, "code", a.Code)
		case "outbox_message_failed":
			log.ErrorContext(ctx, "outbox message failed", "message_id", a.Subject)
		case "dead_letter":
			log.ErrorContext(ctx, "message was given up by the queue", "queue_message_id", a.Subject)
		}
	}
	return r.db.DeleteAlerts(ctx, alerts)
}
