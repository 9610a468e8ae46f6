package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sheetdrop/internal/postgres/database"
	"sheetdrop/internal/task"
)

const sheetsPerPurge = 500 // removed, or emptied, in one transaction

// PurgeRowNumbers is how many row numbers PurgeRows goes through at most.
const PurgeRowNumbers = 10_000

// PurgeRows deletes the next rows and rejects, those of PurgeRowNumbers, of the oldest sheets that are to be purged and that nobody
// else purges at this moment. false means that there are none.
func (t Tx) PurgeRows(ctx context.Context) (bool, error) {
	sheets, after, until, err := t.nextToPurge(ctx)
	if err != nil || len(sheets) == 0 {
		return false, err
	}
	const pieces = ` using unnest($1::bigint[], $2::bigint[], $3::bigint[]) as p (sheet_id, after, until)
where x.sheet_id = p.sheet_id and x.row_no > p.after and x.row_no <= p.until`
	batch := new(pgx.Batch)
	batch.Queue(`delete from sheetdrop.sheet_row x`+pieces, sheets, after, until)
	batch.Queue(`delete from sheetdrop.row_reject x`+pieces, sheets, after, until)
	batch.Queue(`delete from sheetdrop.corrected_reject x using unnest($1::bigint[], $2::bigint[], $3::bigint[]) as p (sheet_id, after, until)
where x.target_sheet_id = p.sheet_id and x.target_row_no > p.after and x.target_row_no <= p.until and x.loaded_row_no is not null`, sheets, after, until)
	batch.Queue(`delete from sheetdrop.sheet_purge x using unnest($1::bigint[], $2::bigint[]) as p (sheet_id, until)
where x.sheet_id = p.sheet_id and x.last_row = p.until`, sheets, until)
	batch.Queue(`update sheetdrop.sheet_purge x set position = p.until from unnest($1::bigint[], $2::bigint[]) as p (sheet_id, until)
where x.sheet_id = p.sheet_id`, sheets, until)
	if err := t.tx.SendBatch(ctx, batch).Close(); err != nil {
		return false, fmt.Errorf("purge rows: %w", err)
	}
	return true, nil
}

// nextToPurge locks the oldest sheets and returns the row numbers, behind after and up to until, that are to go of each: all that are
// left, but of the last sheet perhaps. It locks no more sheets than it needs, by the size of the first one, so that several can purge
// at once.
func (t Tx) nextToPurge(ctx context.Context) (sheets, after, until []int64, err error) {
	sheets = []int64{} // and not NULL, which no sheet differs from
	left := int64(PurgeRowNumbers)
	lock := func(limit int64) error {
		rows, err := t.tx.Query(ctx, `select sheet_id, position, last_row from sheetdrop.sheet_purge where sheet_id <> all($1::bigint[])
order by sheet_id limit $2 for update skip locked`, sheets, limit)
		if err != nil {
			return err
		}
		var sheet, position, last int64
		_, err = pgx.ForEachRow(rows, []any{&sheet, &position, &last}, func() error {
			if left > 0 {
				end := min(last, position+left)
				sheets, after, until = append(sheets, sheet), append(after, position), append(until, end)
				left -= end - position
			}
			return nil
		})
		return err
	}
	err = lock(1)
	if err == nil && len(sheets) == 1 && left > 0 {
		err = lock(min(sheetsPerPurge, 1+left/max(1, PurgeRowNumbers-left)))
	}
	if err != nil {
		return nil, nil, nil, fmt.Errorf("find rows to purge: %w", err)
	}
	return sheets, after, until, nil
}

const (
	filesPerPurge = 20   // read in one transaction
	tasksPerPurge = 1000 // removed in one transaction
)

// PurgeDeletedFiles takes the sheets of some deleted files away, and marks the files as purged once they have none left. false means that
// nothing was left to do. A run that is still under way writes none: its task is CANCELLED.
func (t Tx) PurgeDeletedFiles(ctx context.Context) (bool, error) {
	files, err := t.lockFiles(ctx, `select id from sheetdrop.source_file where deleted_at is not null and purged_at is null
order by deleted_at limit $1 for no key update skip locked`, filesPerPurge)
	if err != nil || len(files) == 0 {
		return false, err
	}
	tasks, err := database.Column[uuid.UUID](ctx, t.tx, `select id from sheetdrop.task where source_file_id = any($1)`, files)
	if err != nil {
		return false, err
	}
	dropped, err := t.dropSheets(ctx, tasks, sheetsPerPurge)
	if err != nil || dropped == sheetsPerPurge {
		return true, err
	}
	if _, err := t.tx.Exec(ctx, `update sheetdrop.source_file set purged_at = now() where id = any($1)`, files); err != nil {
		return false, fmt.Errorf("mark files as purged: %w", err)
	}
	return true, nil
}

// RemoveDeletedFiles removes the tasks, and with the last one the row, of some purged files that were deleted longer than age ago: an
// idempotency key finds its file by the tasks. A file of which a load is being undone stays until the task has ended. false means that
// nothing was left to do.
func (t Tx) RemoveDeletedFiles(ctx context.Context, age time.Duration) (bool, error) {
	files, err := t.lockFiles(ctx, `select id from sheetdrop.source_file f where purged_at is not null and deleted_at < now() - $2::interval
  and not exists (select from sheetdrop.task where source_file_id = f.id and kind = 'UNDO' and status in ('PENDING', 'PROCESSING'))
order by deleted_at limit $1 for update skip locked`, filesPerPurge, age)
	if err != nil || len(files) == 0 {
		return false, err
	}
	_, err = t.tx.Exec(ctx, `delete from sheetdrop.task
where id in (select id from sheetdrop.task where source_file_id = any($1) order by id limit $2 for update)`, files, tasksPerPurge)
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
	ids, err := database.Column[uuid.UUID](ctx, t.tx, sql, args...)
	if err != nil {
		return nil, fmt.Errorf("find deleted files: %w", err)
	}
	return ids, nil
}
