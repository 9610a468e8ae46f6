package postgres

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sheetdrop/internal/postgres/database"
	"sheetdrop/internal/task"
)

// Claim is a worker's hold on a task. Token is new for each claim and Attempt rises with each: no write of a former holder fits both.
type Claim struct {
	TaskID  uuid.UUID `json:"task_id"`
	Token   uuid.UUID `json:"token"`
	Attempt int       `json:"attempt"`
}

// ClaimedTask is what a worker needs to know of the task that it has claimed.
type ClaimedTask struct {
	Claim
	Owner        string
	Options      json.RawMessage
	BlobName     string
	SizeBytes    int64
	SHA256       []byte // of its bytes, as far as anybody has said; nil otherwise
	ETag         string // the version of the blob that is the file; "": any
	Unread       bool   // the file's SHA-256 is not kept yet
	FileID       uuid.UUID
	TargetID     uuid.NullUUID
	Age          time.Duration   // since it was accepted
	TraceContext string          // the traceparent of the request that asked for the task; "": there is none
	Mapping      json.RawMessage // of the file's columns to the target's, by an earlier attempt; nil: none yet
}

// Subject is what log lines say about the task.
func (c ClaimedTask) Subject() task.Subject {
	return task.Subject{TaskID: c.TaskID, FileID: c.FileID, Owner: c.Owner, Attempt: c.Attempt}
}

// claimedTaskColumnsSQL are those of a ClaimedTask, whose token is $2. The hash is that of the first reading, or what the client of a
// direct upload has promised.
const claimedTaskColumnsSQL = `t.id as task_id, $2::uuid as token, t.attempt, f.owner, t.options, f.blob_name, f.size_bytes,
  coalesce(f.sha256, (select u.sha256 from sheetdrop.upload u where u.file_id = f.id)) as sha256, coalesce(f.etag, '') as etag,
  f.sha256 is null as unread, f.id as file_id, t.target_id, now() - t.created_at as age, t.mapping,
  coalesce(t.trace_context, '') as trace_context`

// taskClaimableSQL is that a task t is not of a deleted file f, or reads no file.
const taskClaimableSQL = `(f.deleted_at is null or t.kind = 'UNDO')`

// ErrRunsAlone says that a task may only be claimed by a worker that has nothing else to do.
var ErrRunsAlone = errors.New("the task has died with its worker before, and runs alone")

// SharedDeathsToRunAlone is after how many of them a task runs alone.
const SharedDeathsToRunAlone = 2

// ClaimTask takes a PENDING task for token until the lease ends. alone says that the process runs nothing else until then: a task that has
// died with its process twice is not claimed without (ErrRunsAlone), and one of an ordered target not before its turn. Otherwise it returns
// nil and the task's state, "" where there is no such task. A task that token holds already, because an earlier claim's answer was lost, is returned again.
func (t Tx) ClaimTask(ctx context.Context, id, token uuid.UUID, lease time.Duration, alone bool) (*ClaimedTask, task.Status, error) {
	c := claiming{id, token, lease, alone}
	claimed, err := t.claim(ctx, c, `not t.ordered`)
	if err != nil {
		return nil, "", err
	}
	if claimed != nil {
		return claimed, task.Processing, nil
	}
	type notClaimed struct {
		ClaimedTask
		Status                 task.Status
		Mine, Suspect, Ordered bool
	}
	found, err := database.One[notClaimed](ctx, t.tx, `select t.status, coalesce(t.locked_by = $2, false) as mine,
  t.status = 'PENDING' and `+taskClaimableSQL+` and t.shared_deaths >= $3 as suspect,
  t.status = 'PENDING' and `+taskClaimableSQL+` and t.ordered as ordered, `+claimedTaskColumnsSQL+`
from sheetdrop.task t join sheetdrop.source_file f on f.id = t.source_file_id where t.id = $1`, id, token, SharedDeathsToRunAlone)
	switch {
	case err != nil:
		return nil, "", fmt.Errorf("look at a task that is not pending: %w", err)
	case found == nil:
		return nil, "", nil
	case found.Mine:
		return &found.ClaimedTask, found.Status, nil
	case found.Suspect && !alone:
		return nil, found.Status, ErrRunsAlone
	case found.Ordered:
		return t.claimInTurn(ctx, c, found.TargetID)
	default:
		return nil, found.Status, nil
	}
}

