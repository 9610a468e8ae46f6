package sheet

import (
	"errors"
	"io"
	"slices"

	"sheetdrop/internal/sheet/sums"
)

// lookForSums decides whether sums among the rows are to be looked for, and whether rows sum up those below them.
func (x *gridRows) lookForSums() {
	if x.layout.Filter == nil {
		return
	}
	first := slices.IndexFunc(x.ahead.rows, func(r *keptRow) bool { return r.No > x.headEnd })
	if first < 0 {
		return
	}
	rows, found, called := x.ahead.rows[first:], false, 0
	x.strongSums = haveStrongSums(rows)
	var p sums.Parts
	var above sums.Leading
	var top [][]byte
	var mayBe []int64 // rows that may sum up those below
	texts, numbers := x.textsOf(rows)
	strong, n := strongOf(rows, numbers), 0
	for cells := range texts {
		if len(cells) > 0 && above.See(cells, strong[n]) { // not blank
			mayBe = append(mayBe, numbers[n])
		}
		look := x.lookOf(cells, strong[n])
		n++
		if isSum, certain := p.See(cells, look); isSum && certain {
			if look == sums.CalledLook {
				called++
			}
			found = found || look != sums.CalledLook || called > 1 // one may be so by chance
		}
		if top == nil {
			top = slices.Clone(cells)
		}
	}
	if found {
		x.sums = &sums.Parts{}
	}
	switch whole := errors.Is(x.err, io.EOF); {
	case whole && p.SumUpTo(top):
		x.sumsAbove = []int64{rows[0].No}
	case whole && above.Found():
		x.sumsAbove = mayBe
	}
}

// strongOf tells, for each of the numbers, whether the row with that is bold or coloured.
func strongOf(rows []*keptRow, numbers []int64) []bool {
	strong := make([]bool, len(numbers))
	for _, row := range rows {
		if i, ok := slices.BinarySearch(numbers, row.No); ok {
			strong[i] = isStrong(row.Cells)
		}
	}
	return strong
}

// sumsUp reports whether the current row sums up others.
func (x *gridRows) sumsUp(cells [][]byte) bool {
	if slices.Contains(x.sumsAbove, x.row.No) {
		return true
	}
	if x.sums == nil {
		return false
	}
	if x.isLast() && x.sums.IsResult(cells, x.hasCellsBelow()) {
		return true
	}
	isSum, _ := x.sums.See(cells, x.lookOf(cells, isStrong(x.row.Cells)))
	return isSum
}

// lookOf returns what tells of a row, which is strong if it is bold or coloured, that it may be a sum.
func (x *gridRows) lookOf(cells [][]byte, strong bool) sums.Look {
	switch bare := x.layout.Filter.BareLookOf(cells); {
	case bare != sums.Plain:
		return bare
	case strong && x.strongSums:
		return sums.SumLook
	case strong && x.layout.Filter.HasStrongTitles():
		return sums.TitleLook
	}
	return sums.Plain
}

// haveStrongSums reports whether two of the rows or more are bold or coloured, and all of them lack a column in which all others have a
// value.
//
//	North,Ames,100,112
//	North,Bell,120, 96
//	North,    ,220,208
func haveStrongSums(rows []*keptRow) bool {
	n, filled := map[bool]int{}, map[bool]map[int]int{true: {}, false: {}} // rows by their looks, and those with a value in a column
	for _, row := range rows {
		strong := isStrong(row.Cells)
		if valuesOf(row) <= 1 {
			continue
		}
		n[strong]++
		for _, c := range row.Cells {
			if c.HasText() {
				filled[strong][c.Column]++
			}
		}
	}
	for column, plain := range filled[false] {
		if plain == n[false] && filled[true][column] == 0 {
			return plain > 1 && n[true] > 1
		}
	}
	return false
}

// isLast reports whether the current row is known to be the last one of the table.
func (x *gridRows) isLast() bool {
	rows := x.ahead.rows
	return x.ahead.known && (len(rows) == 0 || x.below > 0 && rows[0].No >= x.below || x.other > 0 && rows[0].No >= x.other)
}

// hasCellsBelow reports whether a row below the current one has more than a note.
func (x *gridRows) hasCellsBelow() bool {
	return slices.ContainsFunc(x.ahead.rows, func(r *keptRow) bool { return x.filledCells(r) > 1 })
}
