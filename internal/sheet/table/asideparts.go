package table

import (
	"slices"

	"sheetdrop/internal/sheet/kind"
)

// titlesAside finds titles of parts that stand alone behind empty first cells, all in one column: two rows or more, each right above a
// fuller one. Either all other rows have a first cell, and the column has values; or all titles are bold or coloured, as strong has it, and
// most rows with more cells are not.
//
//	Day,       All,   Single
//	,          Men
//	2021-12-31,41076, 19250
//	2022-12-31,41602, 19700
//	,          Women
//	2021-12-31,42161, 16470
func (c columns) titlesAside(rows []row, strong []bool) (parts titledParts, column int) {
	looks, keyed := titleLooks{strong: strong}, true
	for i, r := range rows {
		switch at := r.alone(); {
		case r.blank || r.width != c.width:
		case at > 0 && i+1 < len(rows) && rows[i+1].filled > 1:
			if looks.titles > 0 && at != column {
				return noTitles, 0
			}
			column = at
			looks.addTitle(i)
		case r.isSum() || r.filled == 1:
		default:
			keyed = keyed && r.kinds[0] != kind.Empty
			looks.addRow(i)
		}
	}
	switch {
	case c.width <= narrow || looks.titles < sectionTitles:
		return noTitles, 0
	case keyed && c.kinds[column] > kind.Word:
		return allTitles, column
	case looks.bold == looks.titles && looks.areStrong(looks.bold):
		return strongTitles, column
	}
	return noTitles, 0
}

// alone returns the place, behind the first cell, of the record's only value, if that is a text; otherwise 0.
func (r row) alone() int {
	if r.broken || r.filled != 1 {
		return 0
	}
	return max(0, slices.Index(r.kinds, kind.Word))
}
