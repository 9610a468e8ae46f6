package e2e_test

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"sheetdrop/internal/devstack/devtest"
	"sheetdrop/internal/e2e"
	"sheetdrop/internal/postgres/migrate"
	"sheetdrop/internal/postgres/pgtest"
)

// docs/cost.md counts with what the app really does for a file, and in a run of the timer that finds nothing to do: how often it calls storage and
// with what, what it asks of the database, what it logs. A call more a file is money, at a million files a day.
func TestCallsAreDocumented(t *testing.T) {
	t.Parallel()
	columns := make([]map[string]int, 4)
	t.Run("count", func(t *testing.T) {
		for _, count := range []func(*testing.T){
			func(t *testing.T) { columns[0] = callsOfFile(t, averageFile(1000)) },
			func(t *testing.T) { columns[1] = callsOfFile(t, averageFile(100_000)) },
			func(t *testing.T) { columns[3], columns[2] = callsOfRelay(t) },
		} {
			t.Run("", func(t *testing.T) {
				t.Parallel()
				count(t)
			})
		}
	})
	var table strings.Builder
	for _, call := range []string{
		"Put Blob", "Put Block", "Put Block List", "Get Blob Properties", "Get Blob", "Delete Blob",
		"Put Message", "Get Messages", "Delete Message", "Get Queue Metadata", "Statement", "COMMIT", "Log line",
	} {
		const runsAnHour = 120 // in Azure
		run := columns[3][call]
		fmt.Fprintf(&table, "| %s | %d | %d | %d | %d | %d |\n", call, columns[0][call], columns[1][call], columns[2][call], run, run*runsAnHour)
		for _, column := range columns {
			delete(column, call)
		}
	}
	for i, column := range columns {
		maps.DeleteFunc(column, func(_ string, n int) bool { return n == 0 })
		if len(column) > 0 {
			t.Errorf("column %d: calls that the table has no line for: %v", i+1, column)
		}
	}
	document, err := os.ReadFile(filepath.Join("..", "..", "docs", "cost.md"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(document), table.String()) {
		t.Errorf("docs/cost.md does not have these lines:\n%s", table.String())
	}
}

// averageFile has rows of ten cells and about a hundred bytes, as lists that people keep.
func averageFile(rows int) []byte {
	var b bytes.Buffer
	b.WriteString("number,date,customer,name,article,description,quantity,price,currency,note\n")
	for i := range rows {
		fmt.Fprintf(&b, "%08d,2026-03-%02d,C-%05d,Example Trading Ltd,A-%06d,Screw M8 x %02d zinc plated,%d,%d.%02d,EUR,in stock\n",
			i, i%28+1, i%99_991, i%999_983, i%90+10, i%500+1, i%1000, i%100)
	}
	return b.Bytes()
}

// callsOfFile counts what one file costs, once the app has everything open.
func callsOfFile(t *testing.T, content []byte) map[string]int {
	t.Helper()
	m := newMeter(t)
	app := e2e.Start(t, e2e.Options{
		Storage: &m.storage, Functions: []string{"upload-api", "parse-worker"}, Output: &m.log,
		Settings: map[string]string{"DATABASE_URL": m.database.URL()}, Database: m.direct,
	})
	done := func(files int) {
		app.Database.Await(t, `select count(*) = $1 and not exists (select from sheetdrop.outbox_message) from sheetdrop.task where status = 'COMPLETED'`, files)
		m.await("Delete Message", files)
		m.log.await(`"msg":"task completed"`, files)
	}
	app.Upload(t, "warm-up.csv", averageFile(10))
	done(1)
	before := m.calls()
	app.Upload(t, "list.csv", content)
	done(2)
	return difference(m.calls(), before)
}

// callsOfRelay counts a run of the relay that finds nothing to do, and what it takes more to delete a file of 100 kB that is past retention, and
// to forget it a week later. The first run is not counted: it looks through the blobs, which the next does an hour later.
func callsOfRelay(t *testing.T) (idle, deletion map[string]int) {
	t.Helper()
	m := newMeter(t)
	app := e2e.Start(t, e2e.Options{Storage: &m.storage, Functions: []string{"upload-api", "parse-worker"}, Output: &m.log, Database: m.direct})
	app.Upload(t, "list.csv", averageFile(1000))
	app.Database.Await(t, `select status = 'COMPLETED' from sheetdrop.task`)
	relay := app.StartHandler(t, map[string]string{"DATABASE_URL": m.database.URL(), "RELAY_PERIOD": "1s", "FILE_RETENTION_DAYS": "30"})
	runs := 0
	run := func() map[string]int {
		app.Database.Await(t, `select ran_at < now() - interval '1 second' from sheetdrop.reconciler`)
		before := m.calls()
		relay.Tick(t)
		runs++
		m.log.await(`"msg":"outbox_stats"`, runs)
		return difference(m.calls(), before)
	}
	run()
	idle = run()
	app.Exec(t, `update sheetdrop.source_file set created_at = now() - interval '31 days'`)
	deletion = run()
	app.Exec(t, `update sheetdrop.source_file set deleted_at = now() - interval '8 days'`)
	for call, n := range run() {
		deletion[call] += n
	}
	if left := pgtest.Query[int](t, app.Database, `select (select count(*) from sheetdrop.source_file) + (select count(*) from sheetdrop.sheet_row)`); left > 0 {
		t.Errorf("%d rows are left", left)
	}
	for call, n := range idle {
		deletion[call] -= 2 * n
	}
	return idle, deletion
}

// What a file of 100 kB leaves behind: bytes of tables and indexes, of write-ahead log, and of more of that when it is deleted; and how long it
// takes from the upload until it is COMPLETED, files one after another.
func BenchmarkFile(b *testing.B) {
	stack := devtest.Private(b) // the write-ahead log is the server's, not the database's
	if _, err := migrate.Up(b.Context(), stack.DatabaseURL); err != nil {
		b.Fatal(err)
	}
	conn, err := pgx.Connect(b.Context(), stack.DatabaseURL)
	if err != nil {
		b.Fatal(err)
	}
	defer conn.Close(context.WithoutCancel(b.Context()))
	look := func() (size, wal int64) {
		b.Helper()
		const sql = `select sum(pg_total_relation_size(c.oid)), pg_current_wal_lsn() - '0/0'::pg_lsn
from pg_class c where relnamespace = 'sheetdrop'::regnamespace and relkind in ('r', 'm')`
		if err := conn.QueryRow(b.Context(), sql).Scan(&size, &wal); err != nil {
			b.Fatal(err)
		}
		return size, wal
	}
	app := e2e.Start(b, e2e.Options{Functions: []string{"upload-api", "parse-worker"}, Settings: map[string]string{"DATABASE_URL": stack.DatabaseURL}})
	content := averageFile(1000)
	load := func() { app.Await(b, app.Upload(b, "list.csv", content).ID) }
	load()
	size, wal := look()
	n := int64(0)
	for b.Loop() {
		load()
		n++
	}
	sizeAfter, walAfter := look()
	deletion := deleteAll(b, app, conn, look)
	b.ReportMetric(float64(len(content)), "file-B")
	b.ReportMetric(float64((sizeAfter-size)/n), "table-B")
	b.ReportMetric(float64((walAfter-wal)/n), "wal-B")
	b.ReportMetric(float64(deletion/(n+1)), "deletion-wal-B")
}

// deleteAll has retention delete all files, run after run, and gives the bytes of write-ahead log that this took.
func deleteAll(b *testing.B, app *e2e.App, conn *pgx.Conn, look func() (size, wal int64)) int64 {
	b.Helper()
	if _, err := conn.Exec(b.Context(), `update sheetdrop.source_file set created_at = now() - interval '2 days'`); err != nil {
		b.Fatal(err)
	}
	relay := app.StartHandler(b, map[string]string{"FILE_RETENTION_DAYS": "1"})
	_, before := look()
	for left := true; left; {
		relay.Tick(b)
		if err := conn.QueryRow(b.Context(), `select exists (select from sheetdrop.sheet_row)`).Scan(&left); err != nil {
			b.Fatal(err)
		}
	}
	_, after := look()
	return after - before
}
