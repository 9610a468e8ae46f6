package postgres

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sheetdrop/internal/postgres/database"
	"sheetdrop/internal/task"
	"sheetdrop/internal/tracing"
)

// RetryTask makes a FAILED or CANCELLED task PENDING again, as if it had never run but for its attempt, which never
// falls. What it had found is taken away. false means that it is in another state. The task's file must be locked; the
// message is for it.
func (t Tx) RetryTask(ctx context.Context, message OutboxMessage) (bool, error) {
	retried, err := t.retry(ctx, []uuid.UUID{*message.TaskID}, task.Failed, task.Cancelled)
	if err != nil || len(retried) == 0 {
		return false, err
	}
	return true, t.InsertMessage(ctx, message, 0)
}

func (t Tx) retry(ctx context.Context, tasks []uuid.UUID, from ...task.Status) ([]uuid.UUID, error) {
	type earlier struct {
		ID           uuid.UUID
		TraceContext string
	}
	found, err := database.All[earlier](ctx, t.tx, `select id, coalesce(trace_context, '') as trace_context from sheetdrop.task
where id = any($1) and status = any($2) order by id for no key update`, tasks, from)
	if err != nil {
		return nil, fmt.Errorf("lock tasks: %w", err)
	}
	locked := make([]uuid.UUID, len(found))
	for i, e := range found {
		locked[i] = e.ID
		tracing.LinkTo(ctx, e.TraceContext) // from here on it belongs to the trace of who has asked for it again
	}
	if _, err := t.dropSheets(ctx, locked, unlimited); err != nil {
		return nil, err
	}
	if _, err := t.tx.Exec(ctx, keepEndsSQL+`update sheetdrop.task t
set status = 'PENDING', crashes = 0, shared_deaths = 0, faults = 0, enqueues = 0, enqueued_at = now(), cancel_requested_at = null,
    progress = null, error_code = null, error_detail = null, error_detail_ja = null, finished_at = null, rows_deleted_at = null,
    mapping = null, turn = case when ordered then nextval('sheetdrop.turn') end, -- it counts as sent now
    trace_context = coalesce(nullif($2, ''), t.trace_context),
    owner = coalesce(t.owner, f.owner) -- a task from before there was one has none
from sheetdrop.source_file f where t.id = any($1) and f.id = t.source_file_id`, locked, tracing.Parent(ctx)); err != nil {
		return nil, fmt.Errorf("retry tasks: %w", err)
	}
	return locked, nil
}

// keepEndsSQL stands before the statement that retries the tasks $1, and notes in their histories how they had ended.
const keepEndsSQL = `with kept as (
  insert into sheetdrop.task_history (task_id, attempt, began_at, ended_at, outcome, reason, retried_at)
  select id, attempt, claimed_at, finished_at, status, error_code, now() from sheetdrop.task
  where id = any($1) and status in ('FAILED', 'CANCELLED')
), trimmed as (` + trimHistorySQL + `= any($1))
`

// FailedFilter chooses FAILED tasks of files that are not deleted; its zero value chooses all.
type FailedFilter struct {
	IDs            []uuid.UUID
	Owner          string
	ErrorCode      string
	FinishedAfter  *time.Time
	FinishedBefore *time.Time
}

// failed is what the filter asks of a task by itself, with its arguments from $1 to $4.
func (FailedFilter) failed(task string) string {
	return strings.ReplaceAll(`t.status = 'FAILED' and ($1::uuid[] is null or t.id = any($1)) and ($2 = '' or t.error_code = $2)
  and ($3::timestamptz is null or t.finished_at >= $3) and ($4::timestamptz is null or t.finished_at < $4)`, "t.", task+".")
}

// RetryFailed retries up to limit tasks, lowest ids first, and returns their messages. Of a file's tasks it takes the
// last one, and none where one has not ended. It locks their files first.
func (t Tx) RetryFailed(ctx context.Context, f FailedFilter, limit int) ([]OutboxMessage, error) {
	rows, err := t.tx.Query(ctx, `select t.id, t.source_file_id from sheetdrop.task t join sheetdrop.source_file f on f.id = t.source_file_id
where `+f.failed("t")+` and f.deleted_at is null and ($5 = '' or f.owner = $5)
  and not exists (select from sheetdrop.task o where o.source_file_id = t.source_file_id
    and (o.status in ('PENDING', 'PROCESSING') or o.id > t.id and `+f.failed("o")+`))
order by t.id limit $6`, f.IDs, f.ErrorCode, f.FinishedAfter, f.FinishedBefore, f.Owner, limit)
	if err != nil {
		return nil, fmt.Errorf("find failed tasks: %w", err)
	}
	fileOf := map[uuid.UUID]uuid.UUID{}
	var taskID, fileID uuid.UUID
	if _, err := pgx.ForEachRow(rows, []any{&taskID, &fileID}, func() error { fileOf[taskID] = fileID; return nil }); err != nil {
		return nil, fmt.Errorf("find failed tasks: %w", err)
	}
	free, err := t.lockFree(ctx, fileOf)
	if err != nil {
		return nil, err
	}
	retried, err := t.retry(ctx, free, task.Failed)
	if err != nil {
		return nil, err
	}
	messages := NewParseMessages(retried)
	return messages, t.InsertMessages(ctx, messages)
}

// lockFree locks the tasks' files, in the order of their ids, and returns the tasks whose file has meanwhile neither
// been deleted nor got a task that has not ended.
func (t Tx) lockFree(ctx context.Context, fileOf map[uuid.UUID]uuid.UUID) ([]uuid.UUID, error) {
	files := slices.Collect(maps.Values(fileOf))
	locked, err := database.Column[uuid.UUID](ctx, t.tx, `select id from sheetdrop.source_file where id = any($1) and deleted_at is null order by id for no key update`, files)
	if err != nil {
		return nil, fmt.Errorf("lock files: %w", err)
	}
	// A statement of its own: what it sees is what there is behind the locks.
	running, err := database.Column[uuid.UUID](ctx, t.tx, `select source_file_id from sheetdrop.task where source_file_id = any($1) and status in ('PENDING', 'PROCESSING')`, locked)
	if err != nil {
		return nil, fmt.Errorf("look for tasks that have not ended: %w", err)
	}
	free := make(map[uuid.UUID]bool, len(locked))
	for _, file := range locked {
		free[file] = true
	}
	for _, file := range running {
		delete(free, file)
	}
	var tasks []uuid.UUID
	for id, file := range fileOf {
		if free[file] {
			tasks = append(tasks, id)
		}
	}
	return tasks, nil
}

// DeleteTaskRows takes away what a task that has ended found; PurgeRows deletes it later. It returns the task's state; nothing was done
// unless that is a terminal one. The task's file must be locked.
func (t Tx) DeleteTaskRows(ctx context.Context, id uuid.UUID) (status task.Status, err error) {
	err = t.tx.QueryRow(ctx, `select status from sheetdrop.task where id = $1 for no key update`, id).Scan(&status)
	if err != nil {
		return "", fmt.Errorf("lock task: %w", err)
	}
	if !status.Terminal() {
		return status, nil
	}
	if _, err := t.tx.Exec(ctx, `update sheetdrop.task set rows_deleted_at = coalesce(rows_deleted_at, now()) where id = $1`, id); err != nil {
		return "", fmt.Errorf("mark the task's rows as deleted: %w", err)
	}
	_, err = t.dropSheets(ctx, []uuid.UUID{id}, unlimited)
	return status, err
}
