package sheet

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"sheetdrop/internal/devstack"
)

// duckColumns are columns of each type that DuckDB writes: an expression over a row's number i, how the engine writes
// the value x, and the type that it finds.
var duckColumns = [][4]string{
	{"i8", "(i % 256 - 128)::tinyint", "x::varchar", "integer"},
	{"i16", "(i * 7 % 65536 - 32768)::smallint", "x::varchar", "integer"},
	{"i32", "(i * 1000003 % 4294967296 - 2147483648)::integer", "x::varchar", "integer"},
	{"i64", "(i::hugeint * 123456789012345678 % 9223372036854775807)::bigint", "x::varchar", "integer"},
	{"u8", "(i % 256)::utinyint", "x::varchar", "integer"},
	{"u16", "(65535 - i)::usmallint", "x::varchar", "integer"},
	{"u32", "(4294967295 - i)::uinteger", "x::varchar", "integer"},
	{"u64", "(18446744073709551615 - i)::ubigint", "x::varchar", "integer"},
	{"float", "(i + 0.25)::float", "x::varchar", "decimal"},
	{"double", "(i + 0.0625)::double", "x::varchar", "decimal"},
	{"dec4", "((i % 1000) / 10)::decimal(4,1)", "x::varchar", "decimal"},
	{"dec9", "(-i / 8)::decimal(9,3)", "x::varchar", "decimal"},
	{"dec18", "(i * 1000001 / 8)::decimal(18,5)", "x::varchar", "decimal"},
	{"dec38", "(i::decimal(38,10) * 12345678901234567)::decimal(38,10)", "x::varchar", "decimal"},
	{"flag", "i % 3 = 0", "x::varchar", "boolean"},
	{"text", "'text ' || (i % 500) || ' 日本語\n\"quoted\"'", "x", "text"},
	{"unique", "repeat('ä', (i % 40)::integer) || i", "x", "text"},
	{"empty", "''", "x", "text"},
	{"enum", "(case when i % 2 = 0 then 'north' else 'south' end)::enum('north', 'south')", "x::varchar", "text"},
	{"uuid", "('00000000-0000-0000-0000-' || lpad(i::varchar, 12, '0'))::uuid", "x::varchar", "text"},
	{"blob", "('\\xFF\\x00' || 'a')::blob", "chr(92) || chr(120) || lower(hex(x))", "text"},
	{"day", "date '1899-12-31' + (i * 11)::integer", "x::varchar", "date"},
	{"clock", "time '00:00:00' + to_microseconds(i * 7654321)", "x::varchar", "time"},
	{"at", "timestamp '1969-12-01 00:00:00' + to_microseconds(i * 987654321)", "replace(x::varchar, ' ', 'T')", "timestamp"},
	{"at_s", "(timestamp '2024-01-01 00:00:00' + to_seconds(i * 61))::timestamp_s", "replace(x::varchar, ' ', 'T')", "timestamp"},
	{"at_ms", "(timestamp '2024-01-01 00:00:00' + to_milliseconds(i * 61))::timestamp_ms", "replace(x::varchar, ' ', 'T')", "timestamp"},
	{"at_ns", "(timestamp '2024-01-01 00:00:00' + to_microseconds(i * 61))::timestamp_ns", "replace(x::varchar, ' ', 'T')", "timestamp"},
	{"instant", "timestamptz '2024-01-01 00:00:00+00' + to_seconds(i * 61)", "replace(replace(x::varchar, ' ', 'T'), '+00', 'Z')", "timestamp"},
	{"json", "('{\"n\": ' || i || '}')::json", "x::varchar", "text"},
	{"list", "case when i % 5 = 0 then [] else [i, null, i + 1] end", "to_json(x)::varchar", "text"},
	{"texts", "['a\"b', i::varchar]", "to_json(x)::varchar", "text"},
	{"struct", "{'a': i, 'b': case when i % 2 = 0 then 'x' end}", "to_json(x)::varchar", "text"},
	{"map", "map {'k' || i: i, 'l': null}", "to_json(x)::varchar", "text"},
	{"lists", "[[i], [], null, [1, i]]", "to_json(x)::varchar", "text"},
	{"structs", "[{'a': i, 'b': [true, false]}, {'a': null, 'b': []}]", "to_json(x)::varchar", "text"},
}

