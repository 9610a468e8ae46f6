package table

import (
	"iter"
	"slices"

	"sheetdrop/internal/sheet/kind"
	"sheetdrop/internal/sheet/sums"
)

// belowCharges returns the line of what an invoice adds and takes off: three closing records or more with nothing but a name and an amount,
// all in the same columns, that lack the first cell, which all rows have. The first of them is the sum of the rows, and the last one that
// of the others. It returns 0 if there are none.
//
//	A1,Shirt,   2,39.90,79.80
//	B7,Hat,     1,25.00,25.00
//	,  Goods,    ,     ,104.80
//	,  Rebate,   ,     ,-10.00
//	,  To pay,   ,     ,94.80
func (l Layout) belowCharges(s source, rows []row) int64 {
	return l.firstCharge(rows, sums.Above{}, l.cellsOf(s, rows))
}

// BelowCharges is belowCharges of a worksheet's last rows, further above which there are others. It returns the index of the row, from 1; 0
// if there is none.
func (l Layout) BelowCharges(grid iter.Seq[[][]byte], above sums.Above) int {
	return int(l.firstCharge(withoutBlank(l.lastRows(grid)), above, cellsFrom(grid, 0)))
}

// firstCharge returns the line of the first one of such records. cells are those of the rows, further above which there are others.
func (l Layout) firstCharge(rows []row, above sums.Above, cells iter.Seq[[][]byte]) int64 {
	if l.Columns <= narrow {
		return 0
	}
	at := len(rows)
	for at > 0 && len(rows)-at <= maxFooter && rows[at-1].isCharge(l.Columns) && sameShape(rows[at-1], rows[len(rows)-1]) {
		at--
	}
	if len(rows)-at < evidence || above.Rows()+at < bodyRecords || !isFilled(rows[:at]) || !above.Fills(0) {
		return 0
	}
	if amount := slices.Index(rows[at].kinds, kind.Number); !above.AreCharged(cells, at, amount) {
		return 0
	}
	return rows[at].line
}

// isCharge reports whether the record lacks the first cell, and has a name and a number behind it.
func (r row) isCharge(width int) bool {
	return !r.broken && r.width == width && len(r.kinds) == width && r.isNameWithValue() && !r.has(0)
}
