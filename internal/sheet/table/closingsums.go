package table

import (
	"slices"

	"sheetdrop/internal/sheet/kind"
)

// belowLine returns the line of the record below a drawn line, if it sums up and nothing follows it but other sums and one more record of
// a name and numbers. It returns 0 if there is none.
//
//	Boyd,        19, 4,19
//	Cruz,        20, 8,14
//	------,      --,--,--
//	TEAM TOTALS, 20,12,33
//	OPPONENTS,   20,31,71
func belowLine(rows []row, last, start int) int64 {
	at := slices.IndexFunc(rows[start:], func(r row) bool { return r.isDrawn() || r.isLine() })
	if at < 0 {
		return 0
	}
	at += start + 1
	if at >= len(rows) || len(rows)-at > maxFooter || at <= start+evidence || int(rows[at].sample) != last || !rows[at].isSum() {
		return 0
	}
	others := 0
	for _, r := range rows[at:] {
		switch {
		case r.blank || r.isSum():
		case r.width == rows[at].width && r.isNameWithNumbers() && others == 0:
			others++
		default:
			return 0
		}
	}
	return rows[at].line
}

// totalAboveBlank returns the line of a total that closes the table, where a blank record follows, and below it names with numbers alone,
// which all lack what nearly all rows have and have the shape of none. It returns 0 if there is none.
//
//	Lee, 1204,48.2%
//	Moss,1010,40.4%
//	Total,2499,100%
//
//	Blank ballots,31,
func (f *closingBlock) totalAboveBlank(rows []row, last, start int) int64 {
	for i := len(rows) - 1; i > start+bodyRecords && len(rows)-i <= maxFooter; i-- {
		r := rows[i]
		switch {
		case r.blank:
		case r.total && r.totalFirst && i+1 < len(rows) && rows[i+1].blank && int(r.sample) == last && f.closing(r, false):
			return r.line
		case r.width != f.width || r.broken || !f.lacks(r) || !f.namesNumbers(r) || f.isUsualShape(r):
			return 0
		}
	}
	return 0
}

// isNameWithNumbers reports whether the record has nothing but numbers, behind empty cells or a name at most.
func (r row) isNameWithNumbers() bool {
	first := r.first()
	if first < 0 || r.kinds[0] > kind.Word {
		return false
	}
	rest := r.kinds[first:]
	if rest[0] == kind.Word {
		rest = rest[1:]
	}
	other := func(k kind.Kind) bool { return k != kind.Number && k != kind.Empty }
	return !slices.ContainsFunc(rest, other) && slices.Contains(rest, kind.Number)
}