// duckWriteScript writes one table in files of several codecs and versions into a folder, and prints the values as the engine writes them.
const duckWriteScript = `
const { DuckDBInstance } = require('@duckdb/node-api');
(async () => {
  const [folder, columns] = process.argv.slice(-2);
  const list = JSON.parse(columns);
  const connection = await (await DuckDBInstance.create()).connect();
  await connection.run("set TimeZone = 'UTC'");
  const made = list.map(([name, made], n) => 'case when (i + ' + n + ') % 7 = 6 then null else ' + made + ' end as "' + name + '"');
  await connection.run('create table t as select i, ' + made.join(', ') + ' from range(9000) r(i) order by i');
  for (const codec of ['uncompressed', 'snappy', 'gzip', 'zstd', 'brotli', 'lz4_raw']) for (const version of ['v1', 'v2'])
    await connection.run("copy t to '" + folder + '/' + codec + '-' + version + ".parquet' (codec '" + codec + "', parquet_version '" + version + "', row_group_size 4096)");
  const shown = list.map(([name, , shown]) => shown.replace(/\bx\b/g, '"' + name + '"') + ' as "' + name + '"');
  const rows = await connection.runAndReadAll('select ' + shown.join(', ') + ' from t order by i');
  console.log(JSON.stringify(rows.getRowsJson()));
})();
`

// The engine reads from Parquet files what another program has written into them: of each type, codec, version and encoding, nulls among
// the values, in several row groups. Each column has the type again that it has there.
func TestParquetOfDuckDB(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	columns, err := json.Marshal(duckColumns)
	if err != nil {
		t.Fatal(err)
	}
	out, err := devstack.DuckDB(t.Context(), t.Logf, duckWriteScript, folder, string(columns))
	if err != nil {
		t.Fatal(err)
	}
	var want [][]*string
	if err := json.Unmarshal(out, &want); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(folder, "*.parquet"))
	if err != nil || len(files) != 12 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			content, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			compareRows(t, string(content), want)
		})
	}
}

// compareRows compares the rows of a file, of which the first column is the row's number from 0, to those that are wanted.
func compareRows(t *testing.T, content string, want [][]*string) {
	t.Helper()
	var sheet *Sheet
	n, wrong := 0, map[string]bool{}
	err := eachRecord(t.Context(), []byte(content), Options{}, DefaultLimits(), func(s *Sheet, rec *Record) {
		sheet = s
		if rec.Kind != Row || n >= len(want) || string(rec.Cells[0]) != fmt.Sprint(n) || rec.No != int64(n)+1 {
			t.Fatalf("record %d behind %d rows: %q %v", rec.No, n, rec.Cells, rec.Errors)
		}
		for i, cell := range rec.Cells[1:] {
			text := want[n][i]
			if name := s.Columns()[i+1].Name; (cell == nil) != (text == nil) || cell != nil && string(cell) != *text {
				if !wrong[name] {
					t.Errorf("row %d, %s: %q (%t), want %q", rec.No, name, cell, cell == nil, deref(text))
				}
				wrong[name] = true
			}
		}
		n++
	})
	if err != nil || n != len(want) {
		t.Fatalf("%d rows, want %d: %v", n, len(want), err)
	}
	for i, c := range sheet.Columns()[1:] {
		if string(c.Type) != duckColumns[i][3] {
			t.Errorf("%s is %s, want %s", c.Name, c.Type, duckColumns[i][3])
		}
	}
}

func deref(text *string) string {
	if text == nil {
		return "null"
	}
	return *text
}
