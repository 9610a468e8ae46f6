// Package taskhistory reads all that is known of a task, for package why.
package taskhistory

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/database"
	"sheetdrop/internal/why"
)

// sentNear bounds how far the id of a task's first message is behind the task's own: one process makes both, one after the other. The
// message of a direct upload is made when that is completed, as the task's row is.
const sentNear = `interval '2 seconds'`

// idAtSQL is the least id of version 7 of a time.
func idAtSQL(at string) string {
	return `(lpad(to_hex((extract(epoch from ` + at + `) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid`
}

// madeAtSQL is the time in the task's id.
const madeAtSQL = `to_timestamp((('x' || left(replace(t.id::text, '-', ''), 12))::bit(48)::bigint) / 1000.0)`

// snapshotSQL is one statement, so that all of it is of one moment. Each part goes by an index and has a limit. The partitions of sent
// messages have none but their key, so a message is found there by its id, where the history has it; the first one by the time in it.
var snapshotSQL = `select now() as now, current_setting('transaction_read_only')::bool as read_only,
  (select ran_at from sheetdrop.reconciler) as ran_at,
  t.id as task_id, f.id as file_id, f.owner as file_owner, coalesce(t.owner, '') as asked_by, t.kind = 'UNDO' as undo, f.deleted_at,
  t.status, t.attempt, t.shared_deaths >= $2 as runs_alone, t.enqueues, t.enqueued_at, t.locked_until, t.cancel_requested_at, t.created_at,
  coalesce(t.claimed_at, case when t.attempt = 1 then t.started_at end) as claimed_at, t.finished_at, t.rows_deleted_at,
  coalesce(t.error_code, '') as error_code, coalesce(t.error_detail, '') as error_message,
  coalesce(t.error_detail_ja, '') as error_message_ja,
  coalesce((t.summary->>'rows_loaded')::bigint, 0) as rows_loaded,
  case when t.status = 'PENDING' then (select count(*) from (
    select from sheetdrop.task o where o.owner = t.owner and o.status = 'PENDING' and o.crashes = 0 and o.shared_deaths = 0
      and o.faults <= 3 and o.enqueued_at <= t.enqueued_at and (o.enqueued_at, o.id) < (t.enqueued_at, t.id) limit 1000
  ) ahead) else 0 end as files_ahead,
  coalesce(turn.ahead, 0) as turns_ahead, turn.first_id as turn_of, coalesce(turn.first_owner, '') as turn_owner,
  coalesce((select jsonb_agg(h order by h.id) from (
    select id, attempt, began_at, ended_at, outcome, coalesce(reason, '') as reason, counted, retried_at, message_id
    from sheetdrop.task_history where task_id = t.id) h), '[]') as past,
  coalesce((select jsonb_agg(m) from (
    select id, last_error is not null as tried, nullif(next_attempt_at, 'infinity') as due_at, created_at
    from sheetdrop.outbox_message where task_id = t.id order by next_attempt_at, id limit 10) m), '[]') as messages,
  coalesce((select jsonb_agg(jsonb_build_object('at', s.processed_at)) from (
    select m.processed_at from generate_series(0, 31) slot cross join lateral (
      select h.processed_at from sheetdrop.outbox_history h where h.day_slot = slot::smallint and h.task_id = t.id
        and h.id = any(array(select message_id from sheetdrop.task_history where task_id = t.id and message_id is not null))
      union
      select h.processed_at from sheetdrop.outbox_history h where h.day_slot = slot::smallint and h.task_id = t.id
        and h.id between t.id and ` + idAtSQL(madeAtSQL+` + `+sentNear) + `
      union
      select h.processed_at from sheetdrop.outbox_history h where h.day_slot = slot::smallint and h.task_id = t.id
        and h.id between ` + idAtSQL(`t.created_at - `+sentNear) + ` and ` + idAtSQL(`t.created_at + `+sentNear) + `
        and exists (select from sheetdrop.upload u where u.file_id = f.id and u.task_id = t.id)) m) s), '[]') as sent,
  coalesce((select jsonb_agg(l) from (
    select seen_at from sheetdrop.dead_letter where task_id = t.id order by seen_at desc limit 50) l), '[]') as letters,
  coalesce((select jsonb_agg(jsonb_build_object('at', a.at, 'caller', a.caller, 'name', a.action)) from (
    select at, caller, action from sheetdrop.operator_action
    where target = any(array(select t.id union select f.id union (select id from sheetdrop.outbox_message where task_id = t.id limit 10)))
    order by at desc limit 100) a), '[]') as actions,
  coalesce((select jsonb_agg(jsonb_build_object('id', l.id, 'applied_at', l.applied_at, 'undone_at', l.undone_at,
      'superseded_by', coalesce(l.superseded_by, 0))) from (
    select * from sheetdrop.target_load where task_id = t.id limit 50) l), '[]') as loads,
  coalesce((select jsonb_agg(jsonb_build_object('created_at', d.created_at, 'attempts', d.attempts)) from (
    select d.created_at, d.attempts from sheetdrop.webhook w join sheetdrop.webhook_delivery d on d.webhook_id = w.id
    where w.owner = f.owner and w.deleted_at is null and d.task_id = t.id and d.status = 'PENDING' limit 50) d), '[]') as webhooks
from sheetdrop.task t join sheetdrop.source_file f on f.id = t.source_file_id
left join lateral (
  select count(*) as ahead, (array_agg(o.id order by o.status = 'PROCESSING' desc, o.turn, o.id))[1] as first_id,
    (array_agg(o.owner order by o.status = 'PROCESSING' desc, o.turn, o.id))[1] as first_owner
  from (select o.id, o.turn, o.status, o.owner from sheetdrop.task o
    where o.target_id = t.target_id and o.ordered and o.id <> t.id
      and (o.status = 'PROCESSING' or o.status = 'PENDING' and (o.turn, o.id) < (t.turn, t.id)) limit 1000) o
) turn on t.ordered and t.status = 'PENDING'
where t.id = $1`

// Read returns a task's snapshot, whosever it is and also of a file that is deleted, in one round trip; or postgres.ErrNotFound.
func Read(ctx context.Context, db *postgres.DB, id uuid.UUID) (why.Snapshot, error) {
	found, err := database.One[why.Snapshot](ctx, db.SQL(), snapshotSQL, id, postgres.SharedDeathsToRunAlone)
	if err != nil {
		return why.Snapshot{}, fmt.Errorf("read a task's history: %w", err)
	}
	if found == nil {
		return why.Snapshot{}, postgres.ErrNotFound
	}
	return *found, nil
}
