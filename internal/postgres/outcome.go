package postgres

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sheetdrop/internal/backoff"
	"sheetdrop/internal/task"
)

// alertFailedSQL writes an alert for each task in "ended" that is FAILED, unless its file is the reason.
const alertFailedSQL = `insert into sheetdrop.alert (kind, subject, code) select 'task_failed', id::text, error_code from ended
  where status = 'FAILED' and error_code in ('worker_died', 'internal_error', 'took_too_long', 'database_full', 'content_missing', 'content_changed')`

// keepRunSQL notes in the history of a task the run after which "ended" has made it PENDING again: $10 says that its worker died, $11 why the run
// ended, and $12 is the message that asks for the next one. A run that ends its task is in the task's own row, so the ordinary way of a
// task writes nothing here.
const keepRunSQL = `insert into sheetdrop.task_history (task_id, attempt, began_at, ended_at, outcome, reason, counted, message_id)
  select id, attempt, claimed_at, now(), case when $10 then 'EXPIRED' else 'RETURNED' end, nullif($11, ''), counted, $12::uuid
  from ended where status = 'PENDING'`

// trimHistorySQL deletes what is too much of the histories of the tasks that follow, before one more entry comes, which it does not see: 50
// of each task are kept.
const trimHistorySQL = `delete from sheetdrop.task_history h where h.id <= (
  select n.id from sheetdrop.task_history n where n.task_id = h.task_id order by n.id desc offset 49 limit 1) and h.task_id `

// Outcome is how a run ended that did not finish its task, for another reason than an input error.
type Outcome struct {
	Crashes int           // 1 if the run counts against the task, 0 if the services were at fault
	Faults  int           // 1 if the services were at fault: for the back-off only
	Failure task.Failure  // what the task becomes FAILED with, once its crashes have reached the limit
	Pause   time.Duration // about how long the task waits for its next run; 0: the back-off
	Reason  task.Reason   // why it did not, for the task's history
}

// EndRun returns a claimed task to the queue, with the message that brings it to a worker again after a while, and returns what it is now:
// PENDING, FAILED at the limit of crashes, CANCELLED where somebody asked; "" where the claim no longer holds it, and nothing has changed.
func (t Tx) EndRun(ctx context.Context, claim Claim, e Outcome, message OutboxMessage) (task.Status, error) {
	ended, err := t.endRun(ctx, claim.TaskID, &claim, e, message)
	return ended.Status, err
}

// diedSharedSQL is that a worker died ($10) with a run that had to share its process with others: who killed it is not known.
const diedSharedSQL = `($10 and alone_attempt is distinct from attempt)`

// countedCrashesSQL are the crashes, of $4, that count against the task.
const countedCrashesSQL = `case when ` + diedSharedSQL + ` then 0 else $4 end`

// nextStatusSQL is the state after a run. It stands inside the UPDATE, so that it sees a cancel that came meanwhile.
const nextStatusSQL = `case when cancel_requested_at is not null then 'CANCELLED' when $4 > 0 and not ` + diedSharedSQL + ` and crashes + $4 >= $6 then 'FAILED'
  else 'PENDING' end`

