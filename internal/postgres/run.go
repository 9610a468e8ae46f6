package postgres

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sheetdrop/internal/task"
)

// Claim is a worker's hold on a task. Token is new for each claim and Attempt rises with each: no write of a former holder fits both.
type Claim struct {
	TaskID  uuid.UUID
	Token   uuid.UUID
	Attempt int
}

// ClaimedTask is what a worker needs to know of the task that it has claimed.
type ClaimedTask struct {
	Claim
	Owner     string
	Options   json.RawMessage
	BlobName  string
	SizeBytes int64
	SHA256    []byte // of its bytes, as far as anybody has said; nil otherwise
	ETag      string // the version of the blob that is the file; "": any
	Unread    bool   // the file's SHA-256 is not kept yet
}

// ErrRunsAlone says that a task may only be claimed by a worker that has nothing else to do.
var ErrRunsAlone = errors.New("the task has died with its worker before, and runs alone")

// sharedDeaths is after how many of them a task runs alone.
const sharedDeaths = 2

// readsAs is what the bytes of file f must be: the hash is that of the first reading, or what the client of a direct upload has promised.
const readsAs = `coalesce(f.sha256, (select u.sha256 from sheetdrop.upload u where u.file_id = f.id)), coalesce(f.etag, ''), f.sha256 is null`

// ClaimTask takes a PENDING task for token until the lease ends. alone says that the process runs nothing else until then: a task that has died
// with its process twice is not claimed without (ErrRunsAlone). Otherwise it returns nil and the task's state, "" where there is no such
// task. A task that token holds already, because an earlier claim's answer was lost, is given again.
func (t Tx) ClaimTask(ctx context.Context, id, token uuid.UUID, lease time.Duration, alone bool) (*ClaimedTask, task.Status, error) {
	claimed := ClaimedTask{Claim: Claim{TaskID: id, Token: token}}
	err := t.tx.QueryRow(ctx, `update sheetdrop.task t
set status = 'PROCESSING', attempt = attempt + 1, locked_by = $2, locked_until = now() + $3::interval,
    started_at = coalesce(started_at, now()), progress = null, alone_attempt = case when $4 then attempt + 1 else alone_attempt end
from sheetdrop.source_file f
where t.id = $1 and t.status = 'PENDING' and f.id = t.source_file_id and f.deleted_at is null and ($4 or t.shared_deaths < $5)
returning t.attempt, f.owner, t.options, f.blob_name, f.size_bytes, `+readsAs, id, token, lease, alone, sharedDeaths).
		Scan(&claimed.Attempt, &claimed.Owner, &claimed.Options, &claimed.BlobName, &claimed.SizeBytes, &claimed.SHA256, &claimed.ETag, &claimed.Unread)
	if err == nil {
		return &claimed, task.Processing, nil
	}
	if !errors.Is(err, pgx.ErrNoRows) {
		return nil, "", fmt.Errorf("claim task: %w", err)
	}
	var (
		status        task.Status
		mine, suspect bool
	)
	err = t.tx.QueryRow(ctx, `select t.status, coalesce(t.locked_by = $2, false), t.status = 'PENDING' and f.deleted_at is null and t.shared_deaths >= $3,
  t.attempt, f.owner, t.options, f.blob_name, f.size_bytes, `+readsAs+`
from sheetdrop.task t join sheetdrop.source_file f on f.id = t.source_file_id where t.id = $1`, id, token, sharedDeaths).
		Scan(&status, &mine, &suspect, &claimed.Attempt, &claimed.Owner, &claimed.Options, &claimed.BlobName, &claimed.SizeBytes, &claimed.SHA256, &claimed.ETag, &claimed.Unread)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return nil, "", nil
	case err != nil:
		return nil, "", fmt.Errorf("look at a task that is not pending: %w", err)
	case mine:
		return &claimed, status, nil
	case suspect && !alone:
		return nil, status, ErrRunsAlone
	default:
		return nil, status, nil
	}
}

// Holds reports whether the claim's token still holds the task.
func (db *DB) Holds(ctx context.Context, taskID, token uuid.UUID) (bool, error) {
	var holds bool
	err := db.pool.QueryRow(ctx, `select exists (select from sheetdrop.task where id = $1 and locked_by = $2)`, taskID, token).Scan(&holds)
	return holds, err
}

// Beat is one run's sign of life.
type Beat struct {
	Claim
	Progress task.Progress
}

// Heartbeat renews the leases of all runs of a process in one statement and writes their progress. It returns the tokens that still hold
// their tasks; true stands for a run that somebody asked to cancel. A task that somebody else has locked is passed by: its lease is not
// renewed now, but it is still held, and the others do not wait for it.
func (db *DB) Heartbeat(ctx context.Context, lease time.Duration, beats []Beat) (map[uuid.UUID]bool, error) {
	ids, tokens, progress := make([]uuid.UUID, len(beats)), make([]uuid.UUID, len(beats)), make([]task.Progress, len(beats))
	for i, b := range beats {
		ids[i], tokens[i], progress[i] = b.TaskID, b.Token, b.Progress
	}
	rows, err := db.pool.Query(ctx, `with beat as materialized ( -- locked in the order of ids, as by every statement that changes several
  select t.id, b.token, b.progress from sheetdrop.task t
  join unnest($2::uuid[], $3::uuid[], $4::jsonb[]) as b (id, token, progress) on t.id = b.id and t.locked_by = b.token
  order by t.id for no key update of t skip locked
), renewed as (
  update sheetdrop.task t set locked_until = now() + $1::interval, progress = b.progress
  from beat b where t.id = b.id and t.locked_by = b.token and t.status = 'PROCESSING'
)
select t.locked_by, t.cancel_requested_at is not null
from unnest($2::uuid[], $3::uuid[]) as b (id, token) join sheetdrop.task t on t.id = b.id and t.locked_by = b.token and t.status = 'PROCESSING'`, lease, ids, tokens, progress)
	if err != nil {
		return nil, fmt.Errorf("renew task leases: %w", err)
	}
	held := map[uuid.UUID]bool{}
	var (
		token  uuid.UUID
		cancel bool
	)
	if _, err = pgx.ForEachRow(rows, []any{&token, &cancel}, func() error { held[token] = cancel; return nil }); err != nil {
		return nil, fmt.Errorf("renew task leases: %w", err)
	}
	return held, nil
}
