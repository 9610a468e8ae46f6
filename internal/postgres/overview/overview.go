// Package overview shows operators how the whole stands.
package overview

import (
	"context"
	"fmt"
	"time"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/database"
)

// What an overview looks at, at most: it must not cost more on a day on which much has happened.
const (
	mostTasks   = 100_000 // the newest ones, for the hours
	mostCounted = 10_000  // of each thing that is counted
)

// Now is how the whole stands.
type Now struct {
	Pending, Processing int64 // tasks that have not ended
	Failed              int64 // newest tasks of files, up to 10,000
	OldestPending       *time.Time
	OutboxFailed        int64
	OutboxPending       int64 // messages that have not been sent, without FAILED ones
	OutboxOldestDue     *time.Time
	DeadLetters         int64 // up to 10,000
}

// Read counts what has not ended, and what nobody will end but people.
func Read(ctx context.Context, q database.Querier) (Now, error) {
	found, err := database.One[Now](ctx, q, `select
  (select count(*) from sheetdrop.task where status = 'PENDING') as pending,
  (select count(*) from sheetdrop.task where status = 'PROCESSING') as processing,
  (select min(enqueued_at) from sheetdrop.task where status = 'PENDING') as oldest_pending,
  (select count(*) from (
    select from sheetdrop.task t join sheetdrop.source_file f on f.id = t.source_file_id
    where t.status = 'FAILED' and f.deleted_at is null and not exists (
      select from sheetdrop.task n where n.source_file_id = t.source_file_id and (n.created_at, n.id) > (t.created_at, t.id))
    limit $1) failed) as failed,
  m.outbox_failed, m.outbox_pending, m.outbox_oldest_due,
  (select count(*) from (select from sheetdrop.dead_letter limit $1) l) as dead_letters
from (select count(*) filter (where status = 'FAILED') as outbox_failed,
    count(*) filter (where status <> 'FAILED') as outbox_pending,
    min(next_attempt_at) filter (where status = 'PENDING' and next_attempt_at <= now()) as outbox_oldest_due
  from sheetdrop.outbox_message) m`, mostCounted)
	if err != nil {
		return Now{}, fmt.Errorf("read the overview: %w", err)
	}
	return *found, nil
}

// Hour is what happened to the tasks in one hour.
type Hour struct {
	Begin     time.Time
	Accepted  int64
	Completed int64
	Failed    int64
	Rows      int64 // loaded
	Bytes     int64 // of the files of COMPLETED tasks
}

// Hours returns the last 24 hours, oldest first, the current one last, as far as the newest 100,000 tasks tell. A task that
// was made earlier is not among them, whenever it ended.
func Hours(ctx context.Context, db *postgres.DB) ([]Hour, error) {
	hours, err := database.All[Hour](ctx, db.SQL(), `with recent as materialized (
  select created_at, finished_at, status, (summary->>'rows_loaded')::bigint as rows, (progress->>'bytes_total')::bigint as bytes
  from sheetdrop.task
  where id >= (lpad(to_hex((extract(epoch from now() - interval '24 hours') * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid
  order by id desc limit $1
), happened as (
  select date_trunc('hour', created_at, 'UTC') as hour, 1 as accepted, 0 as completed, 0 as failed, 0 as rows, 0 as bytes from recent
  union all
  select date_trunc('hour', finished_at, 'UTC'), 0, (status = 'COMPLETED')::int, (status = 'FAILED')::int,
    case status when 'COMPLETED' then rows end, case status when 'COMPLETED' then bytes end
  from recent where finished_at is not null
)
select h.hour as begin, coalesce(sum(accepted), 0)::bigint as accepted, coalesce(sum(completed), 0)::bigint as completed,
  coalesce(sum(failed), 0)::bigint as failed, coalesce(sum(rows), 0)::bigint as rows, coalesce(sum(bytes), 0)::bigint as bytes
from generate_series(date_trunc('hour', now(), 'UTC') - interval '23 hours', date_trunc('hour', now(), 'UTC'), interval '1 hour') as h (hour)
left join happened using (hour)
group by h.hour order by h.hour`, mostTasks)
	if err != nil {
		return nil, fmt.Errorf("read the last hours: %w", err)
	}
	return hours, nil
}
