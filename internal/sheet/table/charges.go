package table

import (
	"bytes"
	"iter"
	"math"
	"slices"

	"sheetdrop/internal/sheet/kind"
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
	return l.firstCharge(rows, Above{}, l.cellsOf(s, rows))
}

// BelowCharges is belowCharges of a worksheet's last rows, further above which there are others. It returns the index of the row, from 1; 0
// if there is none.
func (l Layout) BelowCharges(grid iter.Seq[[][]byte], above Above) int {
	return int(l.firstCharge(withoutBlank(l.lastRows(grid)), above, cellsFrom(grid, 0)))
}

// firstCharge returns the line of the first one of such records. cells are those of the rows, further above which there are others.
func (l Layout) firstCharge(rows []row, above Above, cells iter.Seq[[][]byte]) int64 {
	if l.Columns <= narrow {
		return 0
	}
	at := len(rows)
	for at > 0 && len(rows)-at <= maxFooter && rows[at-1].isCharge(l.Columns) && sameShape(rows[at-1], rows[len(rows)-1]) {
		at--
	}
	if len(rows)-at < evidence || above.rows+at < bodyRecords || !isFilled(rows[:at]) || above.columns.of(0).filled < above.rows {
		return 0
	}
	amount := slices.Index(rows[at].kinds, kind.Number)
	goods, due, charges, n := above.columns.of(amount), total{}, []figure(nil), 0
	if goods.n < above.rows || !above.isKnown() {
		return 0
	}
	for cells := range cells {
		f, ok := figureAt(cells, amount)
		if n++; !ok {
			return 0
		}
		if n <= at {
			goods.add(f)
			continue
		}
		charges = append(charges, f)
	}
	if n != len(rows) { // some have no amount
		return 0
	}
	first, last := charges[0], charges[len(charges)-1]
	for _, f := range charges[:len(charges)-1] {
		due.add(f)
	}
	for reading := range readings {
		if !math.IsNaN(first.value[reading]+last.value[reading]) && goods.equals(first, reading) && due.equals(last, reading) {
			return rows[at].line
		}
	}
	return 0
}

// figureAt returns what the cell of a column is worth.
func figureAt(cells [][]byte, column int) (f figure, ok bool) {
	if column >= len(cells) {
		return f, false
	}
	return figureOf(bytes.TrimSpace(cells[column]))
}

// isCharge reports whether the record lacks the first cell, and has a name and a number behind it.
func (r row) isCharge(width int) bool {
	return !r.broken && r.width == width && len(r.kinds) == width && r.isNameWithValue() && !r.has(0)
}
