package export

import (
	"bufio"
	"fmt"

	"github.com/google/uuid"

	"sheetdrop/internal/sheet"
	"sheetdrop/internal/sheet/types"
)

// csvText returns the function that writes a text as CSV.
func (in PageInput) csvText() func([]byte) []byte {
	if in.Formulas == "keep" {
		return func(text []byte) []byte { return text }
	}
	return escapeFormulas
}

// csvTable describes how a list is written as CSV.
type csvTable[T any] struct {
	fileID  uuid.UUID // the file it comes from: its name becomes part of the download's name
	ending  string
	columns []string
	split   func(T) []T      // splits an item into several CSV records; nil for one record per item
	cells   func(T) [][]byte // nil cells are null; valid until the next call
}

// csvWriter writes a header, then one record per item.
type csvWriter[T any] struct {
	*bufio.Writer
	table csvTable[T]
	text  func([]byte) []byte
	line  []byte
}

func (w *csvWriter[T]) begin() {
	names := make([][]byte, len(w.table.columns))
	for i, name := range w.table.columns {
		names[i] = w.text([]byte(name))
	}
	w.record(names)
}

func (w *csvWriter[T]) item(item T) error {
	if w.table.split == nil {
		w.record(w.table.cells(item))
		return nil
	}
	for _, part := range w.table.split(item) {
		w.record(w.table.cells(part))
	}
	return nil
}

func (w *csvWriter[T]) end(string) {}

func (w *csvWriter[T]) record(cells [][]byte) {
	w.line = sheet.AppendCSV(w.line[:0], cells)
	w.Write(w.line) //nolint:errcheck // Flush reports it
}

// csvForm turns rows into CSV records: the same values as in JSON, with formulas neutralised unless the caller asked to
// keep them. It serves one response and reuses its memory: what show returns is valid until the next call.
type csvForm struct {
	columns    []sheet.Column
	converters []types.Converter
	raw        bool
	text       func([]byte) []byte // how text is written

	cells [][]byte
}

func (f *csvForm) show(cells [][]byte) [][]byte {
	f.cells = f.cells[:0]
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
	value, fits := f.converters[column].Value(cell)
	switch {
	case !fits:
		return f.text(cell)
	case f.raw:
		return cell
	case value == nil:
		return nil
	}
	return fmt.Append(nil, value)
}
