package dialect

import "slices"

// firstBracketed returns the width of the first part of a text of which each begins with its name in brackets and a header of its own,
// where that part is a table: its header has a name for each column, above values of other kinds. other is the index of the next part's
// name; the width is 0 if there is none.
//
//	[Sites]
//	code,town
//	S1,Bath
//	S2,York
//	[Readings]
//	code,day,value
//	S1,2024-01-01,4.5
func firstBracketed(rows []row) (width, other int) {
	top := 0
	for top < len(rows) && rows[top].blank {
		top++
	}
	if top+bodyRecords >= len(rows) || !rows[top].isBracketedName() {
		return 0, 0
	}
	top++
	next := slices.IndexFunc(rows[top:], row.isBracketedName) + top
	if next < top || next+1 >= len(rows) || rows[next+1].filled < narrow || !onlyWords(rows[next+1]) {
		return 0, 0
	}
	width = rows[top].width
	part := slices.DeleteFunc(slices.Clone(rows[top:next]), func(r row) bool { return r.blank })
	if len(part) <= bodyRecords || width < narrow || !onlyWords(part[0]) || part[0].filled != width {
		return 0, 0
	}
	if slices.ContainsFunc(part, func(r row) bool { return r.broken || r.width != width }) {
		return 0, 0
	}
	if same, other := columnKinds(part[1:], width).compare(part[0]); same > 0 || other == 0 {
		return 0, 0
	}
	return width, next
}

// isBracketedName reports whether the record is nothing but a text in brackets.
func (r row) isBracketedName() bool {
	return !r.broken && r.width == 1 && r.filled == 1 && r.bracketed && r.kinds[0] == word
}
