package sheet

import (
	"errors"
	"io"
	"slices"

	"sheetdrop/internal/sheet/grid"
)

// tailRows is how many of a worksheet's last rows are known before they are returned, so that totals and notes below the
// table are seen as such.
const tailRows = 48

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
	grid.Row
	text []byte
	size int // of memory
}

// keep copies a row into the memory of another one.
func (k *keptRow) keep(row *grid.Row) {
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
func (x *gridRows) readAhead(n int) {
	a := &x.ahead
	for len(a.rows) < n && a.size < headMemory && x.err == nil {
		var row *grid.Row
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
func (x *gridRows) next() (*grid.Row, error) {
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
	x.lookForOther(row)
	if x.apart && x.other > 0 && row.No >= x.other {
		return nil, io.EOF
	}
	a.rows = slices.Delete(a.rows, 0, 1)
	a.size -= row.size
	a.used = row
	return &row.Row, nil
}
