package sheet

import (
	"sheetdrop/internal/sheet/grid"
	"sheetdrop/internal/sheet/types"
)

// shownKinds are which kinds of values with hours and minutes a column has, and how many numbers, and of these with decimals.
type shownKinds struct {
	times, durations bool
	numbers, pointed int
}

// see notes that a column has a value of this kind.
func (x *gridRows) see(c *grid.Cell, column int) {
	if x.asItStands { // above or below the table
		return
	}
	for len(x.shown) < column {
		x.shown = append(x.shown, shownKinds{})
	}
	k := &x.shown[column-1]
	switch c.Kind {
	case grid.Time:
		k.times = true
	case grid.Duration:
		k.durations = true
	case grid.Number:
		if k.numbers++; c.Shown != grid.AsNumber {
			k.pointed++
		}
	}
}

// tellShown tells the types which of the columns have durations and no times, or mostly decimals, as their cells are formatted.
func (x *gridRows) tellShown(t *types.Table, columns int) {
	for i, k := range x.shown[:min(len(x.shown), columns)] {
		if k.durations && !k.times {
			t.Elapsed(i)
		}
		if 2*k.pointed > k.numbers {
			t.Decimal(i)
		}
	}
}
