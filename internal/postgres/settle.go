package postgres

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"sheetdrop/internal/task"
)

// Settlement is what became of a claimed batch.
type Settlement struct {
	Sent   []uuid.UUID
	Failed []SendFailure
	Unsent []uuid.UUID // never tried: they go back as they were
}

// SendFailure is a message that could not be sent.
type SendFailure struct {
	ID       uuid.UUID `json:"id"`
	Error    string    `json:"error"`
	Rejected bool      `json:"rejected"` // the message is to blame, not the service
}

// historySlotSQL is the partition of outbox_history for messages that are sent now.
const historySlotSQL = `(floor(extract(epoch from now()) / 86400)::bigint % 32)::smallint`

// payloadOfHistorySQL is what the history keeps of a payload: nothing, where that is the message's ids alone, as in NewParseMessage.
const payloadOfHistorySQL = `nullif(payload, jsonb_build_object('v', 1, 'message_id', id, 'task_id', task_id))`

// Settle writes down a batch in one statement: sent messages move to the history, failed ones wait for a random time of up to
// min(60 s, 1 s × 2^attempts), unsent ones go back with their attempts and due time as they were. Only messages that token still holds
// are touched. Those that were refused too often are FAILED, with an alert. The
// tasks of messages that had waited count as asked for now. It does not wait for the disk.
func (db *DB) Settle(ctx context.Context, token uuid.UUID, s Settlement) error {
	_, err := db.pool.Exec(ctx, `
with sent as (
  delete from sheetdrop.outbox_message where id = any($2) and locked_by = $1
  returning id, event_type, task_id, payload, attempts, trace_context, created_at
), asked as ( -- as of now, for the reconciler; those that somebody holds are seen to. Others have their upload's time, which is near enough
  select id from sheetdrop.task where id in (select task_id from sent) and status = 'PENDING' and enqueued_at < now() - interval '1 minute'
  order by id for no key update skip locked
), marked as (
  update sheetdrop.task t set enqueued_at = now() from asked where t.id = asked.id and t.status = 'PENDING'
), history as (
  insert into sheetdrop.outbox_history (day_slot, id, event_type, task_id, payload, attempts, trace_context, created_at, processed_at)
  select `+historySlotSQL+`, id, event_type, task_id, `+payloadOfHistorySQL+`, attempts, trace_context, created_at, now() from sent
), failure as (
  select f.id, f.error, m.rejections + f.rejected::int as rejections, m.rejections + f.rejected::int >= $4 as final,
         now() + random() * least(60, power(2, least(m.attempts, 10))) * interval '1 second' as next_attempt_at
  from jsonb_to_recordset($3) as f (id uuid, error text, rejected bool)
  join sheetdrop.outbox_message m on m.id = f.id
), failed as (
  update sheetdrop.outbox_message m
  set status = case when f.final then 'FAILED' else 'PENDING' end, rejections = f.rejections, last_error = f.error,
      next_attempt_at = case when f.final then 'infinity' else f.next_attempt_at end, locked_by = null, locked_until = null
  from failure f where m.id = f.id and m.locked_by = $1
  returning m.id, m.status
), alert as (
  insert into sheetdrop.alert (kind, subject) select 'outbox_message_failed', id::text from failed where status = 'FAILED'
), unsent as (
  update sheetdrop.outbox_message set status = 'PENDING', attempts = attempts - 1, locked_by = null, locked_until = null
  where id = any($5) and locked_by = $1
)
select `+unflushedSQL,
		token, s.Sent, s.Failed, task.MaxRejections, s.Unsent)
	if err != nil {
		return fmt.Errorf("settle outbox messages: %w", err)
	}
	return nil
}
