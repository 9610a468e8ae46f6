package export

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"sheetdrop/internal/devstack"
	"sheetdrop/internal/sheet/types"
)

// duckScript prints, for each Parquet file of a folder, the names and types of its columns and its rows, every value as text.
const duckScript = `
const { DuckDBInstance } = require('@duckdb/node-api');
const fs = require('fs');
(async () => {
  const folder = process.argv[process.argv.length - 1];
  const connection = await (await DuckDBInstance.create()).connect();
  await connection.run("set TimeZone = 'UTC'");
  for (const file of fs.readdirSync(folder)) {
    const from = "read_parquet('" + folder + '/' + file + "')";
    const shape = await connection.runAndReadAll('describe select * from ' + from);
    const rows = await connection.runAndReadAll('select columns(*)::varchar from ' + from);
    console.log(JSON.stringify({ file, columns: shape.getRowsJson().map(c => [c[0], c[1]]), rows: rows.getRowsJson() }));
  }
})();
`

type duckFile struct {
	File    string
	Columns [][2]string
	Rows    [][]*string
}

// DuckDB reads the same columns, types and values from a Parquet file as the engine read from the original.
func TestParquetInDuckDB(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	var sheets []readSheet
	corpus(t, func(t *testing.T, s readSheet) {
		file := filepath.Join(folder, fmt.Sprintf("%04d.parquet", len(sheets)))
		if err := os.WriteFile(file, s.export(t, RowsInput{PageInput: PageInput{Format: formatParquet}}), 0o600); err != nil {
			t.Fatal(err)
		}
		sheets = append(sheets, s)
	})
	out, err := devstack.DuckDB(t.Context(), t.Logf, duckScript, folder)
	if err != nil {
		t.Fatal(err)
	}
	decoder := json.NewDecoder(strings.NewReader(string(out)))
	seen := map[string]int{}
	for i, s := range sheets {
		var read duckFile
		if err := decoder.Decode(&read); err != nil {
			t.Fatalf("sheet %d: %v", i, err)
		}
		s.compareDuck(t, read, seen)
	}
	for _, kind := range []string{"BIGINT", "DECIMAL", "BOOLEAN", "DATE", "TIME", "TIMESTAMP", "VARCHAR"} {
		if seen[kind] == 0 {
			t.Errorf("no column is %s: %v", kind, seen)
		}
	}
}

func (s readSheet) compareDuck(t *testing.T, read duckFile, seen map[string]int) {
	t.Helper()
	want := s.typedRowsWithEmpty(t)
	if len(read.Rows) != len(want) || len(read.Columns) != len(s.columns) {
		t.Errorf("%s: %d rows of %d columns, want %d of %d", read.File, len(read.Rows), len(read.Columns), len(want), len(s.columns))
		return
	}
	for i, c := range s.columns {
		kind, _, _ := strings.Cut(read.Columns[i][1], "(")
		seen[kind]++
		if s.duckName(i) != read.Columns[i][0] || !slices.Contains(duckTypes[c.Type], kind) {
			t.Errorf("%s: column %q %s is %q %s", read.File, c.Name, c.Type, read.Columns[i][0], kind)
		}
		for n, row := range want {
			if got := duckText(read.Rows[n][i], kind); got != duckText(row[i].asText(), kind) {
				t.Errorf("%s: row %d, %q is %q, want %q", read.File, n+1, c.Name, got, duckText(row[i].asText(), kind))
				return
			}
		}
	}
}

// duckName is what DuckDB calls a column: two names that differ in case alone are one for it, so all but the first get a
// number.
func (s readSheet) duckName(column int) string {
	name, before := s.columns[column].Name, 0
	for _, c := range s.columns[:column] {
		if strings.EqualFold(c.Name, name) {
			before++
		}
	}
	if before == 0 {
		return name
	}
	return fmt.Sprintf("%s_%d", name, before)
}

// duckTypes are those that a column may have; any may be text, where a value does not fit.
var duckTypes = map[types.Type][]string{
	types.Integer: {"BIGINT", "DECIMAL"}, types.Decimal: {"DECIMAL", "VARCHAR"}, types.Boolean: {"BOOLEAN"}, types.Date: {"DATE"},
	types.Time: {"TIME", "VARCHAR"}, types.Timestamp: {"TIMESTAMP", "TIMESTAMP WITH TIME ZONE", "VARCHAR"}, types.Duration: {"VARCHAR"},
	types.Text: {"VARCHAR"},
}

func (v value) asText() *string {
	if v.null {
		return nil
	}
	text := v.shown()
	return &text
}

// duckText returns the same text for equal values.
func duckText(text *string, kind string) string {
	if text == nil {
		return "null"
	}
	switch kind {
	case "BIGINT", "DECIMAL":
		n, _ := parseDecimal(*text)
		return n.canonical()
	case "TIME":
		return trimmedSeconds(*text)
	case "TIMESTAMP":
		return trimmedSeconds(strings.Replace(*text, "T", " ", 1))
	case "TIMESTAMP WITH TIME ZONE":
		for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05-07"} {
			if moment, err := time.Parse(layout, *text); err == nil {
				return moment.UTC().Format(time.RFC3339Nano)
			}
		}
	}
	return "'" + *text
}
