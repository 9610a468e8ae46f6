package e2e_test

import (
	"net/http"
	"os"
	"path"
	"testing"
	"time"

	"sheetdrop/internal/chaos/storageproxy"
	"sheetdrop/internal/devstack/await"
	"sheetdrop/internal/devstack/devtest"
	"sheetdrop/internal/postgres/pgtest"
	"sheetdrop/verify/e2e"
)

// opening is a worker's request for a file's bytes, which waits for its answer.
type opening struct {
	blob string
	pass chan struct{}
}

// openings stands in front of the blobs and hands over each opening; an opening whose worker is killed ends.
func openings(t *testing.T, connection string) (through string, opened chan opening) {
	t.Helper()
	opened = make(chan opening)
	return storageproxy.Through(t, connection, func(r *http.Request) storageproxy.Fault {
		if r.Method != http.MethodGet || r.URL.RawQuery != "" {
			return storageproxy.None
		}
		o := opening{path.Base(r.URL.Path), make(chan struct{})}
		select {
		case opened <- o:
		case <-r.Context().Done():
			return storageproxy.Cut
		}
		select {
		case <-o.pass:
			return storageproxy.None
		case <-r.Context().Done():
			return storageproxy.Cut
		}
	}, "BlobEndpoint"), opened
}

// P2: a file that kills every worker that opens it FAILs, and the file that is read beside it does not: after two deaths together each has a
// worker to itself, and only deaths alone count against a file.
func TestDeadlyFileFailsAlone(t *testing.T) {
	t.Parallel()
	storage := devtest.Storage(t)
	var opened chan opening
	storage.ConnectionString, opened = openings(t, storage.ConnectionString)
	app := e2e.Start(t, e2e.Options{
		Storage: &storage, TimeScale: 0.1, Alerts: []string{"task_failed"},
		Settings: map[string]string{"RELAY_SCHEDULE": "* * * * * *", "RELAY_PERIOD": "1s", "TASK_LEASE": "3s"},
	})
	deadly, sound := app.Upload(t, "deadly.csv", csv(10, 10)), app.Upload(t, "sound.csv", csv(20, 10))

	together := map[string]bool{}
	tick, deadline := time.NewTicker(50*time.Millisecond), await.Deadline(t)
	defer tick.Stop()
	for !pgtest.Query[bool](t, app.Database, `select bool_and(status in ('COMPLETED', 'FAILED')) from sheetdrop.task`) {
		select {
		case <-deadline:
			t.Fatal("the two tasks have not ended")
		case <-tick.C: // nobody waits for the pause after a death here
			app.Exec(t, `update sheetdrop.outbox_message set next_attempt_at = now() where next_attempt_at > now()`)
		case o := <-opened:
			name := pgtest.Query[string](t, app.Database, `select name from sheetdrop.source_file where right(blob_name, length($1)) = $1`, o.blob)
			alone := pgtest.Query[bool](t, app.Database, `select coalesce(t.alone_attempt = t.attempt, false) from sheetdrop.task t
join sheetdrop.source_file f on f.id = t.source_file_id where f.name = $1`, name)
			together[name] = !alone
			switch {
			case alone && name == "sound.csv":
				close(o.pass)
			case alone || len(together) == 2 && together["deadly.csv"] && together["sound.csv"]:
				clear(together)
				kill(t, app)
			}
		}
	}
	app.Database.Await(t, `select not exists (select from sheetdrop.alert)`) // operators have been told
	for id, want := range map[string]string{deadly.ID.String(): "FAILED 5 2 worker_died", sound.ID.String(): "COMPLETED 0 2"} {
		got := pgtest.Query[string](t, app.Database, `select concat_ws(' ', status, crashes, shared_deaths, error_code) from sheetdrop.task where id = $1`, id)
		if got != want {
			t.Errorf("task: %s, want %s", got, want)
		}
	}
	wantExactRows(t, app, 1, 20)
}

// kill ends the handler as the platform does.
func kill(t *testing.T, app *e2e.App) {
	t.Helper()
	handler, err := os.FindProcess(app.Host.HandlerPID())
	if err != nil {
		t.Fatal(err)
	}
	if err := handler.Kill(); err != nil {
		t.Fatal(err)
	}
}