// claiming is what a claim is asked with.
type claiming struct {
	id, token uuid.UUID
	lease     time.Duration
	alone     bool
}

func (t Tx) claim(ctx context.Context, c claiming, condition string) (*ClaimedTask, error) {
	claimed, err := database.One[ClaimedTask](ctx, t.tx, `update sheetdrop.task t
set status = 'PROCESSING', attempt = attempt + 1, locked_by = $2, locked_until = now() + $3::interval,
    started_at = coalesce(started_at, now()), claimed_at = now(), progress = null,
    alone_attempt = case when $4 then attempt + 1 else alone_attempt end
from sheetdrop.source_file f
where t.id = $1 and t.status = 'PENDING' and f.id = t.source_file_id and `+taskClaimableSQL+` and ($4 or t.shared_deaths < $5) and `+condition+`
returning `+claimedTaskColumnsSQL, c.id, c.token, c.lease, c.alone, SharedDeathsToRunAlone)
	if err != nil {
		return nil, fmt.Errorf("claim task: %w", err)
	}
	return claimed, nil
}

// inTurnSQL is that a PENDING task t is not of an ordered target, or is the first of its target's while none of them runs.
const inTurnSQL = `(not t.ordered or not exists (
    select from sheetdrop.task o where o.target_id = t.target_id and o.ordered and o.status = 'PROCESSING'
  ) and not exists (
    select from sheetdrop.task o where o.target_id = t.target_id and o.ordered and o.status = 'PENDING' and (o.turn, o.id) < (t.turn, t.id)))`

// claimInTurn claims a task of an ordered target. It looks at the others behind the target's lock, as whoever ends one does, so that
// looking and taking are one step; the lock comes after the task's.
func (t Tx) claimInTurn(ctx context.Context, c claiming, targetID uuid.NullUUID) (*ClaimedTask, task.Status, error) {
	for _, lock := range []struct {
		sql string
		id  uuid.UUID
	}{
		{`select from sheetdrop.task where id = $1 for no key update`, c.id},
		{`select from sheetdrop.target where id = $1 for no key update`, targetID.UUID},
	} {
		if _, err := t.tx.Exec(ctx, lock.sql, lock.id); err != nil {
			return nil, "", fmt.Errorf("lock a task and its target: %w", err)
		}
	}
	claimed, err := t.claim(ctx, c, inTurnSQL)
	if err != nil || claimed == nil {
		return nil, task.Pending, err
	}
	return claimed, task.Processing, nil
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
	Progress task.Progress `json:"progress"`
}

// Heartbeat renews the leases of all runs of a process in one statement and writes their progress. It returns the tokens that still hold
// their tasks; true stands for a run that somebody asked to cancel. A task that somebody else has locked is passed by: its lease is not
// renewed now, but it is still held, and the others do not wait for it.
func (db *DB) Heartbeat(ctx context.Context, lease time.Duration, beats []Beat) (map[uuid.UUID]bool, error) {
	rows, err := db.pool.Query(ctx, `with beat as materialized ( -- locked in the order of ids, as by every statement that changes several
  select t.id, b.token, b.progress from sheetdrop.task t
  join jsonb_to_recordset($2) as b (task_id uuid, token uuid, progress jsonb) on t.id = b.task_id and t.locked_by = b.token
  order by t.id for no key update of t skip locked
), renewed as (
  update sheetdrop.task t set locked_until = now() + $1::interval, progress = b.progress
  from beat b where t.id = b.id and t.locked_by = b.token and t.status = 'PROCESSING'
)
select t.locked_by, t.cancel_requested_at is not null
from jsonb_to_recordset($2) as b (task_id uuid, token uuid)
join sheetdrop.task t on t.id = b.task_id and t.locked_by = b.token and t.status = 'PROCESSING'`, lease, beats)
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
