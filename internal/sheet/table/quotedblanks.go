package table

import "slices"

// blankQuoted takes records of two or more empty cells for blank where each record begins with a quote, and reports whether it does. One
// empty cell alone is blank in any table of more columns.
//
//	"Name","Town"
//	"",""
//	"Ann","Bath"
//	""
func blankQuoted(rows []row) bool {
	blankAlone(rows)
	n, empties := 0, 0
	for _, r := range rows {
		switch {
		case r.blank:
		case !r.quoted || r.broken || r.width < narrow:
			return false
		case r.filled > 0:
			n++
		default:
			empties++
		}
	}
	if n < bodyRecords {
		return false
	}
	for i := range rows {
		rows[i].blank = rows[i].blank || empties > 0 && rows[i].filled == 0 && !slices.ContainsFunc(rows[i].texts, isSomeText)
	}
	return true
}

// blankAlone takes records of one empty cell for blank if most of those down to the last one with more have more.
func blankAlone(rows []row) {
	wide, last := 0, 0
	for i, r := range rows {
		if r.width >= narrow {
			wide, last = wide+1, i
		}
	}
	for i, r := range rows {
		rows[i].blank = r.blank || r.width == 1 && r.filled == 0 && !r.broken && wide > last-wide
	}
}
