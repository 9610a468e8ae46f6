package volume

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"sheetdrop/internal/devstack/devtest"
	"sheetdrop/internal/postgres/pgtest"
	"sheetdrop/verify/e2e"
)

// Who uploads and deletes in a loop does not fill the database: what was deleted goes as fast as new rows come.
func TestPurgeKeepsUpWithDeleting(t *testing.T) {
	t.Parallel()
	if *full {
		uploadAndDelete(t)
		return
	}
	app := e2e.Start(t, e2e.Options{})
	for range 3 {
		loadAndDelete(t, app, manyRows(15_000))
	}
	app.Database.Await(t, `select not exists (select from sheetdrop.sheet_row) and not exists (select from sheetdrop.sheet_purge)`)
}

// loadAndDelete uploads a file and deletes it once its rows are there.
func loadAndDelete(t *testing.T, app *e2e.App, content []byte) {
	task := app.Upload(t, "list.csv", content)
	if done := app.Await(t, task.ID); done.Status != "COMPLETED" {
		t.Errorf("task: %+v", done)
	}
	if answer := app.Do(t, http.MethodDelete, "/api/files/"+task.FileID.String(), nil, nil); answer.StatusCode != http.StatusNoContent {
		t.Errorf("delete: %s %s", answer.Status, answer.Text)
	}
}

func manyRows(n int) []byte {
	return bytes.Join([][]byte{[]byte("a,b,c,d,e"), []byte(strings.Repeat("1,two,3.00,2026-01-04,five\n", n))}, []byte("\n"))
}

// uploadAndDelete has four callers do it as fast as they can, with the timer that a deployed app has, and looks after each file at how many rows
// wait to be deleted, and how large their table is.
func uploadAndDelete(t *testing.T) {
	const callers, rows = 4, 100_000
	servers := devtest.Private(t)
	storage := devtest.StorageOn(t, servers)
	app := e2e.Start(t, e2e.Options{
		Database: pgtest.NewOn(t, servers), Storage: &storage,
		Settings: map[string]string{"RELAY_SCHEDULE": "*/30 * * * * *", "RELAY_PERIOD": period.String()},
	})
	files, content := messages(0, 400), manyRows(rows)
	var (
		mu             sync.Mutex
		left, size     [2]int64 // the most in either half
		done           int
		working        sync.WaitGroup
		began          = time.Now()
		backlog, table = `select coalesce(sum(last_row - position), 0)::bigint from sheetdrop.sheet_purge`, `select pg_total_relation_size('sheetdrop.sheet_row')`
	)
	for range callers {
		working.Go(func() {
			for range files / callers {
				loadAndDelete(t, app, content)
				mu.Lock()
				half := min(2*done/files, 1)
				done++
				left[half] = max(left[half], pgtest.Query[int64](t, app.Database, backlog))
				size[half] = max(size[half], pgtest.Query[int64](t, app.Database, table))
				mu.Unlock()
			}
		})
	}
	working.Wait()
	took := time.Since(began)
	t.Logf("%d rows loaded and deleted in %s, %.0f a second", files*rows, took.Round(time.Second), float64(files*rows)/took.Seconds())
	t.Logf("most rows that wait to be deleted: %d in the first half, %d in the second; most bytes of the table: %d, %d", left[0], left[1], size[0], size[1])
	began, waiting := time.Now(), pgtest.Query[int64](t, app.Database, backlog)
	app.Database.Await(t, fmt.Sprintf(`select (%s) = 0`, backlog))
	t.Logf("the last %d rows were deleted within %s", waiting, time.Since(began).Round(time.Second))
	if ratio := float64(left[1]) / float64(left[0]); ratio > 1.5 {
		t.Errorf("what waits to be deleted has grown %.2f × from one half to the other", ratio)
	}
}

// A run deletes as many files that are past their time as its budget allows, and not a number of them that more could be uploaded than.
func TestOldFilesGoInTime(t *testing.T) {
	t.Parallel()
	o := newOutbox(t)
	n := messages(300, 20_000)
	o.Exec(t, `with file as (
  insert into sheetdrop.source_file (id, owner, name, media_type, size_bytes, sha256, blob_name, part_no, created_at)
  select gen_random_uuid(), 'local', 'n', 'text/csv', 1, sha256(''), n::text, 1, now() - interval '2 days' from generate_series(1, $1) n returning id
)
insert into sheetdrop.task (id, source_file_id, options, status, finished_at) select gen_random_uuid(), id, '{}', 'CANCELLED', now() from file`, n)
	budget := "1h"
	if *full {
		budget = period.String()
	}
	o.relay(t, budget, "FILE_RETENTION_DAYS", "1").Tick(t)
	deleted := pgtest.Query[int](t, o.Database, `select count(*) from sheetdrop.source_file where deleted_at is not null`)
	t.Logf("%d of %d old files are deleted by one run", deleted, n)
	if deleted != n && !*full {
		t.Errorf("%d of %d old files are deleted", deleted, n)
	}
}
