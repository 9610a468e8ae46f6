package e2e_test

import (
	"strings"
	"testing"

	"sheetdrop/internal/devstack/devtest"
	"sheetdrop/internal/postgres/migrate"
	"sheetdrop/internal/postgres/pgtest"
	"sheetdrop/verify/e2e"
)

// yesterday is a version that this one may be deployed over, and rolled back to. It needs five migrations.
const yesterday = "cd962b79eca5032511af618c83ebd79a209619c3"

// P1, P2, P3: a deployment goes on. Yesterday's program takes and parses files while today's migrations run, then both work on one database
// and one queue. Whichever takes a file and whichever parses it, its rows are there once, and no attempt is counted.
func TestTwoVersionsAtOnce(t *testing.T) {
	t.Parallel()
	old := e2e.BuildOlder(t, yesterday)
	db := pgtest.NewEmpty(t)
	old.Migrate(t, db.URL)
	o := e2e.Options{Database: db, Settings: map[string]string{"RELAY_SCHEDULE": "* * * * * *", "RELAY_PERIOD": "1s"}}
	logs := [2]*devtest.Log{{}, {}}
	o.Output = logs[0]
	o.Errors = []string{"context canceled"} // yesterday's program reports a tick as an error that its host ends as it stops
	before := e2e.Prepare(t, o)
	before.Host = old.Run(t, before.HostConfig(t, o))

	const files, rows = 20, 1000 // of each
	const ended = `select count(*) = $1 and bool_and(status in ('COMPLETED', 'FAILED')) from sheetdrop.task`
	migrated := make(chan error, 1)
	for i := range files {
		before.Upload(t, "old.csv", csv(rows, 10))
		if i == 2 {
			go func() {
				_, err := migrate.Up(t.Context(), db.URL)
				migrated <- err
			}()
		}
	}
	if err := <-migrated; err != nil {
		t.Fatal(err)
	}
	db.Exec(t, `insert into sheetdrop.webhook (id, owner, url, statuses, secret) values (gen_random_uuid(), 'local', 'http://localhost:1/', '{COMPLETED}', sha256(''))`)
	o.Storage, o.Output, o.Errors = &before.Storage, logs[1], nil
	o.Functions = []string{"upload-api"}
	api := e2e.Start(t, o) // what goes straight to the store is new to yesterday's workers, which still are alone
	for range files {
		api.UploadDirectly(t, "direct.csv", csv(rows, 10))
	}
	db.Await(t, ended, 2*files)
	o.Functions = nil
	after := e2e.Start(t, o)
	for range files {
		before.Upload(t, "old.csv", csv(rows, 10))
		after.Upload(t, "new.csv", csv(rows, 10))
	}
	db.Await(t, ended, 4*files)
	wantExactRows(t, after, 4*files, rows)
	// Yesterday's program, too, has told of the ends of its tasks, though it knows no webhooks.
	if told := pgtest.Query[string](t, db, `select concat_ws(' ', count(*), count(d.id)) from sheetdrop.webhook w
join sheetdrop.task t on t.created_at > w.created_at left join sheetdrop.webhook_delivery d on d.task_id = t.id`); told != "60 60" {
		t.Errorf("tasks, and events for the webhook: %s, want 60 60", told)
	}
	got := pgtest.Query[string](t, db, `select concat_ws(' ', count(*) filter (where status = 'COMPLETED'), sum(crashes), sum(faults)) from sheetdrop.task`)
	if want := "80 0 0"; got != want {
		t.Errorf("completed, crashes and faults: %s, want %s", got, want)
	}
	if n := pgtest.Query[int](t, db, `select count(*) from sheetdrop.outbox_message where status = 'FAILED'`); n != 0 {
		t.Errorf("%d messages are FAILED", n)
	}
	for i, host := range []*e2e.App{before, after} {
		version := []string{"yesterday's", "today's"}[i]
		if starts := host.Host.Stats().HandlerStarts; starts != 1 {
			t.Errorf("%s handler started %d times", version, starts)
		}
		if !strings.Contains(logs[i].String(), `"msg":"task completed"`) {
			t.Errorf("%s program has parsed nothing", version)
		}
		var list struct{ Items []struct{ Name string } }
		if host.Get(t, "/api/files", &list); len(list.Items) != 4*files {
			t.Errorf("%s program shows %d files", version, len(list.Items))
		}
	}
}
