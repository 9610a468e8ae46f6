package webhookstore

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/database"
)

// Delivery is an event for a webhook, with its last attempt.
type Delivery struct {
	ID             uuid.UUID // the webhook-id
	Seq            int64
	TaskID         *uuid.UUID
	Type           string
	Payload        string
	Status         string // PENDING, DELIVERED or DEAD
	Attempts       int
	CreatedAt      time.Time
	NextAttemptAt  *time.Time // nil unless PENDING
	AttemptedAt    *time.Time
	TookMS         *int64 `db:"took_ms"`
	ResponseStatus *int
	Response       *string
	Error          *string
	EndedAt        *time.Time
}

// The states of a delivery.
const (
	Pending   = "PENDING"
	Delivered = "DELIVERED"
	Dead      = "DEAD"
)

const deliverySQL = `select id, seq, task_id, type, payload, status, attempts, created_at, case when status = 'PENDING' then next_attempt_at end as next_attempt_at,
  attempted_at, took_ms::bigint as took_ms, response_status, response, error, ended_at
from sheetdrop.webhook_delivery where webhook_id = $1`

// Deliveries lists the events of a webhook, newest first, as Files does; status "" takes all.
func Deliveries(
	ctx context.Context, db *postgres.DB, webhookID uuid.UUID, status string, before int64, limit int,
) (deliveries []Delivery, more bool, err error) {
	return postgres.ReadPage(ctx, db, limit, pgx.RowToStructByName[Delivery],
		deliverySQL+` and ($2 = '' or status = $2) and seq < $3 order by seq desc limit $4`, webhookID, status, before, limit+1)
}

// FindDelivery returns an event of a webhook, or postgres.ErrNotFound.
func FindDelivery(ctx context.Context, db *postgres.DB, webhookID, id uuid.UUID) (Delivery, error) {
	found, err := database.One[Delivery](ctx, db.SQL(), deliverySQL+` and id = $2`, webhookID, id)
	if err != nil {
		return Delivery{}, fmt.Errorf("read delivery: %w", err)
	}
	if found == nil {
		return Delivery{}, postgres.ErrNotFound
	}
	return *found, nil
}

// AddTest writes an event that tells of nothing.
func AddTest(ctx context.Context, tx postgres.Tx, webhookID, id uuid.UUID) error {
	_, err := tx.SQL().Exec(ctx, `insert into sheetdrop.webhook_delivery (id, webhook_id, type, payload)
select $2, $1, 'webhook.test', json_build_object('type', 'webhook.test',
  'timestamp', to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), 'data', json_build_object('webhook_id', $1::uuid))::text`, webhookID, id)
	if err != nil {
		return fmt.Errorf("insert the test of a webhook: %w", err)
	}
	return nil
}

// Redeliver makes an event due now, with all of its attempts, and under its webhook-id; or returns postgres.ErrNotFound. One that is being
// sent at this moment stays as it is.
func Redeliver(ctx context.Context, tx postgres.Tx, webhookID, id uuid.UUID) error {
	tag, err := tx.SQL().Exec(ctx, `update sheetdrop.webhook_delivery
set status = 'PENDING', ended_at = null, attempts = case when locked_by is null then 0 else attempts end, queued_at = now(), next_attempt_at = now()
where webhook_id = $1 and id = $2`, webhookID, id)
	if err != nil {
		return fmt.Errorf("deliver again: %w", err)
	}
	if tag.RowsAffected() == 0 {
		return postgres.ErrNotFound
	}
	return nil
}
