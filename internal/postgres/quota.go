package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// Quota is how much each owner may have accepted. 0 is no limit.
type Quota struct {
	OpenTasks  int64 `env:"QUOTA_OPEN_TASKS" envDefault:"0"`  // tasks that have not ended
	DailyFiles int64 `env:"QUOTA_DAILY_FILES" envDefault:"0"` // in a day of UTC
	DailyBytes int64 `env:"QUOTA_DAILY_BYTES" envDefault:"0"` // likewise, of files
	DailyTasks int64 `env:"QUOTA_DAILY_TASKS" envDefault:"0"` // likewise: each parsing, the first one of a file too
	Targets    int64 `env:"QUOTA_TARGETS" envDefault:"0"`     // that are not dropped
}

// Check refuses what no limit can be.
func (q Quota) Check() error {
	if min(q.OpenTasks, q.DailyFiles, q.DailyBytes, q.DailyTasks, q.Targets) < 0 {
		return errors.New("QUOTA_OPEN_TASKS, QUOTA_DAILY_FILES, QUOTA_DAILY_BYTES, QUOTA_DAILY_TASKS and QUOTA_TARGETS must be 0 or more")
	}
	return nil
}

// Usage is what a transaction accepts.
type Usage struct{ Files, Bytes, Tasks int64 }

// What a QuotaError names besides what is counted by the day: tasks that have not ended, and targets.
const (
	OpenTasks   = "open tasks"
	OpenTargets = "targets"
)

// QuotaError says that an owner's quota does not suffice for what is asked for.
type QuotaError struct {
	What  string // "files", "bytes" or "tasks" of a day, or OpenTasks
	Limit int64
	Ends  time.Duration // until the next day; 0 for open tasks
}

func (e *QuotaError) Error() string {
	return fmt.Sprintf("the quota of %d %s is used up", e.Limit, e.What)
}

// allows returns a *QuotaError where a day's usage is more than the quota. ends is when the day does, from now.
func (q Quota) allows(day Usage, ends time.Duration) error {
	for _, d := range []struct {
		what        string
		used, limit int64
	}{{"files", day.Files, q.DailyFiles}, {"bytes", day.Bytes, q.DailyBytes}, {"tasks", day.Tasks, q.DailyTasks}} {
		if d.limit > 0 && d.used > d.limit {
			return &QuotaError{d.what, d.limit, ends}
		}
	}
	return nil
}

// dayEndsInSQL is how long the day of owner_usage lasts yet.
const dayEndsInSQL = `(day + 1)::timestamp at time zone 'utc' - now()`

// DayLeft returns a *QuotaError where nothing of an owner's day is left for an upload, so that it need not be read.
// Under an idempotency key, "" for none, that is known already, it is no new upload. CountUsage decides.
func (db *DB) DayLeft(ctx context.Context, owner, key string, q Quota) error {
	var (
		day  Usage
		ends time.Duration
	)
	err := db.pool.QueryRow(ctx, `select files, bytes, tasks, `+dayEndsInSQL+` from sheetdrop.owner_usage
where owner = $1 and day = (now() at time zone 'utc')::date
  and not exists (select from sheetdrop.source_file where owner = $1 and idempotency_key = nullif($2, ''))`, owner, key).Scan(&day.Files, &day.Bytes, &day.Tasks, &ends)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("look at what the owner uses: %w", err)
	}
	return q.allows(Usage{day.Files + 1, day.Bytes + 1, day.Tasks + 1}, ends)
}

// CountUsage counts what the transaction has accepted for an owner, whose tasks it has written already, and fails with
// a *QuotaError where that is more than the quota. The owner's other transactions wait from here on until this one
// ends, so that none of them overlooks it; those of other owners do not. It takes the last of all locks.
func (t Tx) CountUsage(ctx context.Context, owner string, used Usage, q Quota) error {
	if q == (Quota{}) || used == (Usage{}) {
		return nil
	}
	var (
		day      Usage
		openLeft int64
		ends     time.Duration
	)
	err := t.tx.QueryRow(ctx, `insert into sheetdrop.owner_usage as u (owner, day, files, bytes, tasks, open_left)
values ($1, (now() at time zone 'utc')::date, $2::bigint, $3::bigint, $4::bigint, -$4::bigint)
on conflict (owner) do update set day = greatest(u.day, excluded.day),
  open_left = case when u.day < excluded.day then 0 else u.open_left end - $4,
  files = $2 + case when u.day < excluded.day then 0 else u.files end,
  bytes = $3 + case when u.day < excluded.day then 0 else u.bytes end,
  tasks = $4 + case when u.day < excluded.day then 0 else u.tasks end
returning files, bytes, tasks, open_left, `+dayEndsInSQL,
		owner, used.Files, used.Bytes, used.Tasks).Scan(&day.Files, &day.Bytes, &day.Tasks, &openLeft, &ends)
	if err != nil {
		return fmt.Errorf("count what the owner uses: %w", err)
	}
	if err := q.allows(day, ends); err != nil {
		return err
	}
	if q.OpenTasks > 0 && (openLeft < 0 || openLeft > q.OpenTasks) { // more than all: the setting was lowered
		return t.countOpen(ctx, owner, q.OpenTasks)
	}
	return nil
}

// countOpen counts the owner's tasks that have not ended, and keeps how many more may be opened before it has to be
// done again: tasks that end meanwhile make it less than there could be, never more. It must be a statement of its own:
// what it sees is what there is behind the owner's lock.
func (t Tx) countOpen(ctx context.Context, owner string, limit int64) error {
	var open int64
	err := t.tx.QueryRow(ctx, `select count(*) from (
  select from sheetdrop.task where owner = $1 and status in ('PENDING', 'PROCESSING') limit $2
) open`, owner, limit+1).Scan(&open)
	if err != nil {
		return fmt.Errorf("count the owner's open tasks: %w", err)
	}
	if open > limit {
		return &QuotaError{What: OpenTasks, Limit: limit}
	}
	if _, err := t.tx.Exec(ctx, `update sheetdrop.owner_usage set open_left = $2 where owner = $1`, owner, limit-open); err != nil {
		return fmt.Errorf("keep how many tasks the owner may open: %w", err)
	}
	return nil
}
