package e2e_test

import (
	"net/http"
	"testing"

	"sheetdrop/internal/chaos/faultproxy"
	"sheetdrop/internal/devstack/devtest"
	"sheetdrop/internal/postgres/pgtest"
	"sheetdrop/verify/e2e"
)

// P2: the lease of a task is renewed also when requests have all connections of the process: heartbeats have one of their own. Otherwise
// others would take the task, and a busy process would lose its work by being busy.
func TestBusyProcessKeepsItsLease(t *testing.T) {
	t.Parallel()
	storage := devtest.Storage(t)
	app := e2e.Prepare(t, e2e.Options{Storage: &storage})
	through, blobs, _ := faultproxy.Storage(t, storage)
	upload := app.AddFile(t, csv(10_000, 10))
	busy := app.StartHandler(t, map[string]string{
		"DATA_STORAGE": through.ConnectionString, "DB_MAX_CONNS": "3", "PARSE_CONCURRENCY": "1", "PGAPPNAME": "busy",
	})
	blobs.Throttle()
	busy.Deliver(t, upload)
	app.Database.Await(t, `select status = 'PROCESSING' from sheetdrop.task`)

	locked := app.Begin(t) // requests for files wait, each with a connection
	if _, err := locked.Exec(t.Context(), `lock table sheetdrop.source_file in access exclusive mode`); err != nil {
		t.Fatal(err)
	}
	for range 10 {
		go func() {
			for t.Context().Err() == nil {
				if response, err := http.Get(busy.URL + "/api/files"); err == nil {
					response.Body.Close()
				}
			}
		}()
	}
	const connections = `select count(*) from pg_stat_activity where datname = current_database() and application_name = 'busy'`
	app.Database.Await(t, `select count(*) >= 2 from pg_stat_activity where datname = current_database() and application_name = 'busy' and wait_event_type = 'Lock'`)
	lease := pgtest.Query[string](t, app.Database, `select locked_until::text from sheetdrop.task`)
	app.Database.Await(t, `select locked_until > $1::text::timestamptz and status = 'PROCESSING' from sheetdrop.task`, lease)
	if n := pgtest.Query[int](t, app.Database, connections); n != 4 {
		t.Errorf("the process has %d connections, want 3 and one for heartbeats", n)
	}
}
