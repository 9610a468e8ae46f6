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
	if whole && first == 0 {
		l.Trailing = max(l.Trailing, emptyBehind(rows, l.Columns))
		l.Leading = emptyBefore(rows, l.Columns)
	}
	if l.Trailing > 0 {
		for i := range rows {
			rows[i].dropTrailing(l.Columns, l.Trailing)
		}
		l.Columns -= l.Trailing
	}
	if l.Leading > 0 {
		for i := range rows {
			rows[i].dropLeading(l.Leading)
		}
		l.Columns -= l.Leading
	}
}

// cutBefore leaves out the first columns that are empty from the header on, where lines above have values there, and finds the table anew.
func (l *Layout) cutBefore(start int, d dialect.Dialect, rows []row, h Hints) int {
	n := 0
	if l.Preamble > 0 && l.Header > 0 && l.Preamble < len(rows) {
		n = emptyBefore(rows[l.Preamble:], l.Columns)
	}
	if n == 0 {
		return start
	}
	for i := l.Preamble; i < len(rows); i++ {
		rows[i].dropLeading(n)
	}
	l.Leading, l.Columns = n, l.Columns-n
	return l.findTable(d, rows, h)
}

// cutBeside leaves out the columns behind the table in which something else stands, and finds the table anew.
func (l *Layout) cutBeside(start int, d dialect.Dialect, rows []row, h Hints) int {
	at := min(l.Preamble, len(rows))
	if from, to, _, ok := beside(lastHeader(rows, at), rows[at:], l.Header, l.Columns); ok && from == 0 {
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
	if to == 1 && h.Preamble == nil && h.Header == nil { // alone, it would not tell its name from the title above
		above, header := l.Preamble+l.Header-1, 1
		h.Preamble, h.Header = &above, &header
	}
	return l.findTable(d, rows, h)
}
