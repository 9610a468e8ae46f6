package dialect

import (
	"bytes"
	"iter"
	"slices"
)

// DecideGrid detects where in a worksheet's first rows the table is. A row's cells end with its last value and are
// valid until the next row; a row without a value is blank. Only the hints Preamble and Header apply.
func DecideGrid(grid iter.Seq[[][]byte], h Hints) Layout {
	var rows []row
	for cells := range grid {
		rows = append(rows, gridRow(cells))
	}
	width := gridWidth(rows)
	fit(rows, width)
	l := Layout{Columns: usualWidth(rows), grid: true}
	if l.Columns <= 1 { // rows with only a name do not make a table of one column
		l.Columns = width
	}
	if l.Columns == 0 {
		return l.hinted(h)
	}
	start := l.findTable(Dialect{}, rows, h)
	l.body = columnKinds(rows[start:], l.Columns)
	l.Unlabelled = isFilledTo(rows[start:], l.Columns)
	if above := l.Preamble - 1; l.Header == 0 && above >= 0 && !rows[above].blank && h.Preamble == nil && h.Header == nil {
		l.Preamble, l.Header = above, 1 // nearly all tables of worksheets have a header, some with names for only a few columns
	}
	return l
}

// Below returns the index of the first of a worksheet's last rows that stands below its table, such as a total or a note;
// their number if there is none. The rows are as for DecideGrid, which has returned l.
func (l Layout) Below(grid iter.Seq[[][]byte]) int {
	var rows []row
	for cells := range grid {
		r := gridRow(cells)
		r.line = int64(len(rows) + 1)
		rows = append(rows, r)
	}
	if l.Columns <= narrow {
		return len(rows)
	}
	for i := range rows {
		rows[i].fit(l.Columns)
	}
	if line := footer(rows, 0, 0, l.body); line > 0 {
		return int(line) - 1
	}
	return len(rows)
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

// gridWidth returns the width that at least two rows, and one in ten, have or exceed: a stray cell beside the table
// does not widen it.
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

// fit sets the table's width on the first row that fills more than half of it, and on all rows below: where a
// worksheet's row ends means nothing, because the cells after its last value may be empty.
func fit(rows []row, width int) {
	first := slices.IndexFunc(rows, func(r row) bool { return share(r.filled, width) > gridRowFilled })
	if first < 0 {
		return
	}
	for i := range rows[first:] {
		rows[first+i].fit(width)
	}
}

func (r *row) fit(width int) {
	if r.blank {
		return
	}
	n := min(width, maxColumns)
	r.width = width
	r.kinds = append(r.kinds, make([]kind, max(0, n-len(r.kinds)))...)[:n]
	r.texts = append(r.texts, make([]uint64, max(0, n-len(r.texts)))...)[:n]
}

// isFilledTo reports whether most rows have a value in the last column, so that it belongs to the table even where the
// header has no name for it.
func isFilledTo(rows []row, width int) bool {
	n, filled := 0, 0
	for _, r := range rows {
		if r.blank {
			continue
		}
		n++
		if width <= len(r.kinds) && r.kinds[width-1] != empty {
			filled++
		}
	}
	return filled >= evidence && share(filled, n) > gridRowFilled
}
