package sheet

import (
	"errors"
	"io"
	"slices"

	"sheetdrop/internal/sheet/dialect"
)

// lookForSums decides whether sums among the rows are to be looked for, and whether the first row sums up all others.
func (x *gridRows) lookForSums() {
	if x.layout.Among == nil {
		return
	}
	first := slices.IndexFunc(x.ahead.rows, func(r *keptRow) bool { return r.No > x.headEnd })
	if first < 0 {
		return
	}
	rows, found := x.ahead.rows[first:], false
	var p dialect.PartSums
	var top [][]byte
	numbers, n, i := gridNumbers(rows, rows[0].No-1), 0, 0
	for cells := range x.texts(rows, rows[0].No-1, x.right, nil) {
		for i+1 < len(rows) && rows[i].No < numbers[n] {
			i++
		}
		strong := rows[i].No == numbers[n] && x.layout.Among.HasStrongTitles() && isStrong(rows[i].Cells)
		n++
		if isSum, certain := p.See(cells, strong); isSum && certain {
			found = true
		}
		if top == nil {
			top = slices.Clone(cells)
		}
	}
	if found {
		x.sums = &dialect.PartSums{}
	}
	if errors.Is(x.err, io.EOF) && p.SumUpTo(top) {
		x.sumAbove = rows[0].No
	}
}

// sumsUp reports whether the current row sums up others.
func (x *gridRows) sumsUp(cells [][]byte) bool {
	if x.row.No == x.sumAbove {
		return true
	}
	if x.sums == nil {
		return false
	}
	isSum, _ := x.sums.See(cells, x.layout.Among.HasStrongTitles() && isStrong(x.row.Cells))
	return isSum
}

// keepAddends decides that rows with few cells right above a sum below the table belong to it, if the sum includes them. rows are those
// below the header.
//
//	Receivables,   7,1565
//	Cash,           , 705
//	Current assets, ,2270
func (x *gridRows) keepAddends(rows []*keptRow) {
	if x.lastNo > 0 || x.below == 0 || len(x.known.Tables) > 0 {
		return
	}
	numbers := gridNumbers(rows, rows[0].No-1)
	end, _ := slices.BinarySearch(numbers, x.below)
	if end == len(numbers) {
		return
	}
	x.below = numbers[dialect.BelowAddends(x.texts(rows, rows[0].No-1, x.right, nil), end)]
}
