package e2e_test

import (
	"net/http"
	"os"
	"syscall"
	"testing"

	"sheetdrop/internal/postgres/pgtest"
	"sheetdrop/verify/e2e"
)

// parsing runs the app and brings it to the middle of a load; go on lets the file come at full speed.
func parsing(t *testing.T, rows int) (app *e2e.App, task e2e.Task, goOn func()) {
	t.Helper()
	o, blobs, _ := through(t)
	o.Settings = map[string]string{"RELAY_SCHEDULE": "*/2 * * * * *", "RELAY_PERIOD": "2s"}
	app = e2e.Start(t, o)
	task = app.Upload(t, "big.csv", csv(rows, 1000))
	blobs.Throttle()
	app.Database.Await(t, `select status = 'PROCESSING' and (progress->>'rows_loaded')::int > 0 from sheetdrop.task`)
	return app, task, func() { blobs.Restore(t) }
}

// A file that is deleted in the middle of its load is gone for every reader at once; no row of it ever shows, and in the
// end its bytes are gone, too.
func TestDeletedWhileParsing(t *testing.T) {
	t.Parallel()
	app, task, goOn := parsing(t, 20_000)
	if answer := app.Do(t, http.MethodDelete, "/api/files/"+task.FileID.String(), nil, nil); answer.StatusCode != http.StatusNoContent {
		t.Fatalf("delete: %s %s", answer.Status, answer.Text)
	}
	for _, path := range []string{"/api/files/" + task.FileID.String(), "/api/tasks/" + task.ID.String(), "/api/tasks/" + task.ID.String() + "/sheets"} {
		if answer := app.Do(t, http.MethodGet, path, nil, nil); answer.StatusCode != http.StatusNotFound {
			t.Errorf("GET %s: %s %s, want 404", path, answer.Status, answer.Text)
		}
	}
	goOn()
	app.Database.Await(t, `select count(*) = 0 from sheetdrop.outbox_message`)
	app.Database.Await(t, `select count(*) = 0 from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`)
	got := pgtest.Query[string](t, app.Database, `select concat_ws(' ', status, attempt, crashes, faults) from sheetdrop.task`)
	if want := "CANCELLED 1 0 0"; got != want {
		t.Errorf("task: %s, want %s", got, want)
	}
	wantExactRows(t, app, 0, 0)
	if names := blobs(t, app.Storage); len(names) != 0 {
		t.Errorf("blobs are left: %v", names)
	}
}

// A handler that is told to stop, as a new version's start tells it, gives its tasks back: another one goes on at once, and nobody is charged.
func TestToldToStopWhileParsing(t *testing.T) {
	t.Parallel()
	const rows = 20_000
	app, _, goOn := parsing(t, rows)
	handler, err := os.FindProcess(app.Host.HandlerPID())
	if err != nil {
		t.Fatal(err)
	}
	if err := handler.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	app.Database.Await(t, `select faults = 1 from sheetdrop.task`)
	goOn()
	app.Database.Await(t, `select status not in ('PENDING', 'PROCESSING') from sheetdrop.task`)
	got := pgtest.Query[string](t, app.Database, `select concat_ws(' ', status, attempt, crashes) from sheetdrop.task`)
	if want := "COMPLETED 2 0"; got != want {
		t.Errorf("task: %s, want %s", got, want)
	}
	wantExactRows(t, app, 1, rows)
}
