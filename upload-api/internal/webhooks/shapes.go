package webhooks

import (
	"encoding/json"
	"time"

	"github.com/google/uuid"

	"sheetdrop/internal/postgres/webhookstore"
	"sheetdrop/internal/webhook"
)

// Webhook is an address that is told when tasks end, in responses.
type Webhook struct {
	ID             uuid.UUID   `json:"id" format:"uuid"`
	URL            string      `json:"url" format:"uri"`
	Description    string      `json:"description"`
	States         []string    `json:"states" enum:"COMPLETED,FAILED,CANCELLED" doc:"The ends that are sent."`
	Targets        []uuid.UUID `json:"targets" doc:"Only tasks that load into one of these targets; none: all tasks."`
	Enabled        bool        `json:"enabled" doc:"Whether events are written for it and sent to it."`
	DisabledBy     string      `json:"disabled_by,omitempty" enum:"owner,receiver" doc:"receiver: it has answered 410."`
	DisabledAt     *time.Time  `json:"disabled_at,omitempty"`
	CreatedAt      time.Time   `json:"created_at"`
	OldSecretUntil *time.Time  `json:"old_secret_until,omitempty" doc:"Until then the secret of before the last rotation signs as well."`
	Waiting        int64       `json:"waiting" doc:"Events that are to be sent, up to 1,000."`
	Dead           int64       `json:"dead" doc:"Events that were given up and can be sent again, up to 1,000."`
}

// WebhookWithSecret is a webhook in the answer to who has created it, or rotated its secret.
type WebhookWithSecret struct {
	Webhook
	Secret string `json:"secret" pattern:"^whsec_" doc:"What signs its events. No other answer has it."`
}

// Delivery is an event for a webhook, with its last attempt.
type Delivery struct {
	ID             uuid.UUID      `json:"id" format:"uuid" doc:"The webhook-id of each attempt."`
	Type           string         `json:"type" enum:"task.completed,task.failed,task.cancelled,webhook.test"`
	TaskID         *uuid.UUID     `json:"task_id,omitempty" format:"uuid" doc:"The task that has ended."`
	Status         string         `json:"status" enum:"PENDING,DELIVERED,DEAD" doc:"DEAD: given up; it can be sent again."`
	Attempts       int            `json:"attempts" doc:"Since it was written, or sent again."`
	CreatedAt      time.Time      `json:"created_at"`
	NextAttemptAt  *time.Time     `json:"next_attempt_at,omitempty" doc:"When it is PENDING: not before that."`
	AttemptedAt    *time.Time     `json:"attempted_at,omitempty" doc:"When the last attempt began."`
	TookMS         *int64         `json:"took_ms,omitempty" doc:"How long it took, in milliseconds."`
	ResponseStatus *int           `json:"response_status,omitempty" doc:"The HTTP status of its answer, if there was one."`
	Response       *string        `json:"response,omitempty" doc:"The first 1,024 bytes of the answer's body."`
	Error          *string        `json:"error,omitempty" doc:"Why it failed."`
	EndedAt        *time.Time     `json:"ended_at,omitempty" doc:"When it was delivered, or given up."`
	Payload        map[string]any `json:"payload" doc:"The event: what is sent, as JSON."`
}

func show(w webhookstore.Webhook) Webhook {
	targets := w.TargetIDs
	if targets == nil {
		targets = []uuid.UUID{}
	}
	return Webhook{
		ID: w.ID, URL: w.URL, Description: w.Description, States: w.Statuses, Targets: targets, Enabled: w.DisabledAt == nil,
		DisabledBy: w.DisabledBy, DisabledAt: w.DisabledAt, CreatedAt: w.CreatedAt, OldSecretUntil: w.OldSecretUntil,
		Waiting: w.Waiting, Dead: w.Dead,
	}
}

func withSecret(w webhookstore.Webhook, secret []byte) WebhookWithSecret {
	return WebhookWithSecret{show(w), webhook.FormatSecret(secret)}
}

func showDelivery(d webhookstore.Delivery) Delivery {
	shown := Delivery{
		ID: d.ID, Type: d.Type, TaskID: d.TaskID, Status: d.Status, Attempts: d.Attempts, CreatedAt: d.CreatedAt,
		NextAttemptAt: d.NextAttemptAt, AttemptedAt: d.AttemptedAt, TookMS: d.TookMS, ResponseStatus: d.ResponseStatus,
		Response: d.Response, Error: d.Error, EndedAt: d.EndedAt, Payload: map[string]any{},
	}
	_ = json.Unmarshal([]byte(d.Payload), &shown.Payload) // which the database has written as JSON
	return shown
}
