package table

import (
	"iter"
	"slices"

	"sheetdrop/internal/sheet/kind"
	"sheetdrop/internal/sheet/sums"
)

// belowLastRows returns what becomes of the footer's line where the records from that line on only look like sums: none of their numbers is
// the sum of those above. It is the line of the first text alone below them, 0 if there is none; and the footer's line as it was if they
// are sums. rows are those below the header.
func (l Layout) belowLastRows(s source, rows []row) int64 {
	at := len(rowsBefore(rows, l.FooterLine, 0))
	if at < bodyRecords || l.Filter != nil || rows[at-1].blank {
		return l.FooterLine
	}
	rows = withoutBlank(rows)
	at = len(rowsBefore(rows, l.FooterLine, 0))
	end, line := len(rows), int64(0)
	for end > at && rows[end-1].isTitle() {
		end, line = end-1, rows[end-1].line
	}
	f := closingBlock{columns: l.body}
	if at < bodyRecords || !f.areRows(rows[at:end], sums.Above{}, at, l.cellsOf(s, rows[:end])) {
		return l.FooterLine
	}
	return line
}

// EndsInRows reports whether a worksheet's last rows, from the index at on, only look like sums. The rows are as for DecideGrid, which has
// returned l; above is what stands further above.
func (l Layout) EndsInRows(grid iter.Seq[[][]byte], at int, above sums.Above) bool {
	rows := l.lastRows(grid)
	if at == 0 || rows[at-1].blank || l.Columns < narrow || l.Filter == nil {
		return false
	}
	before := withoutBlank(rows[:at])
	if above.Rows()+len(before) < bodyRecords || slices.ContainsFunc(before, l.Filter.drops) {
		return false
	}
	f := closingBlock{columns: l.body}
	return f.areRows(withoutBlank(rows[at:]), above, len(before), cellsFrom(grid, 0))
}

// areRows reports whether the last records only look like sums. cells are theirs and those of as many as at above them, further above which
// there are others.
func (f *closingBlock) areRows(last []row, above sums.Above, at int, cells iter.Seq[[][]byte]) bool {
	if len(last) == 0 || slices.ContainsFunc(last, func(r row) bool { return r.broken || r.width != f.width }) {
		return false
	}
	named, keyless := f.areUnlike(last), !slices.ContainsFunc(last, func(r row) bool { return !f.isKeyless(r) })
	several := named || keyless && len(last) >= evidence
	if !several && (len(last) > 1 || !keyless && !f.isSecondTotal(last[0])) {
		return false
	}
	n, above := 0, above.Clone()
	for cells := range cells {
		if n++; n > at && (named && !sums.MayBeAdded(cells) || !above.AddUpToNone(cells, several)) {
			return false
		}
		above.Add(cells)
	}
	return n == at+len(last) && above.IsKnown()
}

// areUnlike reports whether the records are three or more that are called something else than the values of the first column, with numbers
// in the same columns.
//
//	101,   Acme,2.5
//	102,   Bolt,1.5
//	custom,    ,9.0
//	repair,    ,12.0
//	polish,    ,5.0
func (f *closingBlock) areUnlike(rows []row) bool {
	return len(rows) >= evidence && !slices.ContainsFunc(rows, func(r row) bool { return !f.isNamedSum(r) || !sameShape(r, rows[0]) })
}

// isSecondTotal reports whether the record is called Total, as others have a name there, and has a text of its own in another column.
//
//	Shell,NL,1.659,1.759
//	Aral, DE,     ,1.749
//	Total,FR,1.649,
func (f *closingBlock) isSecondTotal(r row) bool {
	return r.totalFirst && !r.totalMore && f.kinds[0] == kind.Word && r.kinds[0] == kind.Word && f.hasSecondText(r) && !f.hasOneOwnText(r)
}

// isKeyless reports whether the record has nothing but numbers and lacks the first cell.
func (f *closingBlock) isKeyless(r row) bool {
	name, _ := r.nameAndNumbers()
	return name < 0 && f.isBareSum(r)
}
