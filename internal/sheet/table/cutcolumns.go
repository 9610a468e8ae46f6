package table

import (
	"slices"

	"sheetdrop/internal/sheet/dialect"
	"sheetdrop/internal/sheet/kind"
)

// cutEmpty finds the columns at both ends that belong to no column of the table, and leaves them out. whole says that the rows are
// all there are, and first is the table's width if it is the first of two.
func (l *Layout) cutEmpty(rows []row, whole bool, first int) {
	before, behind := emptyEnds(rows, l.Columns, whole)
	if first > 0 {
		l.Columns = widest(rows)
		before, behind = 0, l.Columns-first
	}
	l.cutLast(rows, behind)
	l.cutFirst(rows, before)
}

// emptyEnds counts the columns at both ends of the table that are empty, which only all rows of a text tell of several.
func emptyEnds(rows []row, width int, whole bool) (before, behind int) {
	if trailing(rows, width) {
		behind = 1
	}
	if whole {
		before, behind = emptyBefore(rows, width), max(behind, emptyBehind(rows, width))
	}
	return before, behind
}

// cutEnds leaves out the columns at both ends that are empty from the header on, where lines above have values there, and finds the table
// anew.
func (l *Layout) cutEnds(start int, rows []row, h Hints) int {
	if l.RowNames || l.Preamble == 0 || l.Header == 0 || l.Preamble >= len(rows) {
		return start
	}
	table, width := rows[l.Preamble:], l.Columns
	before, behind := emptyEnds(table, width, true)
	if l.Trailing == 0 {
		l.cutLast(table, behind)
	}
	if l.Leading == 0 {
		l.cutFirst(table, before)
	}
	if l.Columns == width {
		return start
	}
	return l.findTable(rows, h)
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
func (l *Layout) cutBeside(start int, rows []row, h Hints) int {
	at := min(l.Preamble, len(rows))
	from, to, _, ok := beside(lastHeader(rows[:at]), rows[at:], l.Header, l.Columns, true)
	if l.RowNames || !ok || from > 0 {
		return start
	}
	return l.cutTo(to, rows, h)
}

// cutTo leaves out the columns from that one on, in which something else stands beside the table, and finds the table anew.
func (l *Layout) cutTo(to int, rows []row, h Hints) (start int) {
	for i := range rows {
		if r := &rows[i]; r.width == l.Columns && len(r.kinds) >= to {
			r.cutTo(to)
		}
	}
	l.Beside, l.Columns = l.Columns-to, to
	return l.findTable(rows, h)
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
	for i := range r.kinds[to:] {
		if r.has(to + i) {
			r.filled--
		}
	}
	r.width, r.kinds, r.texts = to, r.kinds[:to], r.texts[:to]
	r.keepPlaces(0, to)
	r.blank = r.blank || r.filled <= 0
}

// trailing reports whether all records of the usual width end with an empty cell, and no record of one cell more has a value there and none
// behind it. Three records are enough if one of them is a header that names each other cell, or one of as many names stands above them, or
// all records of another width end with an empty cell, too.
func trailing(rows []row, width int) bool {
	n, others, named, all := 0, 0, false, true
	for _, r := range rows {
		switch {
		case r.width == width+1 && !r.blank && !r.broken && r.endsEmpty() && r.texts[width-1] != noText:
			return false
		case r.blank || r.broken || r.width != width:
			named = named || n == 0 && r.width == width-1 && r.filled == r.width
			if !r.blank && r.width > 1 {
				others, all = others+1, all && r.endsEmpty()
			}
			continue
		case !r.endsEmpty():
			return false
		}
		named = named || n == 0 && r.filled == width-1 && onlyWords(r)
		n++
	}
	return width > trailingColumns && (n > evidence || n == evidence && (named || all && others > 0))
}

// endsEmpty reports whether the last cell is empty, but for blanks, and not quoted.
func (r row) endsEmpty() bool { return !r.lastText && len(r.kinds) == r.width }

// emptyBehind counts the last columns that are empty in all records, the header among them: it may have fewer cells than they.
func emptyBehind(rows []row, width int) int {
	n, least := 0, width
	for _, r := range rows {
		if r.blank || r.broken || r.width > width || width > dialect.MaxColumns {
			continue
		}
		tail := width - r.width
		for tail < width && r.texts[width-1-tail] == noText {
			tail++
		}
		n, least = n+1, min(least, tail)
	}
	if n <= evidence || least == 1 && width > narrow || width-least < 1 { // one may be behind a last delimiter, or a quoted column
		return 0
	}
	return least
}

// emptyBeyond reports whether three records or more have empty cells behind the table, and no record has something there. These are two
// cells or more, since a text that holds a delimiter may have moved the others. One is enough in a whole text
//   - if each record has a value in the last column, and all values are of the columns' kinds;
//   - or if the header, which names all columns, has one, too.
func emptyBeyond(rows []row, body columns, whole bool, head row) bool {
	width := body.width
	named := head.width == width+1 && head.filled == width && head.endsEmpty()
	n, one, filled := 0, false, true
	for _, r := range rows {
		if r.blank || r.broken || r.width < width {
			continue
		}
		if r.width != len(r.texts) || r.width > width && slices.ContainsFunc(r.texts[width:], isSomeText) {
			return false
		}
		_, other := body.compare(r)
		filled = filled && r.kinds[width-1] != kind.Empty && other == 0
		if r.width > width {
			one = one || r.width == width+1
			if n++; one && r.lastText {
				return false
			}
		}
	}
	return n >= evidence && (!one || (filled || named) && whole)
}

// lastUsed returns the width of a table of a header and a row or two where empty cells, which are not quoted, stand behind the header, and
// none or some behind the rows, or one behind a value in each row alone; 0 if none do, or the header lacks a name.
func lastUsed(rows []row) int {
	head := pastBlank(rows, 0)
	if head == len(rows) || rows[head].filled < narrow || rows[head].filled > len(rows[head].kinds) {
		return 0
	}
	width, n, ended := rows[head].filled, 0, true
	for i, r := range rows[head:] {
		if r.blank {
			continue
		}
		if n++; r.broken || r.width < width || r.width != len(r.kinds) || r.width > width && (r.lastText || r.filledBehind(width)) {
			return 0
		}
		ended = ended && (i == 0 || r.width == width+1 && r.texts[width-1] != noText)
	}
	if n < narrow || rows[head].width == width && n <= evidence && !ended {
		return 0
	}
	return width
}

// emptyBefore counts the first columns that are empty in all records from the first one on that has two values. Where these are few, it has
// a name for each of the other columns. The word of a total may stand there, and titles of two parts or more.
func emptyBefore(rows []row, width int) int {
	inTable := func(r row) bool { return !r.blank && !r.broken && r.filled > 1 && !r.beginsAsSum() }
	first := slices.IndexFunc(rows, inTable)
	if first < 0 {
		return 0
	}
	last := len(rows) - 1
	for !inTable(rows[last]) {
		last--
	}
	titles := 0
	for _, r := range rows[first : last+1] {
		if r.filled == 1 {
			titles++
		}
	}
	n, least := 0, width
	for _, r := range rows[first : last+1] {
		if r.blank || r.broken || r.filled == 1 && titles >= sectionTitles || r.beginsAsSum() {
			continue
		}
		head := 0
		for head < len(r.texts) && r.texts[head] == noText {
			head++
		}
		n, least = n+1, min(least, head)
	}
	named := n >= narrow && onlyWords(rows[first]) && rows[first].filled == width-least
	if n <= evidence && !named || width-least < narrow {
		return 0
	}
	return least
}
