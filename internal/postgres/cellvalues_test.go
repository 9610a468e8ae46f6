package postgres_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"sheetdrop/internal/postgres/pgtest"
	"sheetdrop/internal/sheet"
	"sheetdrop/internal/sheet/types"
	"sheetdrop/samples"
)

// typedColumn is cells of one column, nil where there is none, and how they are to be read.
type typedColumn struct {
	kind   types.Type
	format string
	digits int
	cells  [][]byte
}

// cellReader evaluates the SQL of columns, in a session whose settings are other than usual: a value must not depend on them.
type cellReader struct{ conn *pgx.Conn }

func newCellReader(t *testing.T) cellReader {
	t.Helper()
	config, err := pgx.ParseConfig(pgtest.New(t).URL)
	if err != nil {
		t.Fatal(err)
	}
	maps.Copy(config.RuntimeParams, map[string]string{
		"DateStyle": "SQL, DMY", "TimeZone": "America/St_Johns", "IntervalStyle": "sql_standard", "search_path": "public",
	})
	conn, err := pgx.ConnectConfig(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(t.Context()) })
	return cellReader{conn}
}

// expression returns the SQL for the third column of a row.
func (r cellReader) expression(t *testing.T, c typedColumn) string {
	t.Helper()
	var sql *string
	err := r.conn.QueryRow(t.Context(), `select sheetdrop.cell_expression(3, $1, $2, $3)`, c.kind, c.format, c.digits).Scan(&sql)
	if err != nil || sql == nil {
		t.Fatalf("%s %q has no SQL: %v", c.kind, c.format, err)
	}
	return *sql
}

// check compares what SQL makes of a column's cells with what the engine makes of them.
func (r cellReader) check(t *testing.T, c typedColumn) {
	t.Helper()
	expression := r.expression(t, c)
	converter, err := types.NewConverter(c.kind, c.format, c.digits)
	if err != nil {
		t.Fatal(err)
	}
	cells, want := make([]*string, len(c.cells)), make([]*string, len(c.cells))
	for i, cell := range c.cells {
		value, ok := converter.Value(cell)
		if !ok {
			t.Fatalf("%q is no %s %q", cell, c.kind, c.format)
		}
		if cell != nil {
			text := string(cell)
			cells[i] = &text
		}
		if value != nil {
			text := literal(value, strings.Contains(expression, "instant"))
			want[i] = &text
		}
	}
	rows, err := r.conn.Query(t.Context(), `select x.cell, x.want, x.got::text from (
  select r.cell, r.want, `+expression+` as got from (
    select u.cell, u.want, array['another', null, u.cell] as cells from unnest($1::text[], $2::text[]) as u (cell, want)
  ) r
) x where x.got is distinct from `+valueOf(c.kind, expression)+` limit 5`, cells, want)
	if err != nil {
		t.Fatalf("%s: %v", expression, err)
	}
	var cell, value, got *string
	_, err = pgx.ForEachRow(rows, []any{&cell, &value, &got}, func() error {
		t.Errorf("%s %q, %s: %s is %s, not %s", c.kind, c.format, expression, shown(cell), shown(got), shown(value))
		return nil
	})
	if err != nil {
		t.Errorf("%s %q, %s: %v", c.kind, c.format, expression, err)
	}
}

func shown(text *string) string {
	if text == nil {
		return "NULL"
	}
	return fmt.Sprintf("%q", *text)
}

var offset = regexp.MustCompile(`(Z|[-+][0-9]{2}:[0-9]{2})$`)

// literal writes a value of a Converter for PostgreSQL; a moment without an offset is UTC among instants.
func literal(value any, instant bool) string {
	switch v := value.(type) {
	case bool:
		return fmt.Sprint(v)
	case json.Number:
		return v.String()
	}
	text := value.(string)
	if instant && !offset.MatchString(text) {
		text += "Z"
	}
	return text
}

// valueOf is the SQL for the value that x.want tells, as far as PostgreSQL keeps it: to the microsecond.
func valueOf(kind types.Type, expression string) string {
	const micros = `regexp_replace(x.want, '([.][0-9]{6})[0-9]+', '\1')`
	switch kind {
	case types.Integer, types.Decimal:
		return `x.want::numeric`
	case types.Timestamp:
		if strings.Contains(expression, "instant") {
			return micros + `::timestamptz`
		}
		return micros + `::timestamp`
	case types.Duration:
		return `case when x.want like '-%' then - substr(` + micros + `, 2)::interval else ` + micros + `::interval end`
	case types.Text:
		return `x.want`
	default:
		return micros + `::` + string(kind)
	}
}

// What SQL makes of each cell of each column that was ever read is what the rows API returns for it.
func TestCellExpressionsOfFiles(t *testing.T) {
	t.Parallel()
	reader := newCellReader(t)
	for name, content := range everyFile(t) {
		t.Run(name, func(t *testing.T) {
			for _, c := range columnsOf(t, content) {
				reader.check(t, c)
			}
		})
	}
}

// everyFile returns the texts of the engine's corpus and the samples, by name.
func everyFile(t *testing.T) map[string][]byte {
	t.Helper()
	files, err := filepath.Glob("../sheet/testdata/corpus/*.csv")
	if err != nil || len(files) < 120 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	contents := map[string][]byte{}
	for _, path := range files {
		if contents[filepath.Base(path)], err = os.ReadFile(path); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"orders.csv", "prices.csv", "stock.xlsx"} {
		if contents[name], err = samples.Files.ReadFile(name); err != nil {
			t.Fatal(err)
		}
	}
	return contents
}

// columnsOf reads a file as the worker does, and returns the columns of all its sheets.
func columnsOf(t *testing.T, content []byte) (all []typedColumn) {
	t.Helper()
	book, err := sheet.Open(t.Context(), bytes.NewReader(content), sheet.Options{}, sheet.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	defer book.Close()
	for {
		s, err := book.Next()
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		cells := rowsOf(t, s)
		for i, c := range s.Columns() {
			column := typedColumn{kind: c.Type, format: c.Format, digits: c.Digits}
			for _, row := range cells {
				column.cells = append(column.cells, row[i])
			}
			all = append(all, column)
		}
	}
}

func rowsOf(t *testing.T, s *sheet.Sheet) (rows [][][]byte) {
	t.Helper()
	for {
		record, err := s.Read()
		if errors.Is(err, io.EOF) {
			return rows
		}
		if err != nil {
			t.Fatal(err)
		}
		if record.Kind != sheet.Row {
			continue
		}
		row := make([][]byte, len(record.Cells))
		for i, cell := range record.Cells {
			row[i] = bytes.Clone(cell) // of an empty cell that is there it is empty, too
		}
		rows = append(rows, row)
	}
}
