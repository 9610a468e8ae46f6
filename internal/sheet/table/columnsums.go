package table

import (
	"bytes"
	"iter"
	"slices"
)

// Above is what stands in the columns above a record, of up to headRows rows. Its size is bounded by the columns that are looked at.
type Above struct {
	columns []colSum
	rows    int
}

// colSum is what stands in a column.
type colSum struct {
	total
	filled int // cells that are not empty
}

func (s *colSum) add(cell []byte) {
	if len(cell) > 0 {
		s.filled++
	}
	if f, ok := figureOf(cell); ok {
		s.total.add(f)
	}
}

// Add adds the cells of a row.
func (a *Above) Add(cells [][]byte) {
	if a.rows++; !a.isKnown() {
		return
	}
	cells = cells[:seen(len(cells))]
	for len(a.columns) < len(cells) {
		a.columns = append(a.columns, colSum{})
	}
	for i, cell := range cells {
		a.columns[i].add(bytes.TrimSpace(cell))
	}
}

// Forget makes nothing known of the rows: they were not all read.
func (a *Above) Forget() { a.rows = headRows }

// With returns what stands in the columns with those of further rows.
func (a *Above) With(rows iter.Seq[[][]byte]) Above {
	sum := a.clone()
	for cells := range rows {
		sum.Add(cells)
	}
	return sum
}

func (a *Above) clone() Above { return Above{slices.Clone(a.columns), a.rows} }

// isKnown reports whether all rows were added.
func (a *Above) isKnown() bool { return a.rows < headRows }

// of returns what stands in a column.
func (a *Above) of(column int) colSum {
	if column >= len(a.columns) {
		return colSum{}
	}
	return a.columns[column]
}
