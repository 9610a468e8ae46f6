package e2e_test

import (
	"bytes"
	"net/http"
	"slices"
	"strings"
	"testing"

	"sheetdrop/internal/devstack/await"
	"sheetdrop/internal/postgres/pgtest"
	"sheetdrop/verify/e2e"
)

// setClock makes the database's clock go from a moment of a day on, 0 being today, for all who connect behind the first call.
func setClock(t *testing.T, db *pgtest.Database, day int, clock string) {
	t.Helper()
	if !pgtest.Query[bool](t, db, `select to_regnamespace('clock') is not null`) {
		db.Exec(t, `create schema clock`)
		db.Exec(t, `create table clock.error (ahead interval not null)`)
		db.Exec(t, `insert into clock.error values ('0')`)
		db.Exec(t, `create function clock.now() returns timestamptz stable language sql as 'select pg_catalog.now() + ahead from clock.error'`)
		db.Exec(t, `do $$ begin execute format('alter database %I set search_path = clock, pg_catalog, public', current_database()); end $$`)
	}
	db.Exec(t, `update clock.error set ahead = date_trunc('day', pg_catalog.now(), 'UTC') + $1::int * interval '1 day' + $2::text::interval - pg_catalog.now()`, day, clock)
}

// P1: the sweep leaves the bytes of an upload alone for as long as its transaction may commit, also past midnight, when their folder is no
// longer today's; and once it has committed, for good. An orphan of the same hour is deleted a day later.
func TestUploadThatCommitsPastMidnight(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	setClock(t, db, 0, "23:59")
	app := e2e.Start(t, e2e.Options{Database: db, Functions: []string{"parse-worker"}})
	handler := app.StartHandler(t, nil)

	slow := db.Begin(t) // uploads cannot be written down as long as it lasts
	if _, err := slow.Exec(t.Context(), `lock table sheetdrop.source_file in share row exclusive mode`); err != nil {
		t.Fatal(err)
	}
	status := make(chan int, 1)
	go func() {
		response, err := http.Post(handler.URL+"/api/files?name=list.csv", "text/csv", bytes.NewReader(csv(10, 10)))
		if err != nil {
			status <- 0
			return
		}
		response.Body.Close()
		status <- response.StatusCode
	}()
	uploaded := awaitBlob(t, app)
	orphan := uploaded[:strings.LastIndexByte(uploaded, '/')] + "/orphan"
	store, _ := app.Stores(t)
	if err := store.Upload(t.Context(), orphan, strings.NewReader("x")); err != nil {
		t.Fatal(err)
	}

	setClock(t, db, 1, "11:58") // an upload commits for 12 hours
	handler.Tick(t)
	if left := app.BlobNames(t); !slices.Contains(left, uploaded) || !slices.Contains(left, orphan) {
		t.Errorf("left are %v, want %s and %s", left, uploaded, orphan)
	}
	if err := slow.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := <-status; got != http.StatusAccepted {
		t.Errorf("the upload was answered with %d, want 202", got)
	}
	setClock(t, db, 1, "23:59")
	handler.Tick(t)
	if left := app.BlobNames(t); len(left) != 2 {
		t.Errorf("a minute before the day is over left are %v, want both", left)
	}
	setClock(t, db, 2, "00:01")
	db.Exec(t, `update sheetdrop.reconciler set swept_at = null`)
	handler.Tick(t)
	if left := app.BlobNames(t); !slices.Equal(left, []string{uploaded}) {
		t.Errorf("left are %v, want %s", left, uploaded)
	}
}

// awaitBlob waits until something has been uploaded, and returns its name.
func awaitBlob(t *testing.T, app *e2e.App) string {
	t.Helper()
	return await.Value(t, "a blob", func() []string { return app.BlobNames(t) }, func(names []string) bool { return len(names) > 0 })[0]
}
