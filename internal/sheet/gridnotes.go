package sheet

import (
	"cmp"
	"slices"

	"sheetdrop/internal/sheet/grid"
)

// cutNotes decides that merged notes stand below the table, and what stands above them as if they were not there. rows are those below the
// header.
func (x *gridRows) cutNotes(rows []*keptRow) {
	for len(rows) > 0 && x.below > 0 && rows[len(rows)-1].No >= x.below {
		rows = rows[:len(rows)-1]
	}
	if !x.mayEndWithNote(rows) || !x.askForMerged() {
		return
	}
	above := x.aboveNotes(rows)
	if len(above) == len(rows) {
		return
	}
	x.below = cmp.Or(x.firstBelow(above), rows[len(above)].No)
}

// mayEndWithNote reports whether the last row that is not blank has nothing but a text.
func (x *gridRows) mayEndWithNote(rows []*keptRow) bool {
	for _, row := range slices.Backward(rows) {
		if n := x.filledCells(row); n > 0 {
			return n <= labelledNote && x.layout.Columns > n
		}
	}
	return false
}

// askForMerged asks for the merged cells, unless that was done for the header, and reports whether they are known. The rows have been read.
func (x *gridRows) askForMerged() bool {
	informed, ok := x.rows.(grid.Informed)
	if !ok || x.asked {
		return ok
	}
	known, err := informed.Known(true)
	if err != nil {
		x.err = fileFault(err)
		return false
	}
	x.asked, x.known.Merged = true, known.Merged
	return true
}

// aboveNotes returns the rows without the last ones that are notes: a text alone that is merged over nearly all of the table's columns, as
// no row of the table is. rows are those below the header.
func (x *gridRows) aboveNotes(rows []*keptRow) []*keptRow {
	end, notes := len(rows), 0
	for i := len(rows) - 1; i > 0 && notes < mergedNotes; i-- {
		if x.filledCells(rows[i]) == 0 {
			continue
		}
		if !x.isMergedNote(rows[i]) {
			break
		}
		end, notes = i, notes+1
	}
	if notes == 0 || x.hasMergedAbove(rows[end].No) {
		return rows
	}
	return rows[:end]
}

// labelledNote is how many cells a note has that stands behind its name: Remarks.
const labelledNote = 2

// isMergedNote reports whether the row has nothing but a text that is merged over the table, or over all columns behind its name.
func (x *gridRows) isMergedNote(row *keptRow) bool {
	n := x.filledCells(row)
	if n > labelledNote {
		return false
	}
	return slices.ContainsFunc(x.known.Merged, func(m grid.Range) bool {
		if m.Top != row.No || !x.spansTable(m) {
			return false
		}
		c, ok := cellAt(row, nil, m)
		return ok && c.Kind == grid.Text && (n == 1 || m.Right >= x.lastOfTable() && c.Column > row.Cells[0].Column)
	})
}

// hasMergedAbove reports whether a row of the table is merged as a note is, above the row with that number.
func (x *gridRows) hasMergedAbove(no int64) bool {
	return slices.ContainsFunc(x.known.Merged, func(m grid.Range) bool { return x.headEnd < m.Top && m.Top < no && x.spansTable(m) })
}

// spansTable reports whether the range has nearly all of the table's columns.
func (x *gridRows) spansTable(m grid.Range) bool {
	right := x.lastOfTable()
	columns := min(m.Right, right) - max(m.Left, x.left+1) + 1
	return columns > 1 && float64(columns) >= noteColumns*float64(right-x.left)
}

// lastOfTable returns the table's last column.
func (x *gridRows) lastOfTable() int { return cmp.Or(x.right, x.folds.end(x.layout.Columns, x.left)) }
