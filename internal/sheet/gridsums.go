package sheet

import "iter"

// cutSums decides that the last row stands below the table if it sums up all rows above: whatever it is called, each of its numbers is the
// sum of its column. rows are those below the header. Nothing is known of a table of which rows were returned, or of which the program says
// where it ends.
func (x *gridRows) cutSums(rows []*keptRow) {
	if x.lastNo > 0 || len(x.known.Tables) > 0 {
		return
	}
	for len(rows) > 0 && (x.below > 0 && rows[len(rows)-1].No >= x.below || x.filledCells(rows[len(rows)-1]) == 0) {
		rows = rows[:len(rows)-1]
	}
	if len(rows) > 0 && x.isSum(rows) {
		x.below = rows[len(rows)-1].No
	}
}

// isSum reports whether the last of the rows sums up all rows above.
func (x *gridRows) isSum(rows []*keptRow) bool {
	last := len(rows) - 1
	if last == 0 {
		return false
	}
	for cells := range x.texts(rows[last:], rows[last].No-1, x.right, nil) {
		return x.layout.SumsUp(cells, x.rowsOfTable(rows[:last]))
	}
	return false
}

// rowsOfTable returns the cells of those rows that are of the table.
func (x *gridRows) rowsOfTable(rows []*keptRow) iter.Seq[[][]byte] {
	return func(yield func([][]byte) bool) {
		for cells := range x.texts(rows, rows[0].No-1, x.right, nil) {
			if (x.layout.Among == nil || !x.layout.Among.IsNone(cells)) && !yield(cells) {
				return
			}
		}
	}
}
