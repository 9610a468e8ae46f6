package table

import (
	"maps"

	"sheetdrop/internal/sheet/kind"
)

// endInTotals reports whether two parts or more that begin with these titles end with a row that is named Total.
func endInTotals(rows []row, titles map[uint64]bool) bool {
	n, total := 0, false
	for _, r := range rows {
		switch {
		case r.blank:
			continue
		case total && r.isTitle() && titles[r.texts[0]]:
			n++
		}
		total = r.total && r.totalFirst && r.filled > 1
	}
	return n >= sectionTitles
}

// results returns the hashes of the names of what is computed of several parts. Two parts or more end with sums that name their titles. A
// record with a name such as Net income and numbers stands right below one of these, or below another such record, or last, and nowhere
// else.
//
//	Income,      ,
//	Design,      1200.00
//	Total Income,1200.00
//	Gross Profit,1200.00
//	Expenses,    ,
//	Fuel,        96.40
//	Total Expenses,96.40
//	Net Income,  1103.60
func (c columns) results(rows []row, titles map[uint64]bool) map[uint64]bool {
	names, others, sums, below := map[uint64]bool{}, map[uint64]bool{}, 0, false
	last := aboveTexts(rows) - 1
	for i, r := range rows {
		switch {
		case r.blank || r.width != c.width:
		case r.partTotal && titles[r.part]:
			sums, below = sums+1, true
		case !r.isResult(c.kinds):
			below = false
		case below || i == last:
			names[r.texts[0]] = true
		default:
			others[r.texts[0]] = true
		}
	}
	if sums < sectionTitles {
		return nil
	}
	maps.DeleteFunc(names, func(name uint64, _ bool) bool { return others[name] })
	return names
}

// isResult reports whether the record is named as what is computed of several parts, and has nothing else but numbers.
func (r row) isResult(kinds []kind.Kind) bool {
	return r.result && len(r.kinds) == len(kinds) && columns{kinds: kinds}.namesNumbers(r)
}
