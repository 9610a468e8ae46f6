//go:build unix

package e2e_test

import (
	"net/http"
	"syscall"
	"testing"

	"sheetdrop/internal/chaos/faultproxy"
	"sheetdrop/internal/devstack/devtest"
	"sheetdrop/internal/e2e"
	"sheetdrop/internal/postgres/pgtest"
)

// A handler that is frozen past its lease and thawed changes nothing: another instance has done its work. P3.
func TestFrozenWorker(t *testing.T) {
	t.Parallel()
	direct := devtest.Storage(t)
	throttled, blobs, _ := faultproxy.Storage(t, direct)
	app := e2e.Start(t, e2e.Options{Storage: &direct, Settings: map[string]string{"TASK_LEASE": "3s"}})
	const rows = 30_000
	upload := app.AddFile(t, csv(rows, 1000))
	blobs.Throttle(t)
	frozen := app.StartHandler(t, map[string]string{"TASK_LEASE": "3s", "DATA_STORAGE": throttled.ConnectionString})
	ended := frozen.Deliver(t, upload)
	app.Database.Await(t, `select status = 'PROCESSING' and (progress->>'rows_loaded')::int > 0 from sheetdrop.task`)
	frozen.Signal(t, syscall.SIGSTOP)
	app.Database.Await(t, `select status = 'COMPLETED' from sheetdrop.task`)
	before := pgtest.Query[string](t, app.Database, `select t::text from sheetdrop.task t`)
	frozen.Signal(t, syscall.SIGCONT)
	if status := <-ended; status != http.StatusOK {
		t.Errorf("the thawed worker answered %d, want 200: the message is done with", status)
	}
	if after := pgtest.Query[string](t, app.Database, `select t::text from sheetdrop.task t`); after != before {
		t.Errorf("the thawed worker changed the task:\n%s\n%s", before, after)
	}
	wantExactRows(t, app, 1, rows)
}
