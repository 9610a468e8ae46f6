package sums

import (
	"bytes"
	"iter"
	"math"
	"slices"
)

// Above is what stands in the columns above a record, of up to MaxAbove rows. Its size is bounded by the columns that are looked at.
type Above struct {
	columns totals
	rows    int
}

// MaxAbove is of how many rows sums are looked for, and one more.
const MaxAbove = 1000

// Add adds the cells of a row.
func (a *Above) Add(cells [][]byte) {
	if a.rows++; a.IsKnown() {
		a.columns.addCells(cells)
	}
}

// Forget makes nothing known of the rows: they were not all read.
func (a *Above) Forget() { a.rows = MaxAbove }

// With returns what stands in the columns with those of further rows.
func (a *Above) With(rows iter.Seq[[][]byte]) Above {
	sum := a.clone()
	for cells := range rows {
		sum.Add(cells)
	}
	return sum
}

// clone returns a copy, to which others may be added.
func (a *Above) clone() Above { return Above{slices.Clone(a.columns), a.rows} }

// IsKnown reports whether all rows were added.
func (a *Above) IsKnown() bool { return a.rows < MaxAbove }

// Rows returns how many rows were added.
func (a *Above) Rows() int { return a.rows }

// Fills reports whether each of the rows has something in the column.
func (a *Above) Fills(column int) bool { return a.columns.of(column).filled >= a.rows }

// AreCharged reports whether of the amounts in a column, the first one behind so many rows of goods is the sum of all amounts above it, and
// the last one that of all others behind the goods. Further rows of goods stand above; each row has an amount.
func (a *Above) AreCharged(rows iter.Seq[[][]byte], goods, column int) bool {
	sum, due, charges, n := a.columns.of(column), total{}, []figure(nil), 0
	if sum.n < a.rows || !a.IsKnown() {
		return false
	}
	for cells := range rows {
		if n++; column >= len(cells) {
			return false
		}
		f, ok := figureOf(bytes.TrimSpace(cells[column]))
		switch {
		case !ok:
			return false
		case n <= goods:
			sum.add(f)
		default:
			charges = append(charges, f)
		}
	}
	if len(charges) < evidence {
		return false
	}
	first, last := charges[0], charges[len(charges)-1]
	for _, f := range charges[:len(charges)-1] {
		due.add(f)
	}
	return slices.ContainsFunc(bothReadings, func(r int) bool {
		return !math.IsNaN(first.value[r]+last.value[r]) && sum.equals(first, r) && due.equals(last, r)
	})
}

// AddUpToNone reports whether a record has numbers of which none is the sum or the average of those above it. Of a single record none may
// be how many they are either, nor greater than all of them, as a sum may be one of more than the table lists; unless one goes on with
// those that number the rows.
func (a *Above) AddUpToNone(cells [][]byte, several bool) bool {
	numbers, mayCount, goesOn := 0, false, false
	for i, cell := range cells {
		f, ok := figureOf(bytes.TrimSpace(cell))
		if !ok {
			continue
		}
		s := a.columns.of(i)
		numbers++
		for r, v := range f.value {
			if s.n == 0 || s.equals(f, r) || s.differ(r) && s.isMean(f, r) {
				return false
			}
			mayCount = mayCount || v == float64(s.filled) || !(v <= s.max[r] && s.min[r] >= 0 || v < 0)
			goesOn = goesOn || s.goesOn(v, r)
		}
	}
	return numbers > 0 && (several || !mayCount || goesOn)
}
