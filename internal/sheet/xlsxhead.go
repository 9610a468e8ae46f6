package sheet

import (
	"cmp"
	"errors"
	"io"
	"iter"
	"slices"

	"sheetdrop/internal/sheet/dialect"
	"sheetdrop/internal/sheet/xlsx"
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

// tailRows is how many of a worksheet's last rows are known before they are returned, so that totals and notes below the
// table are seen as such.
const tailRows = 16

// cellMemory is what a kept cell takes of memory, besides its text.
const cellMemory = 64

// ahead has rows that are read and not returned yet: at first those from which the layout is decided, then the next ones.
type ahead struct {
	rows  []*keptRow
	size  int      // of memory
	used  *keptRow // the one that was returned last, whose memory is used again
	known bool     // where the table ends
}

// keptRow is a copy of a row, which is only valid until the next one is read.
type keptRow struct {
	xlsx.Row
	text []byte
	size int // of memory
}

// keep copies a row into the memory of another one.
func (k *keptRow) keep(row *xlsx.Row) {
	cells := k.Cells[:0]
	cells = append(cells, row.Cells...)
	k.text = k.text[:0]
	for _, c := range cells {
		k.text = append(k.text, c.Text...)
	}
	text := k.text
	for i := range cells {
		n := len(cells[i].Text)
		cells[i].Text, text = text[:n:n], text[n:]
	}
	k.Row, k.size = *row, len(k.text)+cellMemory*len(cells)
	k.Cells = cells
}

// readAhead reads until so many rows are kept, or they take too much memory.
func (x *xlsxRows) readAhead(n int) {
	a := &x.ahead
	for len(a.rows) < n && a.size < headMemory && x.err == nil {
		var row *xlsx.Row
		if row, x.err = x.rows.Next(); x.err != nil {
			return
		}
		kept := a.used
		if a.used = nil; kept == nil {
			kept = &keptRow{}
		}
		kept.keep(row)
		a.rows = append(a.rows, kept)
		a.size += kept.size
	}
}

// next returns the next row.
func (x *xlsxRows) next() (*xlsx.Row, error) {
	a := &x.ahead
	x.readAhead(tailRows)
	if !a.known && errors.Is(x.err, io.EOF) {
		x.findEnd()
	}
	if len(a.rows) == 0 {
		if !errors.Is(x.err, io.EOF) {
			return nil, fileFault(x.err)
		}
		return nil, x.err
	}
	row := a.rows[0]
	a.rows = slices.Delete(a.rows, 0, 1)
	a.size -= row.size
	a.used = row
	return &row.Row, nil
}

// findEnd decides which of the last rows stand below the table.
func (x *xlsxRows) findEnd() {
	a := &x.ahead
	a.known = true
	first := slices.IndexFunc(a.rows, func(r *keptRow) bool { return r.No > x.preamble+int64(x.layout.Header) })
	if first < 0 || slices.ContainsFunc(a.rows, func(r *keptRow) bool { return r.Displaced || r.Fault != "" }) {
		return
	}
	rows := a.rows[first:]
	numbers := gridNumbers(rows, rows[0].No-1)
	if i := x.layout.Below(grid(rows, rows[0].No-1)); i < len(numbers) {
		x.below = numbers[i]
	}
}
