package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sheetdrop/internal/task"
)

// RetryTask makes a FAILED or CANCELLED task PENDING again, as if it had never run but for its attempt, which never falls. What it had found is
// taken away. false means that it is in another state. The task's file must be locked; the message is for it.
func (t Tx) RetryTask(ctx context.Context, message OutboxMessage) (bool, error) {
	retried, err := t.retry(ctx, []uuid.UUID{*message.TaskID}, task.Failed, task.Cancelled)
	if err != nil || len(retried) == 0 {
		return false, err
	}
	return true, t.InsertMessage(ctx, message, 0)
}

func (t Tx) retry(ctx context.Context, tasks []uuid.UUID, from ...task.Status) ([]uuid.UUID, error) {
	locked, err := t.ids(ctx, `select id from sheetdrop.task where id = any($1) and status = any($2) order by id for no key update`, tasks, from)
	if err != nil {
		return nil, fmt.Errorf("lock tasks: %w", err)
	}
	if _, err := t.dropSheets(ctx, locked, allSheets); err != nil {
		return nil, err
	}
	if _, err := t.tx.Exec(ctx, `update sheetdrop.task t
set status = 'PENDING', crashes = 0, faults = 0, enqueues = 0, enqueued_at = now(), cancel_requested_at = null, progress = null,
    error_code = null, error_detail = null, error_detail_ja = null, finished_at = null, rows_deleted_at = null,
    owner = f.owner -- of a task from before there was one
from sheetdrop.source_file f where t.id = any($1) and f.id = t.source_file_id`, locked); err != nil {
		return nil, fmt.Errorf("retry tasks: %w", err)
	}
	return locked, nil
}

// FailedFilter chooses FAILED tasks of files that are not deleted; its zero value chooses all.
type FailedFilter struct {
	IDs            []uuid.UUID
	Owner          string
	ErrorCode      string
	FinishedAfter  *time.Time
	FinishedBefore *time.Time
}

// RetryFailed retries up to limit tasks, lowest ids first, and gives their messages. It locks their files first.
func (t Tx) RetryFailed(ctx context.Context, f FailedFilter, limit int) ([]OutboxMessage, error) {
	rows, err := t.tx.Query(ctx, `select t.id, t.source_file_id from sheetdrop.task t join sheetdrop.source_file f on f.id = t.source_file_id
where t.status = 'FAILED' and f.deleted_at is null and ($1::uuid[] is null or t.id = any($1)) and ($2 = '' or f.owner = $2)
  and ($3 = '' or t.error_code = $3) and ($4::timestamptz is null or t.finished_at >= $4) and ($5::timestamptz is null or t.finished_at < $5)
order by t.id limit $6`, f.IDs, f.Owner, f.ErrorCode, f.FinishedAfter, f.FinishedBefore, limit)
	if err != nil {
		return nil, fmt.Errorf("find failed tasks: %w", err)
	}
	fileOf := map[uuid.UUID]uuid.UUID{}
	var taskID, fileID uuid.UUID
	if _, err := pgx.ForEachRow(rows, []any{&taskID, &fileID}, func() error { fileOf[taskID] = fileID; return nil }); err != nil {
		return nil, fmt.Errorf("find failed tasks: %w", err)
	}
	alive, err := t.lockAlive(ctx, fileOf)
	if err != nil {
		return nil, err
	}
	retried, err := t.retry(ctx, alive, task.Failed)
	if err != nil {
		return nil, err
	}
	messages := NewParseMessages(retried)
	return messages, t.InsertMessages(ctx, messages)
}

// lockAlive locks the tasks' files, in the order of their ids, and gives the tasks whose file has not been deleted meanwhile.
func (t Tx) lockAlive(ctx context.Context, fileOf map[uuid.UUID]uuid.UUID) ([]uuid.UUID, error) {
	files := make([]uuid.UUID, 0, len(fileOf))
	for _, file := range fileOf {
		files = append(files, file)
	}
	locked, err := t.ids(ctx, `select id from sheetdrop.source_file where id = any($1) and deleted_at is null order by id for no key update`, files)
	if err != nil {
		return nil, fmt.Errorf("lock files: %w", err)
	}
	alive := make(map[uuid.UUID]bool, len(locked))
	for _, file := range locked {
		alive[file] = true
	}
	var tasks []uuid.UUID
	for id, file := range fileOf {
		if alive[file] {
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
	_, err = t.dropSheets(ctx, []uuid.UUID{id}, allSheets)
	return status, err
}
