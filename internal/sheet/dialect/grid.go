package dialect

import (
	"bytes"
	"iter"
	"slices"
)

// DecideGrid finds out where in a worksheet's first rows the table stands. A row's cells end with its last value and hold until the next
// row; one without a value is blank. Of the hints, Preamble and Header count.
func DecideGrid(grid iter.Seq[[][]byte], h Hints) Layout {
	var rows []row
	for cells := range grid {
		rows = append(rows, gridRow(cells))
	}
	width := gridWidth(rows)
	fit(rows, width)
	l := Layout{Columns: usualWidth(rows)}
	if l.Columns <= 1 { // rows with a name alone make no table of one column
		l.Columns = width
	}
	if l.Columns == 0 {
		return l.hinted(h)
	}
	l.findTable(Dialect{}, rows, h)
	if above := l.Preamble - 1; l.Header == 0 && above >= 0 && !rows[above].blank && h.Preamble == nil && h.Header == nil {
		l.Preamble, l.Header = above, 1 // nearly all tables of worksheets have a header, some with names for a few columns only
	}
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
	if len(rows) < 2 {
		return 0
	}
	widths := make([]int, len(rows))
	for i, r := range rows {
		widths[i] = r.width
	}
	slices.Sort(widths)
	return widths[len(widths)-1-max(1, len(widths)/gridOutliers)]
}

// fit sets the table's width on the first row that fills more than half of it, and to all rows below: where a worksheet's row ends is no
// sign, for the cells behind its last value may be empty.
func fit(rows []row, width int) {
	first := slices.IndexFunc(rows, func(r row) bool { return share(r.filled, width) > gridRowFilled })
	if first < 0 {
		return
	}
	n := min(width, maxColumns)
	for i := range rows[first:] {
		r := &rows[first+i]
		if r.blank {
			continue
		}
		r.width = width
		r.kinds = append(r.kinds, make([]kind, max(0, n-len(r.kinds)))...)[:n]
		r.texts = append(r.texts, make([]uint64, max(0, n-len(r.texts)))...)[:n]
	}
}
