package postgres

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sheetdrop/internal/postgres/database"
	"sheetdrop/internal/task"
	"sheetdrop/internal/tracing"
)

// ErrNotFound says that there is no such thing for this owner: unknown, deleted, or somebody else's.
var ErrNotFound = errors.New("not found")

// fileColumnsSQL are those of a task.SourceFile, of a table aliased f.
const fileColumnsSQL = `f.id as file_id, f.owner, f.name, f.media_type, f.size_bytes, f.sha256, f.blob_name,
  coalesce(f.idempotency_key, '') as idempotency_key, f.part_no, f.created_at as file_created_at, f.deleted_at,
  coalesce(f.etag, '') as etag`

// FileAndTask is a file with one of its tasks.
type FileAndTask struct {
	File   task.SourceFile
	Task   task.Task
	SameAs *task.SameFile // the newest earlier file with the same bytes; nil if there is none, or if nobody has read the bytes yet
}

// fileAndTaskRow is a FileAndTask as a query returns it.
type fileAndTaskRow struct {
	task.SourceFile
	task.Task
	SameAs *task.SameFile
}

func scanFileAndTask(row pgx.CollectableRow) (FileAndTask, error) {
	r, err := pgx.RowToStructByName[fileAndTaskRow](row)
	return FileAndTask{r.SourceFile, r.Task, r.SameAs}, err
}

func selectFilesAndTasks(ctx context.Context, q database.Querier, sql string, args ...any) ([]FileAndTask, error) {
	rows, err := q.Query(ctx, sql, args...)
	if err != nil {
		return nil, fmt.Errorf("read files and tasks: %w", err)
	}
	return pgx.CollectRows(rows, scanFileAndTask)
}

// Files lists files with the newest task of each, newest first, and whether there are more: up to limit
// of those before the id before (uuid.Max for the first page), fewer where their tasks are big.
func (db *DB) Files(ctx context.Context, f FileFilter, before uuid.UUID, limit int) (files []FileAndTask, more bool, err error) {
	args, content := []any{f.Owner, before, limit + 1}, ""
	if f.SHA256 != (task.Hash{}) {
		args, content = append(args, f.SHA256.OrNil()), "and sha256 = $4"
	}
	return ReadPage(ctx, db, limit, scanFileAndTask, `select `+fileColumnsSQL+`, `+taskColumnsSQL+`, same_as
from (select * from sheetdrop.source_file where owner = $1 and id < $2 and deleted_at is null `+content+` order by id desc limit $3) f
join lateral (select * from sheetdrop.task where source_file_id = f.id and kind = 'LOAD' order by created_at desc, id desc limit 1) t on true`+earlierSQL+`
order by f.id desc`, args...)
}

// FileFilter chooses files that are not deleted.
type FileFilter struct {
	Owner  string
	SHA256 task.Hash // zero takes all
}

// File returns one file that is not deleted with its newest task, or ErrNotFound.
func (db *DB) File(ctx context.Context, owner string, id uuid.UUID) (FileAndTask, error) {
	found, err := selectFilesAndTasks(ctx, db.pool, `select `+fileColumnsSQL+`, `+taskColumnsSQL+`, same_as
from sheetdrop.source_file f
join lateral (select * from sheetdrop.task where source_file_id = f.id and kind = 'LOAD' order by created_at desc, id desc limit 1) t on true`+earlierSQL+`
where f.id = $2 and f.owner = $1 and f.deleted_at is null`, owner, id)
	if err == nil && len(found) == 0 {
		err = ErrNotFound
	}
	if err != nil {
		return FileAndTask{}, err
	}
	return found[0], nil
}

// LockFile locks a file that is not deleted until the transaction ends, before any of its tasks or messages, and
// returns it; or ErrNotFound.
func (t Tx) LockFile(ctx context.Context, owner string, id uuid.UUID) (task.SourceFile, error) {
	return t.lockFile(ctx, `f.id = $2 and f.owner = $1 and f.deleted_at is null for no key update`, owner, id)
}

func (t Tx) lockFile(ctx context.Context, which string, args ...any) (task.SourceFile, error) {
	file, err := database.One[task.SourceFile](ctx, t.tx, `select `+fileColumnsSQL+` from sheetdrop.source_file f where `+which, args...)
	if err != nil {
		return task.SourceFile{}, fmt.Errorf("lock file: %w", err)
	}
	if file == nil {
		return task.SourceFile{}, ErrNotFound
	}
	return *file, nil
}

// DeleteFile marks a locked file as deleted, cancels its tasks at once, running ones too (their workers' fences do the rest), and leaves
// the message that will delete its bytes. Undos of its loads go on. The tasks are locked in the order of their ids, as by every statement
// that changes several.
func (t Tx) DeleteFile(ctx context.Context, file task.SourceFile, messageID uuid.UUID) error {
	if err := t.CancelParses(ctx, file.ID); err != nil {
		return err
	}
	if _, err := t.tx.Exec(ctx, `update sheetdrop.source_file set deleted_at = now() where id = $1`, file.ID); err != nil {
		return fmt.Errorf("mark the file as deleted: %w", err)
	}
	payload, err := json.Marshal(task.BlobDeletePayload{BlobName: file.BlobName})
	if err != nil {
		return fmt.Errorf("message that deletes the bytes: %w", err)
	}
	message := OutboxMessage{ID: messageID, EventType: task.BlobDelete, Payload: payload, TraceContext: tracing.Parent(ctx)}
	return t.InsertMessage(ctx, message, 0)
}
