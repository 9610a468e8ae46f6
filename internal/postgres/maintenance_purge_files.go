package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"sheetdrop/internal/task"
)

const (
	purgeFiles = 20   // read in one transaction
	purgeTasks = 1000 // removed in one transaction
)

// PurgeDeletedFiles takes the sheets of some deleted files away, and marks the files as purged once they have none left. false means that
// nothing was left to do. A run that is still under way writes none: its task is CANCELLED.
func (t Tx) PurgeDeletedFiles(ctx context.Context) (bool, error) {
	files, err := t.lockFiles(ctx, `select id from sheetdrop.source_file where deleted_at is not null and purged_at is null
order by deleted_at limit $1 for no key update skip locked`, purgeFiles)
	if err != nil || len(files) == 0 {
		return false, err
	}
	tasks, err := selectColumn[uuid.UUID](ctx, t.tx, `select id from sheetdrop.task where source_file_id = any($1)`, files)
	if err != nil {
		return false, err
	}
	dropped, err := t.dropSheets(ctx, tasks, purgeSheets)
	if err != nil || dropped == purgeSheets {
		return true, err
	}
	if _, err := t.tx.Exec(ctx, `update sheetdrop.source_file set purged_at = now() where id = any($1)`, files); err != nil {
		return false, fmt.Errorf("mark files as purged: %w", err)
	}
	return true, nil
}

// RemoveDeletedFiles removes the tasks, and with the last one the row, of some purged files that were deleted longer than age ago: an
// idempotency key finds its file by the tasks. false means that nothing was left to do.
func (t Tx) RemoveDeletedFiles(ctx context.Context, age time.Duration) (bool, error) {
	files, err := t.lockFiles(ctx, `select id from sheetdrop.source_file where purged_at is not null and deleted_at < now() - $2::interval
order by deleted_at limit $1 for update skip locked`, purgeFiles, age)
	if err != nil || len(files) == 0 {
		return false, err
	}
	_, err = t.tx.Exec(ctx, `delete from sheetdrop.task
where id in (select id from sheetdrop.task where source_file_id = any($1) order by id limit $2 for update)`, files, purgeTasks)
	if err != nil {
		return false, fmt.Errorf("remove tasks of deleted files: %w", err)
	}
	if _, err := t.tx.Exec(ctx, `delete from sheetdrop.source_file f
where id = any($1) and not exists (select from sheetdrop.task where source_file_id = f.id)`, files); err != nil {
		return false, fmt.Errorf("remove deleted files: %w", err)
	}
	return true, nil
}

// LockOldFile locks a file that is older than age and not deleted, for DeleteFile; or ErrNotFound where there is none that is free.
func (t Tx) LockOldFile(ctx context.Context, age time.Duration) (task.SourceFile, error) {
	return t.lockFile(ctx, `f.deleted_at is null and f.created_at < now() - $1::interval order by f.created_at limit 1 for no key update skip locked`, age)
}

func (t Tx) lockFiles(ctx context.Context, sql string, args ...any) ([]uuid.UUID, error) {
	ids, err := selectColumn[uuid.UUID](ctx, t.tx, sql, args...)
	if err != nil {
		return nil, fmt.Errorf("find deleted files: %w", err)
	}
	return ids, nil
}
