package e2e_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"sheetdrop/internal/devstack/devtest"
	"sheetdrop/internal/e2e"
	"sheetdrop/internal/postgres/migrate"
)

// docs/cost.md counts with what the app really does for a file, and in a run of the timer that finds nothing to do: how often it calls storage and
// with what, what it asks of the database, what it logs. A call more a file is money, at a million files a day.
func TestCallsAreDocumented(t *testing.T) {
	t.Parallel()
	columns := make([]map[string]int, 3)
	t.Run("count", func(t *testing.T) {
		for i, count := range []func(*testing.T) map[string]int{
			func(t *testing.T) map[string]int { return callsOfFile(t, averageFile(1000)) },
			func(t *testing.T) map[string]int { return callsOfFile(t, averageFile(100_000)) },
			callsOfIdleRun,
		} {
			t.Run("", func(t *testing.T) {
				t.Parallel()
				columns[i] = count(t)
			})
		}
	})
	var table strings.Builder
	for _, call := range []string{
		"Put Blob", "Put Block", "Put Block List", "Get Blob Properties", "Get Blob",
		"Put Message", "Get Messages", "Delete Message", "Get Queue Metadata", "Statement", "COMMIT", "Log line",
	} {
		fmt.Fprintf(&table, "| %s | %d | %d | %d |\n", call, columns[0][call], columns[1][call], columns[2][call])
		for _, column := range columns {
			delete(column, call)
		}
	}
	for i, column := range columns {
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
		m.await(t, "Delete Message", files)
		m.log.await(t, `"msg":"task completed"`, files)
	}
	app.Upload(t, "warm-up.csv", averageFile(10))
	done(1)
	before := m.calls()
	app.Upload(t, "list.csv", content)
	done(2)
	return difference(m.calls(), before)
}

// callsOfIdleRun counts the second run of a relay: the first has looked through the blobs, which the next does an hour later.
func callsOfIdleRun(t *testing.T) map[string]int {
	t.Helper()
	m := newMeter(t)
	app := e2e.Start(t, e2e.Options{Storage: &m.storage, Functions: []string{"upload-api"}, Output: &m.log, Database: m.direct})
	relay := app.StartHandler(t, map[string]string{"DATABASE_URL": m.database.URL(), "RELAY_PERIOD": "1s"})
	relay.Tick(t)
	app.Database.Await(t, `select ran_at < now() - interval '1 second' from sheetdrop.reconciler`)
	before := m.calls()
	relay.Tick(t)
	m.log.await(t, `"msg":"outbox_stats"`, 2)
	return difference(m.calls(), before)
}

// What a file of 100 kB leaves behind: bytes of tables and indexes, of write-ahead log, and of log lines; and how long all of it takes, files one
// after another.
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
	var log lines
	app := e2e.Start(b, e2e.Options{Output: &log, Settings: map[string]string{"DATABASE_URL": stack.DatabaseURL}})
	content := averageFile(1000)
	load := func() { app.Await(b, app.Upload(b, "list.csv", content).ID) }
	load()
	size, wal := look()
	logged := log.size()
	n := int64(0)
	for b.Loop() {
		load()
		n++
	}
	sizeAfter, walAfter := look()
	b.ReportMetric(float64(len(content)), "file-B")
	b.ReportMetric(float64((sizeAfter-size)/n), "table-B")
	b.ReportMetric(float64((walAfter-wal)/n), "wal-B")
	b.ReportMetric(float64((log.size()-logged)/int(n)), "log-B")
}
