package sheet

import (
	"slices"

	"sheetdrop/internal/sheet/grid"
)

// nameBesideMerged fills empty cells of the header beside a merged name: such a name is that of its own columns, so that those beside it
// have the names below alone.
//
//	Group │       │ Code │ Price │       │
//	      │ Brand │      │ net   │ gross │ Stock
func (x *gridRows) nameBesideMerged() {
	last := slices.IndexFunc(x.ahead.rows, func(r *keptRow) bool { return r.No == x.headEnd })
	for _, m := range x.known.Merged {
		at := slices.IndexFunc(x.ahead.rows, func(r *keptRow) bool { return r.No == m.Top })
		if m.Top <= x.preamble || m.Bottom > x.headEnd || m.Top == x.headEnd || at < 0 || last < 0 {
			continue
		}
		row, below := x.ahead.rows[at], x.ahead.rows[last]
		for column := m.Right + 1; textAt(row, column) == nil && textAt(below, column) != nil; column++ {
			row.Cells = append(row.Cells, grid.Cell{Column: column, Kind: grid.Text, Text: textAt(below, column)})
		}
		slices.SortStableFunc(row.Cells, func(a, b grid.Cell) int { return a.Column - b.Column })
	}
}

// textAt returns the text of the row in a column; nil if there is none.
func textAt(row *keptRow, column int) []byte {
	for _, c := range row.Cells {
		if c.Column == column && c.HasText() {
			return c.Text
		}
	}
	return nil
}

// leftBelow looks for names of rows that are to be filled in: right below each row with several values stand two rows or more with a single
// one, all in one column further left.
//
//	     │ Monday │ Tuesday
//	8:00 │        │
//	9:00 │        │
type leftBelow struct {
	rows   int   // with several values
	last   int64 // the number of the row that was seen last, as long as they follow each other
	left   int   // columns left of the names
	single int   // rows that have one, right below the last row with several
	mixed  bool  // another row has several values, without such ones below
}

func (b *leftBelow) see(no int64, left, values int) {
	switch {
	case values > 1:
		b.mixed = b.mixed || b.rows > 0 && b.single < leastNames
		b.rows, b.last, b.single = b.rows+1, no, 0
	case b.rows > 0 && no == b.last+1 && (b.rows == 1 && b.single == 0 || left == b.left):
		b.single, b.last, b.left = b.single+1, no, left
	}
}

// leastNames are rows with a name alone below a row of a header.
const leastNames = 2

// of returns how many columns stand left of the table, where so many do of the row with several values.
func (b *leftBelow) of(several int) int {
	if !b.mixed && b.single >= leastNames {
		return min(several, b.left)
	}
	return several
}
