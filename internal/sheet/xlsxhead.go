package sheet

import (
	"cmp"
	"iter"
	"slices"

	"sheetdrop/internal/sheet/dialect"
)

// The limits of a worksheet's first rows, from which its layout is decided.
const (
	headRows   = 200
	headMemory = 4 << 20 // of memory
)

// readHead reads the first rows, in order of their numbers.
func (x *xlsxRows) readHead() {
	x.readAhead(headRows)
	slices.SortStableFunc(x.ahead.rows, func(a, b *keptRow) int { return cmp.Compare(a.No, b.No) })
}

// decideLayout finds the header among the first rows, by the options or by their content. Rows are counted as Excel
// numbers them.
func (x *xlsxRows) decideLayout(info *sheetInfo, opt Options) {
	numbers := gridNumbers(x.ahead.rows, 0)
	hints := dialect.Hints{Header: opt.Header}
	if opt.Skip != nil {
		above, _ := slices.BinarySearch(numbers, int64(*opt.Skip)+1)
		hints.Preamble = &above
	}
	found := dialect.DecideGrid(grid(x.ahead.rows, 0), hints)
	if x.layout = found; opt.Footer == none {
		x.ahead.known = true
	}
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
	for _, row := range x.ahead.rows {
		if row.No > x.preamble {
			info.columns = max(info.columns, lastColumn(row))
		}
	}
}

// grid yields the texts of rows that follow the row with the number last, with one blank row for any number of blank ones.
func grid(rows []*keptRow, last int64) iter.Seq[[][]byte] {
	return func(yield func([][]byte) bool) {
		var cells [][]byte
		last := last
		for _, row := range rows {
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
}

// gridNumbers returns the numbers of the grid's rows; of blank ones, the last.
func gridNumbers(rows []*keptRow, last int64) (numbers []int64) {
	for _, row := range rows {
		if row.No > last+1 {
			numbers = append(numbers, row.No-1)
		}
		numbers = append(numbers, row.No)
		last = row.No
	}
	return numbers
}

// lastColumn returns the column of a row's last non-empty value.
func lastColumn(row *keptRow) (column int) {
	for _, c := range row.Cells {
		if len(c.Text) > 0 {
			column = max(column, c.Column)
		}
	}
	return column
}
