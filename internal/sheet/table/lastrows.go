package table

import (
	"slices"

	"sheetdrop/internal/sheet/kind"
	"sheetdrop/internal/sheet/sums"
)

// pastLastRows returns what becomes of the table's end where the rows from there on only look like sums: none of their numbers is the sum
// of those above. Then it is the first text alone below them, or the number of rows.
func (b *bottom) pastLastRows(at int) int {
	if at == len(b.rows) || b.apart[at] || at+b.Above.Rows() < bodyRecords || b.HasSums {
		return at
	}
	end := len(b.rows)
	for end > at && b.rows[end-1].isTitle() {
		end--
	}
	if !b.areRows(at, end) {
		return at
	}
	return end
}

// areRows reports whether the last rows, from one index up to another, only look like sums.
func (b *bottom) areRows(at, end int) bool {
	last, c := b.rows[at:end], b.body
	if len(last) == 0 || slices.ContainsFunc(last, func(r row) bool { return r.broken || r.width != c.width }) {
		return false
	}
	named, keyless := c.areUnlike(last), !slices.ContainsFunc(last, func(r row) bool { return !c.isKeyless(r) })
	several := named || keyless && len(last) >= evidence
	if !several && (len(last) > 1 || !keyless && !c.isSecondTotal(last[0])) {
		return false
	}
	above := b.Above.With(slices.Values(b.cells()[:at]))
	for _, cells := range b.cells()[at:end] {
		if named && !sums.MayBeAdded(cells) || !above.AddUpToNone(cells, several) {
			return false
		}
		above.Add(cells)
	}
	return above.IsKnown()
}

// areUnlike reports whether the records are three or more that are called something else than the values of the first column, with numbers
// in the same columns.
//
//	101,   Acme,2.5
//	102,   Bolt,1.5
//	custom,    ,9.0
//	repair,    ,12.0
//	polish,    ,5.0
func (c columns) areUnlike(rows []row) bool {
	return len(rows) >= evidence && !slices.ContainsFunc(rows, func(r row) bool { return !c.isNamedSum(r) || !sameShape(r, rows[0]) })
}

// isSecondTotal reports whether the record is called Total, as others have a name there, and has a text of its own in another column.
//
//	Shell,NL,1.659,1.759
//	Aral, DE,     ,1.749
//	Total,FR,1.649,
func (c columns) isSecondTotal(r row) bool {
	return r.totalFirst && !r.totalMore && c.kinds[0] == kind.Word && r.kinds[0] == kind.Word && c.hasSecondText(r) && !c.hasOneOwnText(r)
}

// isKeyless reports whether the record has nothing but numbers and lacks the first cell.
func (c columns) isKeyless(r row) bool {
	name, _ := r.nameAndNumbers()
	return name < 0 && c.isBareSum(r)
}
