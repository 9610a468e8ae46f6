package sums

import (
	"bytes"
	"slices"

	"sheetdrop/internal/sheet/dialect"
)

// totals are what stands in the columns of several rows.
type totals []total

// of returns what stands in a column.
func (t totals) of(column int) total {
	if column >= len(t) {
		return total{}
	}
	return t[column]
}

// at returns the total of a column, to be changed.
func (t *totals) at(column int) *total {
	for len(*t) <= column {
		*t = append(*t, total{})
	}
	return &(*t)[column]
}

// isEmpty reports whether no number was added.
func (t totals) isEmpty() bool {
	return !slices.ContainsFunc(t, func(t total) bool { return t.n > 0 })
}

// addCells adds the cells of a row, and returns how many are filled.
func (t *totals) addCells(cells [][]byte) (filled int) {
	for column, cell := range cells[:seen(cells)] {
		if cell = bytes.TrimSpace(cell); len(cell) == 0 {
			continue
		}
		filled++
		of := t.at(column)
		of.filled++
		if f, ok := figureOf(cell); ok {
			of.add(f)
		}
	}
	return filled
}

// plus returns the totals with others, each times a factor.
func (t totals) plus(other totals, factor float64) totals {
	sum := make(totals, max(len(t), len(other)))
	for i := range sum {
		for r := range readings {
			sum[i].sum[r] = t.of(i).sum[r] + factor*other.of(i).sum[r]
		}
	}
	return sum
}

// match reports whether the numbers of the row are the totals, with so many digits that count, and whether these are of several rows. A
// third may be shares or the like, and beside two sums any number that lies between those of its column.
func (t totals) match(cells [][]byte, digits int) (ok, several bool) {
	for r := range readings {
		if ok, several = t.matchRead(cells, digits, r); ok {
			break
		}
	}
	return ok, several
}

func (t totals) matchRead(cells [][]byte, least, reading int) (ok, several bool) {
	same, between, other, digits := 0, 0, 0, 0
	for column, cell := range cells[:seen(cells)] {
		f, ok := figureOf(bytes.TrimSpace(cell))
		if !ok {
			continue
		}
		switch above := t.of(column); {
		case above.equals(f, reading) && f.digits > 0:
			same++
			digits += f.digits
			several = several || above.n > 1
		case above.equals(f, reading):
		case above.encloses(f, reading):
			between++
		default:
			other++
		}
	}
	rest := 2*(between+other) <= same || other == 0 && same > 1
	return same > 0 && digits >= least && rest, several
}

// seen returns how many cells are looked at of a record with these.
func seen(cells [][]byte) int { return min(len(cells), dialect.MaxColumns) }
