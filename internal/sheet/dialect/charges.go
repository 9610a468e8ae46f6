package dialect

import (
	"bytes"
	"math"
	"slices"
)

// belowCharges returns the line of the first of three closing records or more that lack the first cell, which all rows have, and have
// nothing but a name and an amount, all in the same columns, if the first of them is the sum of the rows and the last one that of the
// others: what an invoice adds and takes off. It returns 0 if there are none. The text is one sample, and rows are those below the header.
//
//	A1,Shirt,   2,39.90,79.80
//	B7,Hat,     1,25.00,25.00
//	,  Goods,    ,     ,104.80
//	,  Rebate,   ,     ,-10.00
//	,  To pay,   ,     ,94.80
func (l Layout) belowCharges(text []byte, d Dialect, h Hints, rows []row) int64 {
	if rows = rowsBefore(rows, l.FooterLine, 0); len(rows) >= headRows {
		return 0
	}
	rows = slices.DeleteFunc(slices.Clone(rows), func(r row) bool { return r.blank })
	at := len(rows)
	for at > 0 && len(rows)-at <= maxFooter && rows[at-1].isCharge(l.Columns) && sameShape(rows[at-1], rows[len(rows)-1]) {
		at--
	}
	above := rows[:at]
	if len(rows)-at < evidence || len(above) < bodyRecords || !isFilled(above) {
		return 0
	}
	amount := slices.Index(rows[at].kinds, number)
	var goods, due total
	var first, last figure
	no := 0
	for cells := range l.cellsOf(text, d, h, rows) {
		f, ok := figure{}, false
		if amount < len(cells) {
			f, ok = figureOf(bytes.TrimSpace(cells[amount]))
		}
		switch no++; {
		case !ok:
			return 0
		case no <= at:
			goods.add(f)
			continue
		case no == at+1:
			first = f
		}
		if last = f; no < len(rows) {
			due.add(f)
		}
	}
	for reading := range readings {
		if !math.IsNaN(first.value[reading]+last.value[reading]) && goods.is(first, reading) && due.is(last, reading) {
			return rows[at].line
		}
	}
	return 0
}

// isCharge reports whether the record lacks the first cell, and has a name and a number behind it.
func (r row) isCharge(width int) bool {
	if r.broken || r.width != width || r.filled != listCells || len(r.kinds) != width || r.has(0, r.kinds[0]) {
		return false
	}
	name, amount := slices.Index(r.kinds, word), slices.Index(r.kinds, number)
	return name > 0 && amount > name
}
