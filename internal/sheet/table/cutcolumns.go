package table

import (
	"slices"

	"sheetdrop/internal/sheet/dialect"
	"sheetdrop/internal/sheet/kind"
)

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
	if l.RowNames || l.Preamble == 0 || l.Header == 0 || l.Preamble >= len(rows) {
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
	from, to, _, ok := beside(lastHeader(rows[:at]), rows[at:], l.Header, l.Columns, true)
	if l.RowNames || !ok || from > 0 {
		return start
	}
	return l.cutTo(to, d, rows, h)
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

// dropTrailing removes the last n cells of a record of this width, if they are empty; of any wider than the table, if n is not 1.
func (r *row) dropTrailing(width, n int) {
	width -= n
	if r.width <= width || n == 1 && (r.lastText || r.width != width+n) {
		return
	}
	if n > 1 && slices.ContainsFunc(r.texts[min(width, len(r.texts)):], isSomeText) {
		return
	}
	r.width = width
	kept := min(r.width, len(r.kinds))
	r.kinds, r.texts = r.kinds[:kept], r.texts[:kept]
	r.keepPlaces(0, kept)
}

// keepPlaces tells the places of cells anew of a record that now has those from one cell to another: those of its other cells are none.
func (r *row) keepPlaces(from, to int) {
	if r.sumAt = uint16(max(0, int(r.sumAt)-from)); int(r.sumAt) >= to-from {
		r.sumAt = 0
	}
}

// dropLastOfSum removes the empty cell of a sum behind the last column, which a delimiter at its end makes.
func (r *row) dropLastOfSum(width int) {
	if r.isSum() && r.width == width+1 && len(r.kinds) == r.width {
		r.dropTrailing(r.width, 1)
	}
}

// dropLeading removes the first n cells of a record, if they are empty or have nothing but a title, or the word of a total.
func (r *row) dropLeading(n int) {
	if len(r.texts) <= n || !r.beginsAsSum() && r.filled > 1 && slices.ContainsFunc(r.texts[:n], isSomeText) {
		return
	}
	label := slices.IndexFunc(r.texts[:n], isSomeText)
	if label >= 0 && r.kinds[n] == kind.Empty {
		r.kinds[n], r.texts[n] = kind.Word, r.texts[label]
	}
	r.width -= n
	r.keepPlaces(n, len(r.kinds))
	r.kinds, r.texts = r.kinds[n:], r.texts[n:]
}

// cutTo removes the cells from that column on.
func (r *row) cutTo(to int) {
	for i, k := range r.kinds[to:] {
		if r.has(to+i, k) {
			r.filled--
		}
	}
	r.width, r.kinds, r.texts = to, r.kinds[:to], r.texts[:to]
	r.keepPlaces(0, to)
	r.blank = r.blank || r.filled <= 0
}
