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
