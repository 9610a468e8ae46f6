package sheet

import (
	"cmp"
	"errors"
	"io"
	"slices"

	"sheetdrop/internal/sheet/dialect"
	"sheetdrop/internal/sheet/xlsx"
)

// The limits of a worksheet's first rows, from which its layout is decided.
const (
	headRows   = 200
	headMemory = 4 << 20 // of memory
	cellMemory = 64      // of memory, besides the text
)

// readHead reads the first rows, in order of their numbers.
func (x *xlsxRows) readHead() {
	for size := 0; len(x.head) < headRows && size < headMemory && x.err == nil; {
		var row *xlsx.Row
		if row, x.err = x.rows.Next(); x.err != nil {
			break
		}
		kept := keep(row)
		x.head = append(x.head, kept)
		for _, c := range kept.Cells {
			size += cellMemory + len(c.Text)
		}
	}
	slices.SortStableFunc(x.head, func(a, b *xlsx.Row) int { return cmp.Compare(a.No, b.No) })
}

// keep copies a row, which is only valid until the next one is read.
func keep(row *xlsx.Row) *xlsx.Row {
	kept := *row
	kept.Cells = slices.Clone(row.Cells)
	var text []byte
	for _, c := range kept.Cells {
		text = append(text, c.Text...)
	}
	for i := range kept.Cells {
		c := &kept.Cells[i]
		n := len(c.Text)
		c.Text, text = text[:n:n], text[n:]
	}
	return &kept
}

// decideLayout finds the header among the first rows, by the options or by their content. Rows are counted as Excel
// numbers them.
func (x *xlsxRows) decideLayout(info *sheetInfo, opt Options) {
	numbers := x.gridNumbers()
	hints := dialect.Hints{Header: opt.Header}
	if opt.Skip != nil {
		above, _ := slices.BinarySearch(numbers, int64(*opt.Skip)+1)
		hints.Preamble = &above
	}
	found := dialect.DecideGrid(x.grid, hints)
	switch {
	case opt.Skip != nil:
		x.preamble = int64(*opt.Skip)
	case found.Preamble > 0:
		x.preamble = numbers[found.Preamble-1]
	}
	info.dialect = Dialect{HeaderRows: found.Header, PreambleRows: int(x.preamble)}
	if info.unlabelled = found.Unlabelled && found.Header > 0; info.unlabelled {
		info.columns = found.Columns
		return
	}
	for _, row := range x.head {
		if row.No > x.preamble {
			info.columns = max(info.columns, lastColumn(row))
		}
	}
}

// grid yields the texts of the first rows, with one blank row for any number of blank ones.
func (x *xlsxRows) grid(yield func([][]byte) bool) {
	var cells [][]byte
	last := int64(0)
	for _, row := range x.head {
		if row.No > last+1 && !yield(nil) {
			return
		}
		last = row.No
		cells = slices.Grow(cells[:0], lastColumn(row))[:lastColumn(row)]
		clear(cells)
		for _, c := range row.Cells {
			if len(c.Text) > 0 && c.Column > 0 {
				cells[c.Column-1] = c.Text
			}
		}
		if !yield(cells) {
			return
		}
	}
}

// gridNumbers returns the numbers of the grid's rows; of blank ones, the last.
func (x *xlsxRows) gridNumbers() (numbers []int64) {
	last := int64(0)
	for _, row := range x.head {
		if row.No > last+1 {
			numbers = append(numbers, row.No-1)
		}
		numbers = append(numbers, row.No)
		last = row.No
	}
	return numbers
}

// lastColumn returns the column of a row's last non-empty value.
func lastColumn(row *xlsx.Row) (column int) {
	for _, c := range row.Cells {
		if len(c.Text) > 0 {
			column = max(column, c.Column)
		}
	}
	return column
}

// next returns the next row: one of the first ones, or one after them.
func (x *xlsxRows) next() (*xlsx.Row, error) {
	if len(x.head) > 0 {
		row := x.head[0]
		x.head[0], x.head = nil, x.head[1:]
		return row, nil
	}
	var row *xlsx.Row
	if x.err == nil {
		row, x.err = x.rows.Next()
	}
	if x.err != nil && !errors.Is(x.err, io.EOF) {
		return nil, fileFault(x.err)
	}
	return row, x.err
}
