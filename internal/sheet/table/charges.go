package table

import (
	"slices"

	"sheetdrop/internal/sheet/kind"
)

// charges returns the index of what an invoice adds and takes off: three last rows or more with nothing but a name and an amount, all in
// the same columns, that lack the first cell, which all others have. The first of them is the sum of these, and the last one that of the
// charges.
//
//	A1,Shirt,   2,39.90,79.80
//	B7,Hat,     1,25.00,25.00
//	,  Goods,    ,     ,104.80
//	,  Rebate,   ,     ,-10.00
//	,  To pay,   ,     ,94.80
func (b *bottom) charges(end int) (at int, ok bool) {
	rows := b.rows[:end]
	for at = end; at > 0 && end-at <= maxFooter && rows[at-1].isCharge(b.Columns) && sameShape(rows[at-1], rows[end-1]); {
		at--
	}
	if end-at < evidence || b.Columns <= narrow || b.Above.Rows()+at < bodyRecords || !isFilled(rows[:at]) || !b.Above.Fills(0) {
		return 0, false
	}
	return at, b.Above.AreCharged(slices.Values(b.cells()[:end]), at, slices.Index(rows[at].kinds, kind.Number))
}

// isCharge reports whether the record lacks the first cell, and has a name and a number behind it.
func (r row) isCharge(width int) bool {
	return !r.broken && r.width == width && len(r.kinds) == width && r.isNameWithValue() && !r.has(0)
}
