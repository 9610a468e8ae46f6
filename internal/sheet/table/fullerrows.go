package table

import (
	"slices"

	"sheetdrop/internal/sheet/kind"
)

// fuller returns the rows of the table's width that neither stand alone nor sum up, by a word or a name where the others have a value.
func (c columns) fuller(rows []row) (list []row) {
	for i := range rows {
		r := &rows[i]
		named := len(c.kinds) > 0 && c.kinds[0] > kind.Word && len(r.kinds) > 0 && r.kinds[0] == kind.Word && r.isNameWithNumbers()
		if r.width == c.width && r.filled > 1 && !r.isSum() && !r.isResult(c.kinds) && !named {
			list = append(list, *r)
		}
	}
	return list
}

// isFullOfValues reports whether the first column has values, and few cells are empty.
func (c columns) isFullOfValues() bool {
	return c.n > evidence && c.kinds[0] > kind.Word && share(c.filled, c.n*seen(c.width)) >= fullTable
}

// beginFull reports whether all rows that neither stand alone nor sum up, three or more, begin with a value and have no gap.
func (c columns) beginFull(rows []row) bool {
	fuller := c.fuller(rows)
	isOther := func(r row) bool { return r.filled < seen(c.width) || r.kinds[0] <= kind.Word }
	return len(fuller) >= evidence && !slices.ContainsFunc(fuller, isOther)
}

// isFullBut reports whether the first column has values, and no row has a gap but those that stand alone or sum up: a single text alone is
// no row then.
func (c columns) isFullBut(rows []row) bool {
	for len(rows) > 0 && rows[len(rows)-1].filled < seen(c.width) { // what is computed of them
		rows = rows[:len(rows)-1]
	}
	fuller := c.fuller(rows)
	gap := slices.ContainsFunc(fuller, func(r row) bool { return r.filled < seen(c.width) })
	return !gap && columnKinds(fuller, c.width).isFullOfValues()
}

// allOthersAreFuller reports whether the titles, so many, are all texts that stand alone in the first column, and all other rows are
// fuller. These are two for each title at least that stands above no other one. They have a value in each of two columns behind the first,
// or of three if a title comes again, or in one of two.
func (c columns) allOthersAreFuller(rows []row, titles int, distinct bool) bool {
	others, least, filled := 0, titles*bodyRecords, make([]int, len(c.kinds))
	if c.areLetters() {
		least = titles
	}
	rows = withoutPairsBelow(rows)
	for i, r := range rows {
		switch {
		case r.isTitle() && !r.note:
			if titles--; nests(rows[i+1:]) {
				least -= bodyRecords
			}
		case r.blank || r.isSum() || r.note || r.isResult(c.kinds) && r.filled < seen(c.width):
		case r.filled > 1:
			others++
			for i, k := range r.kinds[:min(len(r.kinds), len(filled))] {
				if k != kind.Empty {
					filled[i]++
				}
			}
		}
	}
	always := 0
	for _, n := range filled[1:] {
		if n == others {
			always++
		}
	}
	return titles == 0 && others >= least && (always > narrow || distinct && (always == narrow || c.shareRows(filled, others)))
}

// shareRows reports whether two columns of numbers, and no others, share so many rows between them, as debit and credit do; filled counts
// the cells of each column.
func (c columns) shareRows(filled []int, rows int) bool {
	sides, sum := 0, 0
	for i, n := range filled {
		switch {
		case i == 0 || n == 0:
		case c.kinds[i] != kind.Number:
			return false
		default:
			sides, sum = sides+1, sum+n
		}
	}
	return sides == narrow && sum == rows
}

// withoutPairsBelow returns the rows above the last ones that stand below a blank row and have two cells at most, such as names with their
// values, or what is to be filled in.
func withoutPairsBelow(rows []row) []row {
	n := len(rows)
	for n > 0 && !rows[n-1].blank && rows[n-1].filled <= listCells {
		n--
	}
	if n == 0 || !rows[n-1].blank {
		return rows
	}
	return rows[:n]
}

// areLetters reports whether all texts that stand alone in the first column are single letters, as those of a register are.
func (c columns) areLetters() bool {
	return !slices.ContainsFunc(c.rows, func(r row) bool { return r.isTitle() && !r.note && (!r.marks || r.key > longestLetter) })
}

// longestLetter is how many bytes a letter has.
const longestLetter = 3