// endRun ends the run of claim or, where that is nil, the run of a worker that died with the locked task.
func (t Tx) endRun(ctx context.Context, taskID uuid.UUID, claim *Claim, e Outcome, message OutboxMessage) (ended Released, err error) {
	var (
		token   *uuid.UUID
		attempt int
		bad     int
	)
	if claim != nil {
		token, attempt = &claim.Token, claim.Attempt
	}
	err = t.tx.QueryRow(ctx, `with ended as (
update sheetdrop.task
set status = `+nextStatusSQL+`,
    error_code      = case `+nextStatusSQL+` when 'FAILED' then $7 end,
    error_detail    = case `+nextStatusSQL+` when 'FAILED' then $8 end,
    error_detail_ja = case `+nextStatusSQL+` when 'FAILED' then $9 end,
    finished_at     = case `+nextStatusSQL+` when 'PENDING' then null else now() end,
    crashes = crashes + `+countedCrashesSQL+`, shared_deaths = shared_deaths + `+diedSharedSQL+`::int, faults = case when $5 > 0 then faults + $5 else 0 end,
    locked_by = null, locked_until = null, enqueues = 0, enqueued_at = now()
where id = $1 and status = 'PROCESSING' and ($2::uuid is null or locked_by = $2 and attempt = $3)
returning id, source_file_id, status, error_code, attempt, claimed_at, coalesce(trace_context, '') as trace, $4 > 0 and not `+diedSharedSQL+` as counted, greatest(faults, crashes + shared_deaths) as bad
), alert as (`+alertFailedSQL+`), kept as (`+keepRunSQL+`), trimmed as (
  `+trimHistorySQL+`in (select id from ended where status = 'PENDING'))
select id, source_file_id, (select owner from sheetdrop.source_file where id = source_file_id), attempt, status, trace, bad from ended`,
		taskID, token, attempt, e.Crashes, e.Faults, task.MaxCrashes, e.Failure.Code, e.Failure.Message, e.Failure.MessageJA, claim == nil,
		e.Reason, message.ID).
		Scan(&ended.TaskID, &ended.FileID, &ended.Owner, &ended.Attempt, &ended.Status, &ended.TraceContext, &bad)
	if errors.Is(err, pgx.ErrNoRows) {
		return Released{}, nil
	}
	if err != nil {
		return Released{}, fmt.Errorf("end the run: %w", err)
	}
	if ended.Status != task.Pending {
		return ended, nil
	}
	if claim == nil { // it has waited for its lease to end
		bad--
	}
	return ended, t.InsertMessage(ctx, message, cmp.Or(backoff.Jitter(e.Pause), betweenRuns.Delay(bad)))
}

// betweenRuns are the pauses of a task after runs that failed.
var betweenRuns = backoff.Policy{First: time.Second, Max: 5 * time.Minute}

// CancelRun ends a run that somebody asked to cancel; false where the claim no longer holds the task.
func (t Tx) CancelRun(ctx context.Context, claim Claim) (bool, error) {
	tag, err := t.tx.Exec(ctx, `update sheetdrop.task set status = 'CANCELLED', finished_at = now(), locked_by = null, locked_until = null
where id = $1 and status = 'PROCESSING' and locked_by = $2 and attempt = $3 and cancel_requested_at is not null`,
		claim.TaskID, claim.Token, claim.Attempt)
	if err != nil {
		return false, fmt.Errorf("cancel the run: %w", err)
	}
	return tag.RowsAffected() == 1, nil
}

// StoreHash keeps the SHA-256 of a task's file, of which a run has read all bytes for the first time; nil is none. It locks the file, and
// so comes before what locks the task.
func (t Tx) StoreHash(ctx context.Context, taskID uuid.UUID, hash []byte) error {
	if hash == nil {
		return nil
	}
	_, err := t.tx.Exec(ctx, `update sheetdrop.source_file f set sha256 = $2 from sheetdrop.task t
where t.id = $1 and f.id = t.source_file_id and f.sha256 is null`, taskID, hash)
	if err != nil {
		return fmt.Errorf("keep the file's hash: %w", err)
	}
	return nil
}

// FailTask ends a task by an input error; false where the claim no longer holds it.
func (t Tx) FailTask(ctx context.Context, claim Claim, failure task.Failure) (bool, error) {
	tag, err := t.tx.Exec(ctx, `with ended as (
update sheetdrop.task
set status = 'FAILED', error_code = $4, error_detail = $5, error_detail_ja = $6, finished_at = now(), locked_by = null, locked_until = null
where id = $1 and status = 'PROCESSING' and locked_by = $2 and attempt = $3
returning id, status, error_code
), alert as (`+alertFailedSQL+`)
select from ended`, claim.TaskID, claim.Token, claim.Attempt,
		failure.Code, failure.Message, failure.MessageJA)
	if err != nil {
		return false, fmt.Errorf("fail the task: %w", err)
	}
	return tag.RowsAffected() == 1, nil
}

// completeTask is the last statement of a load; false where the claim no longer holds the task, and the load must be rolled back.
func (t Tx) completeTask(ctx context.Context, claim Claim, summary task.Summary, progress task.Progress) (bool, error) {
	tag, err := t.tx.Exec(ctx, `update sheetdrop.task
set status = 'COMPLETED', summary = $4, progress = $5, finished_at = clock_timestamp(), locked_by = null, locked_until = null
where id = $1 and status = 'PROCESSING' and locked_by = $2 and attempt = $3`, claim.TaskID, claim.Token, claim.Attempt, summary, progress)
	if err != nil {
		return false, fmt.Errorf("complete the task: %w", err)
	}
	return tag.RowsAffected() == 1, nil
}
