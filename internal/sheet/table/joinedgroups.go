package table

import (
	"slices"

	"sheetdrop/internal/sheet/kind"
)

// joinGroups removes the blank records between names of groups and the names of the columns that come again below each of them, so that
// both are the header.
//
//	,       Men,,  Women,
//	,       ,   ,  ,
//	Council,2011,2022,2011,2022
func joinGroups(rows []row, width int) []row {
	for i, r := range rows[:min(len(rows), maxPadded)] {
		if r.blank || r.broken || r.width != width || r.filled < groupNames || !onlyWords(r) {
			continue
		}
		next := i + 1
		for next < len(rows) && next <= i+maxTitles && rows[next].blank {
			next++
		}
		if next == i+1 || next >= len(rows) || rows[next].width != width || !r.groupsAllAlike(rows[next]) {
			continue
		}
		below := pastBlank(rows, next+1)
		if columnKinds(rows[below:], width).n < bodyRecords {
			return rows
		}
		return slices.Concat(rows[:i+1], rows[next:next+1], rows[below:])
	}
	return rows
}

// groupsAllAlike reports whether the next record has the same texts below each of the record's names, of which each stands above two or
// more. One of the two lacks the first cell.
//
//	year,North,,South,       ,       2023,2023,2024,2024
//	,    0,    1,0,  1       Station,1,   7,   1,   7
func (r row) groupsAllAlike(next row) bool {
	named := r.kinds[0] == kind.Empty && next.kinds[0] == kind.Word && next.filled == next.width
	if len(next.texts) != next.width || !named && (next.kinds[0] != kind.Empty || next.filled != next.width-1) {
		return false
	}
	return r.kinds[1] != kind.Empty && r.groupsAlike([]row{next}, next.width)
}
