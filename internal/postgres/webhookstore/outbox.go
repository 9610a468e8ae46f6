package webhookstore

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/database"
)

// Claimed is an event that is to be sent.
type Claimed struct {
	ID        uuid.UUID
	WebhookID uuid.UUID
	Owner     string
	URL       string
	Secret    []byte
	OldSecret []byte // nil where the last rotation is over
	Payload   string
	Attempts  int // this one included
	Now       time.Time
}

// Claim says what may be claimed.
type Claim struct {
	Token uuid.UUID
	Lease time.Duration
	Limit int
	Share int               // most deliveries of one owner at once
	Each  int               // most deliveries of one webhook, unless Most has it
	Busy  map[string]int    // deliveries of each owner that are being sent
	Most  map[uuid.UUID]int // deliveries of a webhook, where they are fewer than Each
}

// ClaimDue claims events that are due, in turn for each owner, and never one while an earlier one of the same task still waits for the
// same webhook: receivers get the ends of a task in their order. It looks for each webhook at as many of its events as it may take.
func ClaimDue(ctx context.Context, tx postgres.Tx, c Claim) ([]Claimed, error) {
	if c.Busy == nil {
		c.Busy = map[string]int{}
	}
	if c.Most == nil {
		c.Most = map[uuid.UUID]int{}
	}
	claimed, err := database.All[Claimed](ctx, tx.SQL(), `
with candidate as (
  select d.id, w.owner, d.next_attempt_at, row_number() over (partition by w.owner order by d.next_attempt_at, d.seq) as place
  from sheetdrop.webhook w
  cross join lateral (
    select d.id, d.next_attempt_at, d.seq from sheetdrop.webhook_delivery d
    where d.webhook_id = w.id and d.status = 'PENDING' and d.next_attempt_at <= now() and (d.locked_until is null or d.locked_until < now())
      and not exists (select from sheetdrop.webhook_delivery e
        where e.webhook_id = d.webhook_id and e.task_id = d.task_id and e.seq < d.seq and e.status = 'PENDING')
    order by d.next_attempt_at, d.seq limit coalesce(($6::jsonb->>w.id::text)::int, $7)
  ) d
  where w.deleted_at is null and w.disabled_at is null
), due as materialized (
  select id from sheetdrop.webhook_delivery
  where id = any(array(select id from candidate where place <= $4 - coalesce(($5::jsonb->>owner)::int, 0) order by place, next_attempt_at limit $3))
    and status = 'PENDING' and (locked_until is null or locked_until < now())
  for update skip locked
)
update sheetdrop.webhook_delivery d set locked_by = $1, locked_until = now() + $2::interval, attempts = attempts + 1, attempted_at = now()
from sheetdrop.webhook w where d.id = any(array(select id from due)) and w.id = d.webhook_id
returning d.id, d.webhook_id, w.owner, w.url, w.secret, case when w.old_secret_until > now() then w.old_secret end as old_secret,
  d.payload, d.attempts, now() as now`, c.Token, c.Lease, c.Limit, c.Share, c.Busy, c.Most, c.Each)
	if err != nil {
		return nil, fmt.Errorf("claim webhook deliveries: %w", err)
	}
	return claimed, nil
}

// Outcome is what became of an attempt.
type Outcome struct {
	Delivered bool
	Gone      bool          // the receiver wants nothing any more: the webhook is disabled
	Unsent    bool          // it was not tried to its end: it goes back as it was
	Pause     time.Duration // until the next attempt
	Limit     time.Duration // after which no further attempt is made
	Took      time.Duration
	Status    *int    // of the answer
	Response  *string // the beginning of its body
	Error     *string
}

