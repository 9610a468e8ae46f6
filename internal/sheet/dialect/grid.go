package dialect

import (
	"bytes"
	"cmp"
	"slices"
)

// DecideGrid finds out where in a worksheet's first rows the table stands. The rows that have no value are left out, and cells behind the
// last value of a row; h's Preamble and Header, and those of the result, count the rows that are given.
func DecideGrid(cells [][][]byte, h Hints) Layout {
	rows := make([]row, len(cells))
	for i := range cells {
		rows[i] = gridRow(cells[i])
	}
	width := gridWidth(rows)
	for i := range rows {
		rows[i].fit(width)
	}
	l := Layout{Columns: cmp.Or(usualWidth(rows), width)}
	if l.Columns == 0 {
		return l.hinted(h)
	}
	l.findTable(rows, h)
	return l
}

func gridRow(cells [][]byte) row {
	n := min(len(cells), maxColumns)
	r := row{width: len(cells), blank: len(cells) == 0, lastText: true, kinds: make([]kind, n), texts: make([]uint64, n)}
	var y years
	for i, cell := range cells[:n] {
		r.look(i, bytes.TrimSpace(cell), &y)
	}
	r.years = y.rise()
	return r
}

// gridWidth is the width that at least two rows, and one of ten, have or are above: a stray cell beside the table widens nothing.
func gridWidth(rows []row) int {
	widest := make([]int, 0, len(rows))
	for _, r := range rows {
		widest = append(widest, r.width)
	}
	slices.Sort(widest)
	slices.Reverse(widest)
	return append(widest, 0)[min(max(1, len(rows)/10), len(rows))]
}

// fit gives a row that fills more than half of the table the table's width: where a worksheet's row ends is no sign, for the cells behind
// its last value may be empty.
func (r *row) fit(width int) {
	if r.filled*2 <= width {
		return
	}
	n := min(width, maxColumns)
	r.width = width
	r.kinds = append(r.kinds, make([]kind, max(0, n-len(r.kinds)))...)[:n]
	r.texts = append(r.texts, make([]uint64, max(0, n-len(r.texts)))...)[:n]
}
