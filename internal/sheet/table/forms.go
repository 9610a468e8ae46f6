package table

import (
	"slices"

	"sheetdrop/internal/sheet/kind"
)

// belowForm returns the index of the table's header right below names with their values, two or more to a line, of which the last line has
// a day behind a name, or is another one about the table, and titles; first if there are none.
//
//	Claim,,,
//	Name,R. Fox,Dept,HR
//	Date,2024-05-05,No.,88
//	What,When,Where,Amount
func (l Layout) belowForm(rows []row, first int) int {
	if l.Columns < formCells {
		return first
	}
	head := first
	for head < len(rows) && head-first < maxForm && (rows[head].filled <= listCells || rows[head].isPairs() || rows[head].isAbout()) {
		head++
		if head < len(rows) && rows[head-1].isAbout() && hasEachTextOnce(rows[head]) && headsAll(rows[head:], l.Columns) {
			return head
		}
	}
	return first
}

// isPairs reports whether the record has nothing but words in its first cells, each with a value behind it.
func (r row) isPairs() bool {
	if r.broken || r.filled < formCells || r.filled%2 == 1 || !r.isPrefix() {
		return false
	}
	for i := 0; i < r.filled; i += 2 {
		if r.kinds[i] != kind.Word {
			return false
		}
	}
	return hasEachTextOnce(r)
}

// isAbout reports whether the record says what holds for the table, and names no columns: it names a day, has a day and a number, or a
// value behind a name with a colon.
//
//	Cheque account,****1234,28/02/2025,,1820.44
//	Plate:,P1,1.3,Kinetic,Absorbance
func (r row) isAbout() bool {
	return r.namesDay() || slices.Contains(r.kinds, kind.Moment) && slices.Contains(r.kinds, kind.Number) || r.setting && r.typed() > 0
}

// namesDay reports whether the value of one of the record's names is a day.
func (r row) namesDay() bool {
	for i := 1; r.isPairs() && i < r.filled; i += 2 {
		if r.kinds[i] == kind.Moment {
			return true
		}
	}
	return false
}

// hasEachTextOnce reports whether none of the record's texts comes twice.
func hasEachTextOnce(r row) bool {
	for i, text := range r.texts {
		if r.kinds[i] != kind.Empty && slices.Contains(r.texts[:i], text) {
			return false
		}
	}
	return true
}

// IsPair reports whether a cell is a name with its value: Printed: 2024-05-31.
func IsPair(cell []byte) bool { return gridRow([][]byte{cell}).paired }
