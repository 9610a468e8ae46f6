package table

import "sheetdrop/internal/sheet/kind"

// sharedColumns returns the columns in which two records or more have a value, if two or more have values in none of them: programs write
// there what holds for the whole table, each below a name of its own. It returns nil if there are no such records, or too few others.
//
//	Account,Day,  Payee,Amount,Opening,Closing,Fees
//	lee,    ,     ,     ,      $20,    ,
//	,       05-02,Hall, -4.50, ,       ,
//	,       05-03,Quay, -2.25, ,       ,
//	,       05-04,Lane, 10.00, ,       ,
//	,       ,     ,     ,      ,       $23.25,
func sharedColumns(rows []row, width int) []bool {
	counts, shared := make([]int, width), make([]bool, width)
	for _, r := range rows {
		if r.blank || r.broken || r.width != width {
			continue
		}
		for i, k := range r.kinds {
			if k != kind.Empty {
				counts[i]++
				shared[i] = counts[i] > 1
			}
		}
	}
	apart, others := 0, 0
	for _, r := range rows {
		switch {
		case r.blank || r.broken || r.width != width:
		case standsApart(r, shared, width):
			apart++
		case r.filled > listCells:
			others++
		}
	}
	if apart < sectionTitles || others < evidence {
		return nil
	}
	return shared
}

// standsApart reports whether the record has no value in these columns, but a name or a value, or both, in others.
func standsApart(r row, shared []bool, width int) bool {
	if r.width != width || r.filled == 0 || r.filled > listCells {
		return false
	}
	for i, is := range shared[:min(len(shared), len(r.kinds))] {
		if is && r.kinds[i] != kind.Empty {
			return false
		}
	}
	return true
}
