package parse_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/google/uuid"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/pgtest"
)

// deleteFile is what a delete does: it locks the file, then its tasks, then writes the message. It reports how many tries that took.
func (f *fixture) deleteFile(t *testing.T, u postgres.Upload) (tries int) {
	t.Helper()
	err := f.InTx(t.Context(), nil, func(ctx context.Context, tx postgres.Tx) error {
		tries++
		file, err := tx.LockFile(ctx, u.File.Owner, u.File.ID)
		if err != nil {
			return err
		}
		return tx.DeleteFile(ctx, file, uuid.New())
	})
	if err != nil {
		t.Error(err)
	}
	return tries
}

// cancelTask is what a cancel does: it locks the file, then the task.
func (f *fixture) cancelTask(t *testing.T, u postgres.Upload) (tries int) {
	t.Helper()
	err := f.InTx(t.Context(), nil, func(ctx context.Context, tx postgres.Tx) error {
		tries++
		if _, err := tx.LockFile(ctx, u.File.Owner, u.File.ID); err != nil {
			return err
		}
		_, err := tx.CancelTask(ctx, u.TaskID)
		return err
	})
	if err != nil {
		t.Error(err)
	}
	return tries
}

// Files are deleted and tasks cancelled while the same files are parsed. All take their locks in one order (file, task,
// message), so that there is no deadlock, and every task ends in exactly one of two ways: with all of its rows, or
// without any.
func TestDeletesAndCancelsDuringParses(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	w := f.workerWith(t, usual, pgtest.Open(t, f.URL), f.Blobs)
	const files, rows = 40, 10
	content, _ := rowsOf(rows)
	var all sync.WaitGroup
	for i := range files {
		u := f.upload(t, content)
		all.Go(func() { handle(t, w, u) })
		all.Go(func() {
			change := f.deleteFile
			if i%2 == 0 {
				change = f.cancelTask
			}
			if tries := change(t, u); tries != 1 {
				t.Errorf("it took %d tries", tries)
			}
		})
	}
	all.Wait()
	ended := pgtest.Query[string](t, f.Database, `select concat_ws(' ', count(*) filter (where status in ('COMPLETED', 'CANCELLED')), max(attempt), sum(crashes), sum(faults)) from sheetdrop.task`)
	if want := fmt.Sprintf("%d 1 0 0", files); ended != want {
		t.Errorf("tasks, attempts, crashes, faults: %s, want %s", ended, want)
	}
	wrong := pgtest.Query[int](t, f.Database, `select count(*) from (
  select t.status, count(r) as rows from sheetdrop.task t
  left join sheetdrop.sheet s on s.task_id = t.id left join sheetdrop.sheet_row r on r.sheet_id = s.id group by t.id
) t where rows <> case status when 'COMPLETED' then $1 else 0 end`, rows)
	loose := pgtest.Query[int](t, f.Database, `select count(*) from sheetdrop.sheet_row where sheet_id not in (select id from sheetdrop.sheet)`)
	if wrong != 0 || loose != 0 {
		t.Errorf("%d tasks have rows that they should not have, or lack some; %d rows belong to no sheet", wrong, loose)
	}
	deleted := pgtest.Query[string](t, f.Database, `select concat_ws(' ', (select count(*) from sheetdrop.source_file where deleted_at is not null),
(select count(*) from sheetdrop.outbox_message where event_type = 'BLOB_DELETE'))`)
	if want := fmt.Sprintf("%d %d", files/2, files/2); deleted != want {
		t.Errorf("deleted files and messages: %s, want %s", deleted, want)
	}
}
