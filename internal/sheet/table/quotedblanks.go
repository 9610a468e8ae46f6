package table

import "slices"

// blankQuoted takes records of two or more empty cells for blank where each record begins with a quote, and reports whether it does.
//
//	"Name","Town"
//	"",""
//	"Ann","Bath"
func blankQuoted(rows []row) bool {
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
