package e2e_test

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"sheetdrop/internal/postgres/pgtest"
	"sheetdrop/verify/e2e"
)

// P9: no small file becomes a large one. Whatever a file makes of its bytes – sheets that share a part, cells that share a string, archives,
// records that cannot be read – the process that reads it stays within 256 MiB, and the tables within a multiple of the upload. With -v it
// prints what docs/figures.md has.
func TestSmallFilesStaySmall(t *testing.T) {
	t.Parallel()
	const memory = 256 << 20
	multiple := func(times, base int64) func(int) int64 {
		return func(size int) int64 { return times*int64(size) + base<<20 }
	}
	rows, rejects := multiple(22, 300), multiple(20, 64) // rows: their limit, and what PostgreSQL adds to it
	for _, c := range []struct {
		name    string
		content []byte
		options string
		want    string // status and error code
		tables  func(size int) int64
	}{
		{"240 sheets of 16,384 columns", wideSheets(t), `{}`, "FAILED too_many_columns_in_all", rejects},
		{"4 sheets of 16,384 columns with values of control characters", wideValues(t), `{"header":1}`, "COMPLETED", rejects},
		{"10 sheets of one long label", longLabels(t), `{}`, "COMPLETED", rejects},
		{"2,000 rows of one shared string", sharedString(t), `{}`, "FAILED output_too_large", rows},
		{"8 million short rows in a gzip archive", packed(t, strings.Repeat("1\n", 8<<20-100)), `{}`, "FAILED output_too_large", rows},
		{"100 kB of lines without 100 of their cells", shortLines(50_000), `{}`, "COMPLETED", rejects},
		{"2 MB of lines without 100 of their cells", shortLines(1_000_000), `{}`, "FAILED too_many_rejects", rejects},
		{"16 MB of cells in a gzip archive, for long patterns", packed(t, slowCells), slowPatterns(), "FAILED too_complex", rejects},
	} {
		t.Run(c.name, func(t *testing.T) {
			app := e2e.Prepare(t, e2e.Options{})
			handler := app.StartHandler(t, nil)
			u := app.AddFile(t, c.content)
			app.Exec(t, `update sheetdrop.task set options = $2 where id = $1`, u.TaskID, c.options)
			if status := <-handler.Deliver(t, u); status != http.StatusOK {
				t.Errorf("the message is answered with %d", status)
			}
			got := pgtest.Query[string](t, app.Database, `select concat_ws(' ', status, error_code) from sheetdrop.task where id = $1`, u.TaskID)
			if got != c.want {
				t.Errorf("the task is %s, want %s", got, c.want)
			}
			held, tables := e2e.PeakMemory(t, handler.Process()), tableBytes(t, app)
			if held > memory {
				t.Errorf("the handler held %d MiB, want at most %d", held>>20, memory>>20)
			}
			if most := c.tables(len(c.content)); tables > most {
				t.Errorf("the tables have %d MiB, want at most %d", tables>>20, most>>20)
			}
			took := pgtest.Query[float64](t, app.Database, `select extract(epoch from finished_at - started_at)::float8 from sheetdrop.task where id = $1`, u.TaskID)
			t.Logf("%d bytes: %s after %.1f s, %d MiB of memory, %d MiB of tables", len(c.content), got, took, held>>20, tables>>20)
		})
	}
}

// tableBytes is what the tables and their indexes take, what a load left that was rolled back among it.
func tableBytes(t *testing.T, app *e2e.App) int64 {
	t.Helper()
	return pgtest.Query[int64](t, app.Database, `select sum(pg_total_relation_size(c.oid))::bigint from pg_class c
where relnamespace = 'sheetdrop'::regnamespace and relkind in ('r', 'm')`)
}

// shortLines is a header of 101 columns above lines of one cell.
func shortLines(n int) []byte {
	var b bytes.Buffer
	for i := range 101 {
		fmt.Fprintf(&b, "c%d,", i)
	}
	b.Truncate(b.Len() - 1)
	return append(b.Bytes(), strings.Repeat("\nx", n)...)
}

// slowCells is 16,000 cells that take long to be held against slowPatterns.
var slowCells = strings.Repeat("a,", 49) + "a\n" + strings.Repeat(strings.Repeat(strings.Repeat("x", 1000)+",", 49)+strings.Repeat("x", 1000)+"\n", 320)

func slowPatterns() string {
	columns := make([]string, 50)
	for i := range columns {
		columns[i] = fmt.Sprintf(`{"name":"a_%d","pattern":"(?:\\pL*\\pN?){300}y"}`, i+1)
	}
	columns[0] = strings.Replace(columns[0], "a_1", "a", 1)
	return `{"header":1,"columns":[` + strings.Join(columns, ",") + `]}`
}
