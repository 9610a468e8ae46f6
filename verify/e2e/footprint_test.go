package e2e_test

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5"

	"sheetdrop/internal/devstack/devtest"
	"sheetdrop/internal/postgres/migrate"
	"sheetdrop/verify/e2e"
)

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

// deleteAll has retention delete all files, run after run, and returns the bytes of write-ahead log that this took.
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

// averageFile makes a CSV of so many rows of ten cells and about a hundred bytes each, like lists that people keep.
func averageFile(rows int) []byte {
	var b bytes.Buffer
	b.WriteString("number,date,customer,name,article,description,quantity,price,currency,note\n")
	for i := range rows {
		fmt.Fprintf(&b, "%08d,2026-03-%02d,C-%05d,Example Trading Ltd,A-%06d,Screw M8 x %02d zinc plated,%d,%d.%02d,EUR,in stock\n",
			i, i%28+1, i%99_991, i%999_983, i%90+10, i%500+1, i%1000, i%100)
	}
	return b.Bytes()
}
