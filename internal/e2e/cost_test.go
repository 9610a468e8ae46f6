package e2e_test

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sheetdrop/internal/e2e"
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
		"Put Blob", "Put Block", "Put Block List", "Get Blob Properties", "Get Blob", "Delete Blob", "Get Container Properties", "Set Container Metadata",
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
	app.Upload(t, "warm-up.csv", averageFile(10))
	m.awaitFiles(t, 1)
	before := m.calls()
	app.Upload(t, "list.csv", content)
	m.awaitFiles(t, 2)
	return difference(m.calls(), before)
}

// callsOfRelay counts a run of the relay that finds nothing to do, and what it takes more to delete a file of 100 kB that is past retention, and
// to forget it a week later. The first run is not counted: it looks through the blobs, which the next does an hour later.
func callsOfRelay(t *testing.T) (idle, deletion map[string]int) {
	t.Helper()
	m := newMeter(t)
	app := e2e.Start(t, e2e.Options{Storage: &m.storage, Functions: []string{"upload-api", "parse-worker"}, Output: &m.log, Database: m.direct})
	app.Upload(t, "list.csv", averageFile(1000))
	m.awaitFiles(t, 1)
	relay := app.StartHandler(t, map[string]string{"DATABASE_URL": m.database.URL(), "FILE_RETENTION_DAYS": "30"})
	runs := 0
	run := func() map[string]int {
		app.Exec(t, `update sheetdrop.reconciler set ran_at = now() - interval '1 minute'`) // or it would be too soon for another one
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
