// Package webhookstore keeps webhooks, and the outbox and history of the events that are sent to them. Events are written by a trigger
// of the database (migration 25), in the transaction that ends a task.
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

// Webhook is an address that is told when tasks of its owner end. Its secret is read by Secret alone.
type Webhook struct {
	ID             uuid.UUID
	URL            string
	Description    string
	Statuses       []string    // COMPLETED, FAILED or CANCELLED
	TargetIDs      []uuid.UUID // nil: all tasks
	OldSecretUntil *time.Time  // until when the secret before the last rotation signs as well
	DisabledAt     *time.Time
	DisabledBy     string // ByOwner, ByReceiver or ""
	CreatedAt      time.Time
	Waiting        int64 // deliveries that wait, up to maxCounted
	Dead           int64 // deliveries that were given up, likewise
}

// Who has disabled a webhook.
const (
	ByOwner    = "owner"
	ByReceiver = "receiver"
)

// QuotaWebhooks is the What of the *postgres.QuotaError of webhooks.
const QuotaWebhooks = "webhooks"

// maxCounted is where the counts of a Webhook end.
const maxCounted = 1000

// webhookSQL reads the webhooks of owner $1.
var webhookSQL = fmt.Sprintf(`select id, url, description, statuses, target_ids,
  case when old_secret_until > now() then old_secret_until end as old_secret_until,
  disabled_at, coalesce(disabled_by, '') as disabled_by, created_at,
  (select count(*) from (
    select from sheetdrop.webhook_delivery where webhook_id = w.id and status = 'PENDING' limit %[1]d) waiting) as waiting,
  (select count(*) from (
    select from sheetdrop.webhook_delivery where webhook_id = w.id and status = 'DEAD' limit %[1]d) dead) as dead
from sheetdrop.webhook w where owner = $1 and deleted_at is null`, maxCounted)

// Find returns a webhook of an owner, or postgres.ErrNotFound.
func Find(ctx context.Context, db *postgres.DB, owner string, id uuid.UUID) (Webhook, error) {
	found, err := database.One[Webhook](ctx, db.SQL(), webhookSQL+` and id = $2`, owner, id)
	if err != nil {
		return Webhook{}, fmt.Errorf("read webhook: %w", err)
	}
	if found == nil {
		return Webhook{}, postgres.ErrNotFound
	}
	return *found, nil
}

// List lists an owner's webhooks, newest first, as Files does.
func List(ctx context.Context, db *postgres.DB, owner string, before uuid.UUID, limit int) (webhooks []Webhook, more bool, err error) {
	return postgres.ReadPage(ctx, db, limit, pgx.RowToStructByName[Webhook], webhookSQL+` and id < $2 order by id desc limit $3`,
		owner, before, limit+1)
}

// Secret returns the key of a webhook, for the answer to who has just made it; or postgres.ErrNotFound.
func Secret(ctx context.Context, db *postgres.DB, owner string, id uuid.UUID) ([]byte, error) {
	found, err := database.Column[[]byte](ctx, db.SQL(), `select secret from sheetdrop.webhook where owner = $1 and id = $2 and deleted_at is null`, owner, id)
	if err != nil {
		return nil, fmt.Errorf("read the webhook's secret: %w", err)
	}
	if len(found) == 0 {
		return nil, postgres.ErrNotFound
	}
	return found[0], nil
}

// Create writes a webhook with its secret, or fails with a *postgres.QuotaError where the owner has more than limit with it; 0 is no
// limit. The owner's other transactions that create one wait from here on until this one ends.
func Create(ctx context.Context, tx postgres.Tx, owner string, w Webhook, secret []byte, limit int64) error {
	if limit > 0 {
		if _, err := tx.SQL().Exec(ctx, `select pg_advisory_xact_lock(hashtextextended('sheetdrop.webhook of ' || $1, 0))`, owner); err != nil {
			return fmt.Errorf("wait for the owner's other webhooks: %w", err)
		}
	}
	_, err := tx.SQL().Exec(ctx, `insert into sheetdrop.webhook (id, owner, url, description, statuses, target_ids, secret)
values ($1, $2, $3, $4, $5, $6, $7)`, w.ID, owner, w.URL, w.Description, w.Statuses, w.TargetIDs, secret)
	if err != nil {
		return fmt.Errorf("insert webhook: %w", err)
	}
	var n int64
	if err := tx.SQL().QueryRow(ctx, `select count(*) from sheetdrop.webhook where owner = $1 and deleted_at is null`, owner).Scan(&n); err != nil {
		return fmt.Errorf("count the owner's webhooks: %w", err)
	}
	if limit > 0 && n > limit {
		return &postgres.QuotaError{What: QuotaWebhooks, Limit: limit}
	}
	return nil
}

// Lock returns a webhook of an owner and keeps it from being changed until the transaction ends; or postgres.ErrNotFound.
func Lock(ctx context.Context, tx postgres.Tx, owner string, id uuid.UUID) (Webhook, error) {
	found, err := database.One[Webhook](ctx, tx.SQL(), webhookSQL+` and id = $2 for no key update of w`, owner, id)
	if err != nil {
		return Webhook{}, fmt.Errorf("lock webhook: %w", err)
	}
	if found == nil {
		return Webhook{}, postgres.ErrNotFound
	}
	return *found, nil
}

// Change writes the URL, description, statuses, targets and DisabledBy of a locked webhook.
func Change(ctx context.Context, tx postgres.Tx, w Webhook) error {
	_, err := tx.SQL().Exec(ctx, `update sheetdrop.webhook set url = $2, description = $3, statuses = $4, target_ids = $5,
  disabled_by = nullif($6, ''), disabled_at = case when $6 <> '' then coalesce(disabled_at, now()) end where id = $1`,
		w.ID, w.URL, w.Description, w.Statuses, w.TargetIDs, w.DisabledBy)
	if err != nil {
		return fmt.Errorf("change webhook: %w", err)
	}
	return nil
}

// Rotate replaces the secret of a locked webhook; for a time the one before signs as well.
func Rotate(ctx context.Context, tx postgres.Tx, id uuid.UUID, secret []byte, overlap time.Duration) error {
	_, err := tx.SQL().Exec(ctx, `update sheetdrop.webhook set old_secret = secret, old_secret_until = now() + $3::interval, secret = $2 where id = $1`,
		id, secret, overlap)
	if err != nil {
		return fmt.Errorf("rotate the webhook's secret: %w", err)
	}
	return nil
}

// Delete marks a locked webhook as deleted and erases its secrets. Its deliveries go later.
func Delete(ctx context.Context, tx postgres.Tx, id uuid.UUID) error {
	_, err := tx.SQL().Exec(ctx, `update sheetdrop.webhook set deleted_at = now(), secret = null, old_secret = null, old_secret_until = null where id = $1`, id)
	if err != nil {
		return fmt.Errorf("delete webhook: %w", err)
	}
	return nil
}