// Settle writes down an attempt, if token still holds the delivery; otherwise nothing is changed.
func Settle(ctx context.Context, tx postgres.Tx, token uuid.UUID, d Claimed, o Outcome) error {
	if o.Unsent {
		_, err := tx.SQL().Exec(ctx, `update sheetdrop.webhook_delivery set attempts = attempts - 1, locked_by = null, locked_until = null
where id = $1 and locked_by = $2`, d.ID, token)
		if err != nil {
			return fmt.Errorf("return a webhook delivery: %w", err)
		}
		return nil
	}
	_, err := tx.SQL().Exec(ctx, `
with settled as (
  update sheetdrop.webhook_delivery
  set status = s.status, ended_at = case when s.status <> 'PENDING' then now() end, next_attempt_at = now() + $4::interval,
      locked_by = null, locked_until = null, took_ms = $6, response_status = $7, response = $8, error = $9
  from (select case when $3 then 'DELIVERED' when $10 or queued_at + $5::interval <= now() + $4::interval then 'DEAD' else 'PENDING' end as status
    from sheetdrop.webhook_delivery where id = $1) s
  where id = $1 and locked_by = $2
  returning webhook_id
)
update sheetdrop.webhook set disabled_at = now(), disabled_by = 'receiver'
where $10 and id in (select webhook_id from settled) and disabled_at is null and deleted_at is null`,
		d.ID, token, o.Delivered, o.Pause, o.Limit, o.Took.Milliseconds(), o.Status, o.Response, o.Error, o.Gone)
	if err != nil {
		return fmt.Errorf("settle a webhook delivery: %w", err)
	}
	return nil
}

const rowsPerBatch = 1000

// Expire gives up some events that have waited for longer than age and that nobody is sending: those of webhooks that are disabled, or
// whose receiver answers nothing. false means that none was left.
func Expire(ctx context.Context, tx postgres.Tx, age time.Duration) (more bool, err error) {
	tag, err := tx.SQL().Exec(ctx, `update sheetdrop.webhook_delivery
set status = 'DEAD', ended_at = now(), locked_by = null, locked_until = null, error = coalesce(error, 'it was not tried: the webhook was disabled, or its receiver answered nothing else')
where id = any(array(select id from sheetdrop.webhook_delivery where status = 'PENDING' and queued_at < now() - $1::interval
    and (locked_until is null or locked_until < now()) order by queued_at limit $2 for update skip locked))`, age, rowsPerBatch)
	if err != nil {
		return false, fmt.Errorf("give up webhook deliveries: %w", err)
	}
	return tag.RowsAffected() > 0, nil
}

// DeleteOld deletes some deliveries that ended more than so many days ago, 0 for none, and some of deleted webhooks, which go after their
// last one: a day after their deletion, so that no transaction that still sees them writes another. false means that none was left.
func DeleteOld(ctx context.Context, tx postgres.Tx, days int) (more bool, err error) {
	for _, statement := range []struct {
		sql  string
		days int
	}{
		{`delete from sheetdrop.webhook_delivery where id = any(array(
  select id from sheetdrop.webhook_delivery where status <> 'PENDING' and ended_at < now() - make_interval(days => $1) and $1 > 0 order by ended_at limit $2 for update skip locked))`, days},
		{`delete from sheetdrop.webhook_delivery where id = any(array(
  select d.id from sheetdrop.webhook w join sheetdrop.webhook_delivery d on d.webhook_id = w.id
  where w.deleted_at < now() - make_interval(days => $1) limit $2 for update of d skip locked))`, 1},
		{`delete from sheetdrop.webhook where id = any(array(
  select id from sheetdrop.webhook w where deleted_at < now() - make_interval(days => $1)
    and not exists (select from sheetdrop.webhook_delivery where webhook_id = w.id) order by deleted_at limit $2 for update skip locked))`, 1},
	} {
		tag, err := tx.SQL().Exec(ctx, statement.sql, statement.days, rowsPerBatch)
		if err != nil {
			return false, fmt.Errorf("delete old webhook deliveries: %w", err)
		}
		more = more || tag.RowsAffected() > 0
	}
	return more, nil
}
