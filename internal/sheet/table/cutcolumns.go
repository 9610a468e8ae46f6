package table

import "sheetdrop/internal/sheet/dialect"

// cutEmpty finds the columns at both ends that belong to no column of the table, and leaves them out. whole says that the rows are
// all there are, and first is the table's width if it is the first of two.
func (l *Layout) cutEmpty(rows []row, whole bool, first int) {
	switch {
	case first > 0:
		l.Columns = widest(rows)
		l.Trailing = l.Columns - first
	case trailing(rows, l.Columns):
		l.Trailing = 1
	}
	before := 0
	if whole && first == 0 {
		l.Trailing = max(l.Trailing, emptyBehind(rows, l.Columns))
		before = emptyBefore(rows, l.Columns)
	}
	l.cutLast(rows, l.Trailing)
	l.cutFirst(rows, before)
}

// cutEnds leaves out the columns at both ends that are empty from the header on, where lines above have values there, and finds the table
// anew.
func (l *Layout) cutEnds(start int, d dialect.Dialect, rows []row, h Hints) int {
	if l.Preamble == 0 || l.Header == 0 || l.Preamble >= len(rows) {
		return start
	}
	table, width := rows[l.Preamble:], l.Columns
	if l.Leading == 0 {
		l.cutFirst(table, emptyBefore(table, l.Columns))
	}
	if l.Trailing == 0 && trailing(table, l.Columns) {
		l.cutLast(table, 1)
	}
	if l.Columns == width {
		return start
	}
	return l.findTable(d, rows, h)
}

// cutFirst leaves out the first columns, so many.
func (l *Layout) cutFirst(rows []row, n int) {
	for i := range rows {
		if n > 0 {
			rows[i].dropLeading(n)
		}
	}
	l.Leading, l.Columns = n, l.Columns-n
}

// cutLast leaves out the last columns, so many.
func (l *Layout) cutLast(rows []row, n int) {
	for i := range rows {
		if n > 0 {
			rows[i].dropTrailing(l.Columns, n)
		}
	}
	l.Trailing, l.Columns = n, l.Columns-n
}

// cutBeside leaves out the columns behind the table in which something else stands, and finds the table anew.
func (l *Layout) cutBeside(start int, d dialect.Dialect, rows []row, h Hints) int {
	at := min(l.Preamble, len(rows))
	if from, to, _, ok := beside(lastHeader(rows, at), rows[at:], l.Header, l.Columns, true); ok && from == 0 {
		return l.cutTo(to, d, rows, h)
	}
	return start
}

// cutTo leaves out the columns from that one on, in which something else stands beside the table, and finds the table anew.
func (l *Layout) cutTo(to int, d dialect.Dialect, rows []row, h Hints) (start int) {
	for i := range rows {
		if r := &rows[i]; r.width == l.Columns && len(r.kinds) >= to {
			r.cutTo(to)
		}
	}
	l.Beside, l.Columns = l.Columns-to, to
	return l.findTable(d, rows, h)
}
