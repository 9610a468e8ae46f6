package table

import (
	"cmp"
	"slices"
)

// otherTable returns the index of the first record of a second table, which may be its title; len(rows) if there is none. The rows are
// those below the first table's header. A second table stands below a blank record and has a header of its own (otherheader.go). No
// record has to be blank above a header that has most of the first one's names.
//
//	id,part,price
//	1,bolt,0.20
//	2,nut,0.10
//	,,
//	Suppliers,,
//	supplier,city,since
//	Acme,Oslo,2001
//	Bolts Ltd,Leeds,1987
func (l Layout) otherTable(rows []row) int {
	if l.Columns < narrow {
		return len(rows)
	}
	for i := 1; i < len(rows); i++ {
		renamed := renames(rows[i], l.head) || rows[i].isTitle() && i+1 < len(rows) && renames(rows[i+1], l.head)
		if rows[i].blank || !rows[i-1].blank && !renamed {
			continue
		}
		first := columnKinds(rows[:i], l.Columns)
		if first.n == 0 {
			continue
		}
		if l.otherAt(first, rows[i:], endsInSum(rows[:i])) {
			return i
		}
	}
	return len(rows)
}

// endsInSum reports whether the last of the rows that is not blank sums up.
func endsInSum(rows []row) bool {
	for _, r := range slices.Backward(rows) {
		if !r.blank {
			return r.isSum()
		}
	}
	return false
}

// above returns the records above the one that begins with the same texts and stands below a blank one; nil if there is none.
func (c columns) above(r row) []row {
	for i := 1; i < len(c.rows); i++ {
		b, n := c.rows[i], min(r.filled, len(r.texts))
		if c.rows[i-1].blank && b.filled == r.filled && n <= len(b.texts) && slices.Equal(b.texts[:n], r.texts[:n]) {
			return c.rows[:i]
		}
	}
	return nil
}

// otherAt reports whether the rows, of which the first follows a blank one, begin another table than the first one with this
// header. summed says that the row above the blank one sums up.
func (l Layout) otherAt(first columns, rows []row, summed bool) bool {
	header := belowTitles(rows)
	titled := blankRows(rows[:header]) < header
	next := sectionHeader{first: first, head: l.head, titled: titled, summed: summed}
	return header < len(rows) && next.endsAt(rows[header], rows[header+1:])
}

// isUsual reports whether a column from the n-th on, from 0, has a value in nearly all rows.
func (c columns) isUsual(n int) bool {
	usual := c.filledColumns()
	return n < len(usual) && slices.Contains(usual[n:], true)
}

// filledBehind reports whether one of the rows has a value behind the n-th column.
func (c columns) filledBehind(n int) bool {
	return slices.ContainsFunc(c.rows, func(r row) bool { return r.width == c.width && r.filledBehind(n) })
}

// firstOfTwo returns the width of the first of two tables, whichever has more rows or columns: a header and three rows or more below
// nothing but titles, and above another header with rows of its own. other is the index at which the second one begins. The width is 0 if
// there are no two. A further table of a text may have two columns, and two rows: the first one may as well be names with their values. So
// may one below its name in brackets, if another name in brackets follows, and names below it:
//
//	[Sites]
//	code,town
//	S1,Bath
//	S2,York
//	[Readings]
//	code,day,value
//	S1,2024-01-01,4.5
func firstOfTwo(rows []row, further bool) (width, other int) {
	top := belowTitles(rows)
	next := nextBracketed(rows, top)
	narrowest, least := narrow+1, evidence
	if further || next > 0 {
		narrowest, least = narrow, bodyRecords
	}
	if top == len(rows) || rows[top].blank || rows[top].filled < narrowest || !rows[top].isPrefix() {
		return 0, 0
	}
	if width = rows[top].filled; isLoneTitle(rows[top:], width) {
		return 0, 0
	}
	end := cmp.Or(next, nextBlank(rows, top))
	if other = pastBlank(rows, end); other == len(rows) {
		return 0, 0
	}
	first := withoutEmpty(withoutBlank(rows[top:end]), width)
	if first == nil {
		return 0, 0
	}
	body := columnKinds(first[1:], width)
	if body.n < least || !body.isUnlike(first[0]) || next == 0 && !beginsOther(body, first, rows[other:]) {
		return 0, 0
	}
	return width, other
}

// beginsOther reports whether the rows, which follow a blank one, begin another table than the first one, of these columns.
func beginsOther(body columns, first, rows []row) bool {
	rows = slices.Clone(rows)
	width := widest(rows)
	for i := range rows {
		rows[i].fit(width)
	}
	return Layout{Columns: body.width, head: first[0]}.otherAt(body, rows, endsInSum(first))
}

// belowTitles returns the index of the first row below titles and blank rows, or of one further down than titles go.
func belowTitles(rows []row) int {
	top := 0
	for top < len(rows) && top < maxTitles && (rows[top].blank || rows[top].filled == 1) {
		top++
	}
	return top
}

// withoutEmpty returns the rows without their cells behind so many columns; nil if one of them has a value there, or lacks a cell.
func withoutEmpty(rows []row, width int) (list []row) {
	for _, r := range rows {
		if r.broken || len(r.kinds) < width || r.filledBehind(width) {
			return nil
		}
		r.width, r.kinds, r.texts = width, r.kinds[:width], r.texts[:width]
		r.keepPlaces(0, width)
		list = append(list, r)
	}
	return list
}
