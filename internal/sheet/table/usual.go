package table

import (
	"slices"

	"sheetdrop/internal/sheet/kind"
)

// isUsualShape reports whether other records, far enough from the end to be none that sums up, have values in the same columns.
func (c columns) isUsualShape(r row) bool {
	rows := upper(c.rows)
	if len(rows) > 0 && len(rows[0].kinds) > 0 && rows[0].kinds[0] == kind.Empty { // it may be what an account held before
		rows = rows[1:]
	}
	return slices.ContainsFunc(rows, func(other row) bool {
		return !other.blank && !other.isSum() && !other.onlyBalance && sameShape(other, r) && !sameTexts(other, r)
	})
}

// filledColumns returns the columns in which nearly all records of the table have a value. Those at the end of the rows, where totals may
// stand, do not count, nor do those among them that are told by their words.
func (c columns) filledColumns() []bool { return c.filledIn(c.rows, nearlyAlways) }

// filledIn returns the columns in which so many of the records have a value, without the last ones.
func (c columns) filledIn(rows []row, least float64) []bool { return c.filledInOf(upper(rows), least) }

// filledInOf returns the columns in which so many of the records have a value.
func (c columns) filledInOf(rows []row, least float64) []bool {
	counts, n := make([]int, len(c.kinds)), 0
	for _, r := range rows {
		if r.blank || r.broken || r.width != c.width || r.filled <= 1 || r.isSum() || r.sumAt > 0 || r.isResult(c.kinds) || c.isSumAmongDays(r) {
			continue
		}
		n++
		for i, k := range r.kinds[:min(len(r.kinds), len(counts))] {
			if k != kind.Empty {
				counts[i]++
			}
		}
	}
	always := make([]bool, len(counts))
	for i := range counts {
		always[i] = n >= bodyRecords && share(counts[i], n) >= least
	}
	return always
}

// isSumAmongDays reports whether the record has a name where the others have a day, and otherwise nothing but numbers.
func (c columns) isSumAmongDays(r row) bool {
	return len(c.kinds) > 0 && c.kinds[0] == kind.Moment && r.kinds[0] == kind.Word && r.isNameWithNumbers()
}

// upper returns the rows without the last ones, where totals may stand, and notes below them.
func upper(rows []row) []row {
	n := aboveTexts(rows)
	return rows[:max(0, n-maxFooter, min(n, (n+1)/2))]
}

// aboveTexts returns how many rows there are up to the last one with several cells, or all of a list.
func aboveTexts(rows []row) int {
	for n := len(rows); n > 0; n-- {
		if rows[n-1].filled > 1 {
			return n
		}
	}
	return len(rows)
}

// bodyOf returns the columns of the rows below a header, with the kinds that they have in the upper ones, if these are enough to tell.
func bodyOf(rows []row, width int) columns {
	c := columnKinds(rows, width).ofUpperRows(rows)
	if len(c.kinds) > narrow && c.kinds[0] == kind.Word {
		c.kinds[0] = c.firstOfFull(rows)
	}
	c.usual = c.filledColumns()
	return c
}

// firstOfFull returns the kind of value that the first column has in all rows without a gap, and in those with three cells that begin with
// a value. All other rows have to be titles of parts, two or more texts alone, or their sums, a text and numbers; below days there may be
// sums alone. Otherwise it returns the kind of words.
func (c columns) firstOfFull(rows []row) kind.Kind {
	full := kind.Word
	n, titles, sums := 0, 0, 0
	for _, r := range rows {
		switch {
		case r.blank || r.width != c.width:
		case r.filled == seen(c.width), r.kinds[0] > kind.Word && r.filled > listCells:
			if n++; r.kinds[0] <= kind.Word || n > 1 && r.kinds[0] != full && !isCode(full, r.kinds[0]) {
				return kind.Word
			}
			full = r.kinds[0]
		case r.kinds[0] != kind.Word || r.filled > 1 && !r.isNameWithNumbers():
			return kind.Word
		case r.filled == 1:
			titles++
		default:
			sums++
		}
	}
	if n < evidence || titles < sectionTitles && (full != kind.Moment || sums < sectionTitles) {
		return kind.Word
	}
	return full
}

// ofUpperRows returns the columns with the kinds of the upper rows, whatever these lack.
func (c columns) ofUpperRows(rows []row) columns {
	above := upper(rows)
	if !slices.ContainsFunc(rows[len(above):], func(r row) bool { return r.filled < seen(c.width) || r.mean }) {
		return c
	}
	if above := columnKinds(withFirst(above), c.width); above.n >= evidence {
		c.kinds = above.kinds
	}
	first := columnKinds(above, c.width)
	c.fullAbove = first.n > evidence && share(first.filled, first.n*seen(c.width)) > fullTable
	return c
}

// withFirst returns the rows that have a value in the first column, if nearly all have, up to the last of them with more than a text:
// others sum up, and tell nothing of the columns.
func withFirst(rows []row) []row {
	last := len(rows)
	for last > 0 && (len(rows[last-1].kinds) == 0 || rows[last-1].kinds[0] == kind.Empty || rows[last-1].filled <= 1) {
		last--
	}
	if last > evidence {
		rows = rows[:last]
	}
	var with []row
	n := 0
	for _, r := range rows {
		if r.blank || len(r.kinds) == 0 || r.subtotal || r.partTotal || r.totalMore {
			continue
		}
		if n++; r.kinds[0] != kind.Empty {
			with = append(with, r)
		}
	}
	if share(len(with), n) < nearlyAlways {
		return rows
	}
	return with
}

// lacksFirst reports whether the record lacks the first and another column in which nearly all have a value, and no other record has such
// gaps.
func (f *closingBlock) lacksFirst(r row) bool {
	return r.width == f.width && !r.broken && f.width > narrow && f.usual[0] && r.kinds[0] == kind.Empty && !r.keyless &&
		f.missing(r) >= sumLacks && !f.isUsualShape(r)
}

// missing counts the columns in which nearly all records have a value and this one has none.
func (c columns) missing(r row) int { return missing(c.usual, r) }

func missing(usual []bool, r row) (n int) {
	for i, always := range usual {
		if always && (i >= len(r.kinds) || r.kinds[i] == kind.Empty) {
			n++
		}
	}
	return n
}

// lacks reports whether the record has no value in a column in which nearly all have one.
func (c columns) lacks(r row) bool { return c.missing(r) > 0 }

func lacks(usual []bool, r row) bool { return missing(usual, r) > 0 }

// hasManyGaps reports whether fewer than half of the cells are filled.
func (c columns) hasManyGaps() bool {
	n, filled := c.several()
	return share(filled, n*seen(c.width)) < sparseTable
}

// several counts the rows and their cells that are filled, without rows of a single cell: forms have numbered lines of which only the
// first ones are filled in.
func (c columns) several() (n, filled int) {
	n, filled = c.n, c.filled
	if c.width <= narrow {
		return n, filled
	}
	for _, r := range c.rows {
		if r.filled == 1 && r.width == c.width && !r.blank && !r.broken && !r.section {
			n, filled = n-1, filled-1
		}
	}
	return n, filled
}

// isFull reports whether the table has enough records with few empty cells, so that a record with a single text cannot
// belong to it.
func (c columns) isFull() bool {
	return c.fullAbove || c.n > evidence && share(c.filled, c.n*c.used) >= fullTable
}

// empties counts the empty cells of the table's columns.
func (c columns) empties(r row) int {
	n := 0
	for i := range c.kinds {
		if i >= len(r.kinds) || r.kinds[i] == kind.Empty {
			n++
		}
	}
	return n
}
