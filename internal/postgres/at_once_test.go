package postgres_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/pgtest"
	"sheetdrop/internal/task"
)

// untilDone runs a step of the reconciler again and again, as several reconcilers at once would that all believe in their lease.
func untilDone(t *testing.T, db *pgtest.Database, step func(context.Context, postgres.Tx) (more bool, err error)) {
	t.Helper()
	var reconcilers sync.WaitGroup
	for range 4 {
		reconcilers.Go(func() {
			for more := true; more; {
				err := db.InTx(t.Context(), nil, func(ctx context.Context, tx postgres.Tx) (err error) {
					more, err = step(ctx, tx)
					return err
				})
				if err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	reconcilers.Wait()
}

// P2: reconcilers at once charge each dead worker's task for one crash and give each task one message, no more.
func TestReconcilersAtOnce(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	db.Exec(t, `insert into sheetdrop.source_file (id, owner, name, media_type, size_bytes, sha256, blob_name, part_no)
select gen_random_uuid(), 'local', 'n', 'text/csv', 1, sha256(''), n::text, 1 from generate_series(1, 60) n`)
	db.Exec(t, `insert into sheetdrop.task (id, source_file_id, options, status, attempt, started_at, locked_by, locked_until)
select gen_random_uuid(), id, '{}', 'PROCESSING', 1, now(), gen_random_uuid(), now() - interval '1 h' from sheetdrop.source_file limit 30`)
	db.Exec(t, `insert into sheetdrop.task (id, source_file_id, options, enqueued_at)
select gen_random_uuid(), id, '{}', now() - interval '1 day' from sheetdrop.source_file where id not in (select source_file_id from sheetdrop.task)`)
	untilDone(t, db, func(ctx context.Context, tx postgres.Tx) (bool, error) {
		ids, err := tx.LockExpired(ctx, time.Now(), 3)
		if err != nil || len(ids) == 0 {
			return false, err
		}
		_, err = tx.ReleaseExpired(ctx, postgres.NewParseMessages(ids))
		return true, err
	})
	untilDone(t, db, func(ctx context.Context, tx postgres.Tx) (bool, error) {
		forgotten, err := tx.LockForgotten(ctx, time.Hour, time.Time{}, 3)
		if err != nil || len(forgotten) == 0 {
			return false, err
		}
		ids := make([]uuid.UUID, len(forgotten))
		for i, f := range forgotten {
			ids[i] = f.TaskID
		}
		return true, tx.Enqueue(ctx, postgres.NewParseMessages(ids))
	})
	got := pgtest.Query[string](t, db, `select string_agg(concat_ws(' ', status, shared_deaths, enqueues, messages, n), ', ' order by shared_deaths) from (
  select status, shared_deaths, enqueues, (select count(*) from sheetdrop.outbox_message m where m.task_id = t.id) as messages, count(*) as n
  from sheetdrop.task t group by status, shared_deaths, enqueues, messages) g`)
	if want := "PENDING 0 1 1 30, PENDING 1 0 1 30"; got != want {
		t.Errorf("state, deaths, messages written anew, messages, tasks: %s, want %s", got, want)
	}
}

// Reconcilers at once delete each old file once, and leave no row behind of what was deleted.
func TestPurgesAtOnce(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	db.Exec(t, `insert into sheetdrop.source_file (id, owner, name, media_type, size_bytes, sha256, blob_name, part_no, created_at)
select gen_random_uuid(), 'local', 'n', 'text/csv', 1, sha256(''), n::text, 1, now() - interval '1 year' from generate_series(1, 40) n`)
	db.Exec(t, `insert into sheetdrop.task (id, source_file_id, options) select gen_random_uuid(), id, '{}' from sheetdrop.source_file, generate_series(1, 2)`)
	db.Exec(t, `insert into sheetdrop.sheet (id, task_id, number, name, visible, dialect, columns, rows_read, rows_loaded, rows_rejected, rows_skipped)
select nextval('sheetdrop.sheet_id'), id, 1, '', true, '{}', '[]', 0, 0, 0, 0 from sheetdrop.task`)
	db.Exec(t, `insert into sheetdrop.sheet_row (sheet_id, row_no, cells) select id, n, '{a}' from sheetdrop.sheet, generate_series(1, 20001, 5000) n`)
	steps := []func(context.Context, postgres.Tx) (bool, error){
		func(ctx context.Context, tx postgres.Tx) (bool, error) {
			file, err := tx.LockOldFile(ctx, 24*time.Hour)
			if errors.Is(err, postgres.ErrNotFound) { // or others have all that are left
				return false, nil
			}
			if err != nil {
				return false, err
			}
			return true, tx.DeleteFile(ctx, file, task.NewID())
		},
		func(ctx context.Context, tx postgres.Tx) (bool, error) { return tx.PurgeDeletedFiles(ctx) },
		func(ctx context.Context, tx postgres.Tx) (bool, error) { return tx.PurgeRows(ctx) },
		func(ctx context.Context, tx postgres.Tx) (bool, error) { return tx.RemoveDeletedFiles(ctx, -time.Hour) },
	}
	for _, step := range steps {
		untilDone(t, db, step)
	}
	for _, step := range steps { // what one left to another that ended before it
		untilDone(t, db, step)
	}
	got := pgtest.Query[string](t, db, `select concat_ws(' ', (select count(*) from sheetdrop.source_file), (select count(*) from sheetdrop.task),
(select count(*) from sheetdrop.sheet), (select count(*) from sheetdrop.sheet_purge), (select count(*) from sheetdrop.sheet_row),
(select count(*) from sheetdrop.outbox_message where event_type = 'BLOB_DELETE'))`)
	if want := "0 0 0 0 0 40"; got != want {
		t.Errorf("files, tasks, sheets, sheets to purge, rows, and blobs to delete: %s, want %s", got, want)
	}
}
