package export

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/sheet"
	"sheetdrop/internal/sheet/types"
	"sheetdrop/internal/task"
)

// readSheet is what the engine reads from one sheet.
type readSheet struct {
	columns []sheet.Column
	rows    []postgres.SheetRow
}

// read returns the sheets of a file that have rows; none of a file that is refused.
func read(t *testing.T, content []byte, options sheet.Options) (sheets []readSheet) {
	t.Helper()
	book, err := sheet.Open(t.Context(), bytes.NewReader(content), options, sheet.DefaultLimits())
	if refusal, refused := errors.AsType[*sheet.Refusal](err); refused {
		t.Log(refusal)
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	defer book.Close()
	for {
		s, err := book.Next()
		if err != nil {
			return sheets
		}
		var found readSheet
		for {
			rec, err := s.Read()
			if err != nil {
				break
			}
			if rec.Kind != sheet.Row {
				continue
			}
			row := postgres.SheetRow{RowNo: rec.No, Cells: make([][]byte, len(rec.Cells))}
			for i, cell := range rec.Cells {
				row.Cells[i] = bytes.Clone(cell)
			}
			found.rows = append(found.rows, row)
		}
		if found.columns = s.Columns(); len(found.rows) > 0 {
			sheets = append(sheets, found)
		}
	}
}

// export writes rows in a format, as a response would.
func (s readSheet) export(t *testing.T, in RowsInput) []byte {
	t.Helper()
	converters, err := sheet.NewConverters(s.columns)
	if err != nil {
		t.Fatal(err)
	}
	list := listing[postgres.SheetRow, int64]{
		read: func(_ context.Context, after int64, limit int) ([]postgres.SheetRow, bool, error) {
			start, _ := slices.BinarySearchFunc(s.rows, after+1, func(r postgres.SheetRow, no int64) int { return int(r.RowNo - no) })
			page := s.rows[start:min(len(s.rows), start+limit)]
			return page, start+len(page) < len(s.rows), nil
		},
		place: func(r postgres.SheetRow) int64 { return r.RowNo },
		table: in.table(task.Task{}, postgres.Sheet{Name: "表"}, s.columns, converters),
	}
	return write(t, list, in.PageInput)
}

// write writes a list as answerList does.
func write[T, P any](t *testing.T, list listing[T, P], in PageInput) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := writeTo(t.Context(), &out, list, in); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func writeTo[T, P any](ctx context.Context, out io.Writer, list listing[T, P], in PageInput) error {
	if err := in.check(); err != nil {
		return err
	}
	var start P
	w := newListWriter(list, in, start)
	to, err := w.prepare(ctx, in)
	if err != nil {
		return err
	}
	to.to(out)
	return w.write(ctx, to)
}

// corpus calls test with each sheet that the engine's acceptance files have.
func corpus(t *testing.T, test func(*testing.T, readSheet)) {
	t.Helper()
	sheets := 0
	for _, folder := range []string{"../../../internal/sheet/testdata/corpus", "../../../samples"} {
		err := filepath.WalkDir(folder, func(path string, entry os.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !slices.Contains([]string{".csv", ".tsv", ".txt", ".xlsx", ".xlsm"}, filepath.Ext(path)) {
				return err
			}
			content, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			for i, s := range read(t, content, sheet.Options{}) {
				sheets++
				t.Run(strings.ReplaceAll(entry.Name(), " ", "_")+"/"+string(rune('1'+i)), func(t *testing.T) { test(t, s) })
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if sheets < 50 {
		t.Errorf("the corpus has only %d sheets with rows", sheets)
	}
}

// typedRows returns the rows as values; a number without its fraction's last zeros, an empty text as null, and no row without any value.
func (s readSheet) typedRows(t *testing.T) (rows [][]value) {
	t.Helper()
	converters, err := sheet.NewConverters(s.columns)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range s.rows {
		row := make([]value, len(r.Cells))
		for i, cell := range r.Cells {
			row[i] = typedValue(s.columns[i].Type, converters[i], cell)
			if n, ok := parseDecimal(row[i].text); ok && (row[i].kind == types.Integer || row[i].kind == types.Decimal) {
				row[i].text = n.canonical()
			}
			if row[i].kind == types.Time || row[i].kind == types.Timestamp || row[i].kind == types.Duration {
				row[i].text = trimmedSeconds(row[i].text)
			}
			if row[i].kind == types.Text && row[i].text == "" {
				row[i] = value{null: true}
			}
		}
		if slices.ContainsFunc(row, func(v value) bool { return !v.null }) {
			rows = append(rows, row)
		}
	}
	return rows
}

// typedRowsWithEmpty returns all rows as values.
func (s readSheet) typedRowsWithEmpty(t *testing.T) [][]value {
	t.Helper()
	converters, err := sheet.NewConverters(s.columns)
	if err != nil {
		t.Fatal(err)
	}
	rows := make([][]value, len(s.rows))
	for n, r := range s.rows {
		rows[n] = make([]value, len(r.Cells))
		for i, cell := range r.Cells {
			rows[n][i] = typedValue(s.columns[i].Type, converters[i], cell)
		}
	}
	return rows
}

func trimmedSeconds(text string) string {
	whole, rest, found := strings.Cut(text, ".")
	if !found {
		return text
	}
	end := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
	if digits := strings.TrimRight(rest[:end], "0"); digits != "" {
		whole += "." + digits
	}
	return whole + rest[end:]
}

// canonical returns the same text for equal numbers.
func (d decimal) canonical() string {
	digits := strings.TrimLeft(d.digits, "0")
	for d.scale > 0 && strings.HasSuffix(digits, "0") {
		digits, d.scale = digits[:len(digits)-1], d.scale-1
	}
	if digits == "" {
		return "0"
	}
	text, _ := json.Marshal([]any{d.negative, digits, d.scale})
	return string(text)
}

// withDecimals has integers as decimals where all decimals of before are whole numbers: a worksheet does not keep that they were written as
// 200.00.
func (s readSheet) withDecimals(t *testing.T, before readSheet) readSheet {
	t.Helper()
	rows := before.typedRows(t)
	for i := range s.columns {
		if c := &s.columns[i]; c.Type == types.Integer && before.columns[i].Type == types.Decimal && whole(rows, i) {
			c.Type, c.Format = types.Decimal, ""
		}
	}
	return s
}

// instant returns a timestamp with an offset in UTC, as Parquet keeps it.
func instant(v value) value {
	if at, err := time.Parse(time.RFC3339Nano, v.text); err == nil && v.kind == types.Timestamp {
		v.text = at.UTC().Format(time.RFC3339Nano)
	}
	return v
}

// same compares what was read before and after a journey, by what kept leaves of each value.
func same(t *testing.T, before, after readSheet, kept ...func(value) value) {
	t.Helper()
	want, got := before.typedRows(t), after.typedRows(t)
	for _, row := range slices.Concat(want, got) {
		for _, keep := range kept {
			for i := range row {
				row[i] = keep(row[i])
			}
		}
	}
	if len(got) != len(want) || len(after.columns) != len(before.columns) {
		t.Fatalf("%d rows of %d columns came back, want %d of %d", len(got), len(after.columns), len(want), len(before.columns))
	}
	for i, c := range before.columns {
		if after.columns[i].Name != c.Name || after.columns[i].Type != c.Type {
			t.Errorf("column %d is %q %s, was %q %s", i+1, after.columns[i].Name, after.columns[i].Type, c.Name, c.Type)
		}
	}
	for i, row := range want {
		if !slices.Equal(got[i], row) {
			t.Fatalf("row %d is %+v, was %+v", i+1, got[i], row)
		}
	}
}

// whole reports whether a column of decimals has whole numbers alone.
func whole(rows [][]value, column int) bool {
	return !slices.ContainsFunc(rows, func(row []value) bool {
		v := row[column]
		return !v.null && (v.kind != types.Decimal || !strings.HasSuffix(v.text, ",0]") && v.text != "0")
	})
}

var oneHeader = 1

// A sheet that comes back as a workbook has the same columns, types and values.
func TestWorkbookRoundTrip(t *testing.T) {
	t.Parallel()
	corpus(t, func(t *testing.T, s readSheet) {
		book := s.export(t, RowsInput{PageInput: PageInput{Format: formatXLSX}})
		again := read(t, book, sheet.Options{Header: &oneHeader, Skip: new(int), Footer: "none"})
		if len(again) != 1 {
			if len(s.typedRows(t)) == 0 {
				return
			}
			t.Fatalf("%d sheets came back", len(again))
		}
		same(t, s, again[0].withDecimals(t, s))
	})
}

// A sheet that comes back as Parquet has the same columns, types and values.
func TestParquetRoundTrip(t *testing.T) {
	t.Parallel()
	corpus(t, func(t *testing.T, s readSheet) {
		again := read(t, s.export(t, RowsInput{PageInput: PageInput{Format: formatParquet}}), sheet.Options{})
		if len(again) != 1 {
			t.Fatalf("%d sheets came back", len(again))
		}
		same(t, s, again[0].withDecimals(t, s), instant)
	})
}

// A sheet that comes back as CSV in CP932, which old Japanese programs want, has the same columns, types and values.
func TestCP932RoundTrip(t *testing.T) {
	t.Parallel()
	encodable := 0
	corpus(t, func(t *testing.T, s readSheet) {
		in := RowsInput{PageInput: PageInput{Format: formatCSV, Encoding: "shift_jis", Formulas: "keep", Unmappable: unmappableGeta}}
		in.Values = "raw"
		text := s.export(t, in)
		again := read(t, text, sheet.Options{Encoding: "cp932", Delimiter: ",", Quote: `"`, Escape: `"`, Header: &oneHeader, Skip: new(int), Footer: "none"})
		if !s.encodable() {
			return
		}
		if bytes.Contains(text, []byte("\x81\xac")) {
			t.Error("a character was replaced")
		}
		encodable++
		same(t, s, again[0])
	})
	if encodable < 20 {
		t.Errorf("only %d sheets could be written", encodable)
	}
}

// encodable reports whether CP932 has all characters, in the very form in which the sheet has them.
func (s readSheet) encodable() bool {
	c := newCP932(false)
	all := func(cell []byte) bool {
		_, lost := c.missing(cell)
		return !lost && !bytes.ContainsAny(cell, "〜‖−¢£¬—¦¥‾\\")
	}
	for _, column := range s.columns {
		if !all([]byte(column.Name)) {
			return false
		}
	}
	return !slices.ContainsFunc(s.rows, func(r postgres.SheetRow) bool {
		return slices.ContainsFunc(r.Cells, func(cell []byte) bool { return !all(cell) })
	})
}
