package table

import "slices"

// isSparse reports whether the table has few rows, or half of their cells are empty.
func (c columns) isSparse() bool {
	n, filled := c.several()
	return n < bodyRecords || share(filled, n*seen(c.width)) <= sparseTable
}

// several counts the rows and their cells that are filled, without rows of a single cell: forms have numbered lines of which only the
// first ones are filled in.
func (c columns) several() (n, filled int) {
	n, filled = c.n, c.filled
	if c.width <= narrow {
		return n, filled
	}
	for _, r := range c.rows {
		if r.filled == 1 && r.width == c.width && !r.blank && !r.broken && !r.section && !r.isDrawn() {
			n, filled = n-1, filled-1
		}
	}
	return n, filled
}

// untilBlank returns the records above the first blank one: totals and notes that stand below it have gaps.
func untilBlank(rows []row) []row {
	if i := slices.IndexFunc(rows, func(r row) bool { return r.blank }); i >= 0 {
		return rows[:i]
	}
	return rows
}
