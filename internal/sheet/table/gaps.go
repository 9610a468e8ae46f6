package table

import "sheetdrop/internal/sheet/kind"

// lacksFirst reports whether the record lacks the first and another column in which nearly all have a value, and no other record has such
// gaps.
func (f *closingBlock) lacksFirst(r row) bool {
	return r.width == f.width && !r.broken && f.width > narrow && f.usual[0] && r.kinds[0] == kind.Empty && !r.keyless &&
		f.missing(r) >= sumLacks && !f.isUsualShape(r)
}

// missing counts the columns in which nearly all records have a value and this one has none.
func (f *closingBlock) missing(r row) int { return missing(f.usual, r) }

func missing(usual []bool, r row) (n int) {
	for i, always := range usual {
		if always && (i >= len(r.kinds) || r.kinds[i] == kind.Empty) {
			n++
		}
	}
	return n
}

// lacks reports whether the record has no value in a column in which nearly all have one.
func (f *closingBlock) lacks(r row) bool { return lacks(f.usual, r) }

func lacks(usual []bool, r row) bool { return missing(usual, r) > 0 }

// hasManyGaps reports whether fewer than half of the cells are filled.
func (c columns) hasManyGaps() bool {
	n, filled := c.several()
	return share(filled, n*seen(c.width)) < sparseTable
}

// several counts the rows and their cells that are filled, without rows of a single cell: forms have numbered lines of which only the
// first ones are filled in.
func (c columns) several() (n, filled int) {
	n, filled = c.n, c.filled
	if c.width <= narrow {
		return n, filled
	}
	for _, r := range c.rows {
		if r.filled == 1 && r.width == c.width && !r.blank && !r.broken && !r.section {
			n, filled = n-1, filled-1
		}
	}
	return n, filled
}

// isFull reports whether the table has enough records with few empty cells, so that a record with a single text cannot
// belong to it.
func (c columns) isFull() bool {
	return c.fullAbove || c.n > evidence && share(c.filled, c.n*c.used) >= fullTable
}

// empties counts the empty cells of the table's columns.
func (c columns) empties(r row) int {
	n := 0
	for i := range c.kinds {
		if i >= len(r.kinds) || r.kinds[i] == kind.Empty {
			n++
		}
	}
	return n
}
