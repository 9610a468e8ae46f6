package overview

import (
	"context"
	"errors"
	"fmt"
	"time"

	"sheetdrop/internal/postgres/database"
	"sheetdrop/internal/task"
)

// Upkeep is whether what has to happen by itself happens: the timer, the outbox, leases, deletion.
type Upkeep struct {
	Now           time.Time // the database's clock
	SchemaVersion int64     // the newest migration that was applied
	MaintainedAt  time.Time // when the timer last reclaimed expired leases

	ExpiredLeases     int64      // of tasks, that ended more than two minutes ago; up to 10,000
	LastRejection     string     // why the oldest due message of the outbox was not sent the last time; "" where it was not tried
	NewDeadLetters    int64      // of the last day, up to 10,000
	InternalFailures  int64      // files whose newest task FAILED within the last day, not for its content; up to 10,000
	OldestDeletedFile *time.Time // the oldest deleted file whose content is still to be removed; nil if there is none
	DeadDeliveries    int64      // of webhooks, within the last day; up to 10,000
	RecoveringSince   *time.Time // since when a restore of the database is being recovered from; nil if none is
}

var errNoReconciler = errors.New("sheetdrop.reconciler has no row: run `sheetdrop migrate`")

// ReadUpkeep looks at it, by indexes alone.
func ReadUpkeep(ctx context.Context, q database.Querier) (Upkeep, error) {
	codes := make([]string, len(task.NotOfTheFile))
	for i, code := range task.NotOfTheFile {
		codes[i] = string(code)
	}
	found, err := database.One[Upkeep](ctx, q, `select clock_timestamp() as now,
  (select coalesce(max(version_id), 0) from sheetdrop.schema_version where is_applied) as schema_version, r.ran_at as maintained_at,
  (select count(*) from (select from sheetdrop.task
    where status = 'PROCESSING' and locked_until < now() - interval '2 minutes' limit $1) l) as expired_leases,
  coalesce((select left(last_error, 300) from sheetdrop.outbox_message
    where status = 'PENDING' and next_attempt_at <= now() order by next_attempt_at limit 1), '') as last_rejection,
  (select count(*) from (select from sheetdrop.dead_letter where seen_at > now() - interval '1 day' limit $1) d) as new_dead_letters,
  (select count(*) from (
    select from sheetdrop.task t join sheetdrop.source_file f on f.id = t.source_file_id
    where t.status = 'FAILED' and t.error_code = any($2::text[]) and t.finished_at > now() - interval '1 day' and f.deleted_at is null
      and not exists (select from sheetdrop.task n where n.source_file_id = t.source_file_id and (n.created_at, n.id) > (t.created_at, t.id))
    limit $1) f) as internal_failures,
  (select min(deleted_at) from sheetdrop.source_file where deleted_at is not null and purged_at is null) as oldest_deleted_file,
  (select count(*) from (select from sheetdrop.webhook_delivery
    where status = 'DEAD' and ended_at > now() - interval '1 day' limit $1) w) as dead_deliveries,
  (select noticed_at from sheetdrop.recovery where ended_at is null) as recovering_since
from sheetdrop.reconciler r`, mostCounted, codes)
	if err == nil && found == nil {
		err = errNoReconciler
	}
	if err != nil {
		return Upkeep{}, fmt.Errorf("read the upkeep: %w", err)
	}
	return *found, nil
}
