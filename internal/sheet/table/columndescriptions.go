package table

import (
	"slices"

	"sheetdrop/internal/sheet/kind"
)

// describesColumns reports whether the record right below the names belongs to the header, though it differs from the rows in one column
// alone.
func (r row) describesColumns(names row, rows []row, below columns) bool {
	return r.hasDashesFor(rows, below.width) || r.lacksKeysAs(names, below) || r.saysWhatIsAsked(names, rows)
}

// hasDashesFor reports whether the record has signs for nothing in two columns or more that have a value in nearly all rows, and no empty
// cell or value: a line of units has them where there is none.
//
//	no,name,weight,seen
//	-, -,   kg,    yyyy-mm-dd
//	1, ash, 1.16,  2025-03-03
func (r row) hasDashesFor(rows []row, width int) bool {
	if !onlyWords(r) {
		return false
	}
	dashes := 0
	for i, usual := range columnKinds(rows, width).filledColumns() {
		switch {
		case i >= len(r.kinds) || !r.has(i, r.kinds[i]):
			return false
		case r.kinds[i] == kind.Empty && usual:
			dashes++
		}
	}
	return dashes >= narrow
}

// lacksKeysAs reports whether the record and the one above lack the same first cells, which all rows below have: it has the units of the
// columns that the one above names.
//
//	,,Cars
//	,,Number
//	01,York,812
func (r row) lacksKeysAs(above row, below columns) bool {
	n := r.first()
	return n > 0 && onlyWords(r) && n+r.filled == r.width && n+above.filled == above.width &&
		above.kinds[n-1] == kind.Empty && isFilled(below.rows)
}

// saysWhatIsAsked reports whether the record below the names of all columns lacks the first cell or cells, which all rows below have, and
// has texts in all others, of which none comes again: the questions of a survey, or units.
//
//	Respondent,Q1,Q2
//	,How old are you?,Do you commute?
//	1,34,Yes
func (r row) saysWhatIsAsked(names row, rows []row) bool {
	first := r.first()
	if first < 1 || r.keyless || r.width <= narrow || r.filled < narrow || r.filled != seen(r.width)-first || !onlyWords(r) {
		return false
	}
	return names.filled == seen(names.width) && !slices.ContainsFunc(rows, func(b row) bool {
		for i := range b.texts[:min(len(b.texts), len(r.texts))] {
			if i < first && b.kinds[i] == kind.Empty && !b.blank || i >= first && b.texts[i] == r.texts[i] && r.has(i, r.kinds[i]) {
				return true
			}
		}
		return false
	})
}
