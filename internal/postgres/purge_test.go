package postgres_test

import (
	"context"
	"testing"
	"time"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/pgtest"
)

// Who repeats the upload of a deleted file is told so for as long as the file's row is there, for its tasks go with it at the latest.
func TestDeletedFilesKeepATask(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	u := db.AddUpload(t)
	db.Exec(t, `insert into sheetdrop.task (id, source_file_id, options, status, finished_at)
select gen_random_uuid(), $1, '{}', 'CANCELLED', now() from generate_series(1, 1999)`, u.File.ID)
	db.Exec(t, `delete from sheetdrop.outbox_message`)
	db.Exec(t, `update sheetdrop.source_file set deleted_at = now() - interval '8 days', purged_at = now()`)
	for more := true; more; {
		never := func(context.Context) (bool, error) { return false, nil }
		err := db.InTx(t.Context(), never, func(ctx context.Context, tx postgres.Tx) (err error) {
			more, err = tx.RemoveDeletedFiles(ctx, 7*24*time.Hour)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		if files, tasks := pgtest.Query[int](t, db, `select count(*) from sheetdrop.source_file`), pgtest.Query[int](t, db, `select count(*) from sheetdrop.task`); files == 1 && tasks == 0 {
			t.Error("the file is there without a task")
		} else if !more && files+tasks > 0 {
			t.Errorf("%d files and %d tasks are left", files, tasks)
		}
	}
}

// What is known of corrected rejects goes with the sheet that was corrected, and stays when the file of corrections goes: its rows stay, too.
func TestCorrectedRejectsGoWithTheirSheet(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	const corrections, corrected = 11, 12
	db.Exec(t, `insert into sheetdrop.corrected_reject (sheet_id, row_no, error_no, task_id, target_sheet_id, target_row_no, target_error_no, loaded_row_no)
select $1, i, 0, gen_random_uuid(), $2, i * 3, 1, i * 3 from generate_series(1, 10) i`, corrections, corrected)
	db.Exec(t, `insert into sheetdrop.sheet_row (sheet_id, row_no, cells) select s, i, '{a}' from generate_series(1, 30) i, unnest(array[$1::bigint, $2]) s`, corrections, corrected)
	purge := func(sheet int) {
		t.Helper()
		db.Exec(t, `insert into sheetdrop.sheet_purge (sheet_id, last_row) values ($1, 30)`, sheet)
		never := func(context.Context) (bool, error) { return false, nil }
		err := db.InTx(t.Context(), never, func(ctx context.Context, tx postgres.Tx) error {
			_, err := tx.PurgeRows(ctx)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	left := func() [2]int {
		return [2]int{pgtest.Query[int](t, db, `select count(*) from sheetdrop.sheet_row where sheet_id = $1`, corrected),
			pgtest.Query[int](t, db, `select count(*) from sheetdrop.corrected_reject`)}
	}
	if purge(corrections); left() != [2]int{30, 10} {
		t.Errorf("without the file of corrections %d rows and %d corrected rejects are left", left()[0], left()[1])
	}
	if purge(corrected); left() != [2]int{} {
		t.Errorf("without the corrected sheet %d rows and %d corrected rejects are left", left()[0], left()[1])
	}
}
