package upload

import (
	"fmt"

	"sheetdrop/internal/sheet"
	"sheetdrop/internal/sheet/types"
)

// csvForm makes of rows what is written as CSV: the same values as in JSON, with formulas made harmless where they are not asked for. It is
// for one answer and uses its memory again: what show gives is valid until the next call.
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

// cell gives a cell's text. What fits a column's type is a number, a date or the like, and no formula whatever its first character is.
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
