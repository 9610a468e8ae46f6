package export

import (
	"bufio"
	"fmt"
	"io"

	"sheetdrop/internal/sheet"
	"sheetdrop/internal/sheet/csv"
	"sheetdrop/internal/sheet/types"
	"sheetdrop/upload-api/internal/problem"
)

// csvText returns the function that writes a text as CSV.
func (in PageInput) csvText() func([]byte) []byte {
	if in.Formulas == "keep" {
		return func(text []byte) []byte { return text }
	}
	return escapeFormulas
}

// csvWriter writes a header, then one record per item.
type csvWriter[T any] struct {
	*bufio.Writer
	table   table[T]
	text    func([]byte) []byte
	bom     bool
	cp932   *cp932 // nil for UTF-8
	line    []byte
	encoded []byte
	lost    string // where the first character stands that the encoding does not have, and which it is
}

func newCSVWriter[T any](in PageInput, t table[T]) *csvWriter[T] {
	w := &csvWriter[T]{table: t, text: in.csvText(), bom: in.BOM}
	if in.japanese() {
		w.cp932 = newCP932(in.Unmappable == unmappableGeta)
	}
	return w
}

func (w *csvWriter[T]) to(out io.Writer) { w.Writer = bufio.NewWriterSize(out, writeBuffer) }

// inspectsAll is true where a character might not be in the encoding: whether all are has to be known before the first byte is sent.
func (w *csvWriter[T]) inspectsAll() bool { return w.cp932 != nil && !w.cp932.replace }

func (w *csvWriter[T]) inspect(item T) {
	if !w.inspectsAll() || w.lost != "" {
		return
	}
	for i, cell := range w.table.csv(item) {
		if r, found := w.cp932.missing(cell); found {
			w.lost = fmt.Sprintf("row %d, column %q: %q, U+%04X", w.table.rowNo(item), w.table.columns[min(i, len(w.table.columns)-1)].name, r, r)
			return
		}
	}
}

func (w *csvWriter[T]) settle() error {
	for _, c := range w.table.columns {
		if r, found := w.cp932.missing([]byte(c.name)); found && w.inspectsAll() {
			w.lost = fmt.Sprintf("the column's name %q: %q, U+%04X", c.name, r, r)
		}
	}
	if w.lost == "" {
		return nil
	}
	return problem.New(problem.NotEncodable,
		"CP932 does not have all characters. The first one is in %s. Use UTF-8, or unmappable=geta to have 〓 in their places.", w.lost)
}

func (w *csvWriter[T]) begin() {
	if w.bom {
		w.WriteString("\ufeff") //nolint:errcheck // Flush reports it
	}
	names := make([][]byte, len(w.table.columns))
	for i, c := range w.table.columns {
		names[i] = w.text([]byte(c.name))
	}
	w.record(names) //nolint:errcheck // the names have been checked
}

func (w *csvWriter[T]) item(item T) error {
	return w.table.records(item, func(part T) error { return w.record(w.table.csv(part)) })
}

func (w *csvWriter[T]) end(string) {}

func (w *csvWriter[T]) finish() error { return w.Flush() }

func (w *csvWriter[T]) record(cells [][]byte) (err error) {
	w.line = csv.AppendRecord(w.line[:0], cells)
	if w.cp932 == nil {
		_, err = w.Write(w.line)
		return err
	}
	if w.encoded, err = w.cp932.append(w.encoded[:0], w.line); err == nil {
		_, err = w.Write(w.encoded)
	}
	return err
}

// csvForm turns rows into CSV records: the same values as in JSON, with formulas neutralised unless the caller asked to
// keep them. It serves one response and reuses its memory: what show returns is valid until the next call.
type csvForm struct {
	columns    []sheet.Column
	converters []types.Converter
	raw        bool
	text       func([]byte) []byte // how text is written

	cells  [][]byte
	values []byte
}

func (f *csvForm) show(cells [][]byte) [][]byte {
	f.cells, f.values = f.cells[:0], f.values[:0]
	for i, cell := range cells {
		f.cells = append(f.cells, f.cell(i, cell))
	}
	return f.cells
}

// cell returns a cell's text. A value of the column's type is a number, a date or the like, never a formula, whatever
// its first character.
func (f *csvForm) cell(column int, cell []byte) []byte {
	if f.columns[column].Type == types.Text {
		return f.text(cell)
	}
	at := len(f.values)
	values, is := f.converters[column].AppendValue(f.values, cell)
	f.values = values
	switch {
	case is == types.OtherType, f.raw && is == types.NoValue: // such as -, which is no number
		return f.text(cell)
	case f.raw:
		return cell
	case is == types.NoValue:
		return nil
	}
	return values[at:]
}
