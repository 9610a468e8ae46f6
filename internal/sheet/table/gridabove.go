package table

import "sheetdrop/internal/sheet/kind"

// takeAbove adds the row above to a header of one row, where it has a text for each number or day in it, and nothing else but names that
// are merged with those below: the days of the week. The header ends before row start.
//
//	,    ,      Mon,Tue,Wed
//	Shop,Leader,1,  2,  3
func (l *Layout) takeAbove(rows []row, start int) {
	if l.Header != 1 || l.Preamble == 0 || start != l.Preamble+1 {
		return
	}
	above, head := rows[start-2], rows[start-1]
	if above.hasDaysOf(head, columnKinds(rows[start:], l.Columns)) {
		l.Preamble, l.Header = l.Preamble-1, 2
		return
	}
	if above.blank || above.broken || above.filled < leastNumbered || len(head.kinds) < len(above.kinds) {
		return
	}
	for i, k := range head.kinds {
		named := i < len(above.kinds) && above.kinds[i] == kind.Word
		if named && k == kind.Word && above.texts[i] == head.texts[i] { // merged with the one below
			continue
		}
		if named != (k == kind.Number || k == kind.Moment) || !named && i < len(above.kinds) && above.kinds[i] != kind.Empty {
			return
		}
	}
	l.Preamble, l.Header = l.Preamble-1, 2
}

// hasDaysOf reports whether the row above the names of all columns has days above the last ones, three or more, and nothing else, where the
// rows below have none.
//
//	,    ,2024-03-04,2024-03-05,2024-03-06
//	Shop,Leader,Mon,Tue,        Wed
func (r row) hasDaysOf(head row, body columns) bool {
	if r.blank || r.broken || r.filled < leastNumbered || len(r.kinds) != len(head.kinds) {
		return false
	}
	if !head.namesAllOf(head.width) {
		return false
	}
	first := len(r.kinds) - r.filled
	for i, k := range r.kinds {
		if i < first && k != kind.Empty || i >= first && (k != kind.Moment || i < len(body.kinds) && body.kinds[i] == kind.Moment) {
			return false
		}
	}
	return first > 0
}
