package table

import (
	"slices"

	"sheetdrop/internal/sheet/kind"
)

// limitsAbove returns how many of the first records, right below the names of the columns, are no rows, but say what their values are held
// against: in a first column of other values, or with gaps that hardly any row has.
//
//	Sample,Day,Lead,Zinc
//	Limit,,10,3000
//	P-1,2024-03-04,1.2,310
func (c columns) limitsAbove(rows []row) (n int) {
	for n < len(rows) && rows[n].limit && rows[n].width == c.width && !onlyWords(rows[n]) {
		n++
	}
	rest := rows[n:]
	if n == 0 || c.width < columnsAbove || slices.ContainsFunc(rest, func(r row) bool { return r.limit }) {
		return 0
	}
	body, usual := columnKinds(rest, c.width), c.usual(rest)
	if body.n < evidence || slices.ContainsFunc(rows[:n], func(r row) bool { return !body.isLimited(r, usual) }) {
		return 0
	}
	return n
}

// isLimited reports whether the record, which begins with a word for a limit or for points, has it where the others have a value, or lacks
// columns that nearly all others have: two, or one of days or codes, or of anything for points.
func (c columns) isLimited(r row, usual []bool) bool {
	if c.kinds[0] > kind.Word {
		return true
	}
	for i, k := range r.kinds {
		if k == kind.Empty && usual[i] && c.kinds[i] >= kind.Moment {
			return true
		}
	}
	return missing(usual, r) >= sumLacks || r.reachable && lacks(usual, r)
}
