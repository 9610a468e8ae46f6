package table

import (
	"slices"

	"sheetdrop/internal/sheet/kind"
)

// answersOf reports whether the record has the answers to questions that the record above asks, as surveys are exported. It lacks the first
// cells, which the record above names and all rows have, and has a text in each other one. One question has three answers or more, or two
// that are the only texts of their columns. Where it has a first cell, too, there are two such questions.
//
//	Id,Day,    Rating,  Used,,,           Remarks
//	,  ,       Response,Mail,Phone,Chat,  Open text
//	81,2024-01-03,Good, Mail,,Chat,
func (r row) answersOf(above row, body columns) bool {
	first := r.first()
	if first == 0 {
		return r.filled == seen(r.width) && body.n >= evidence && r.choices(above, body) >= narrow
	}
	if first+r.filled != r.width || body.n < evidence || !isFilled(body.rows) ||
		slices.Contains(above.kinds[:first], kind.Empty) {
		return false
	}
	run, longest, said := 0, 0, 0
	for i, k := range above.kinds[first:] {
		if run++; k != kind.Empty {
			run, said = 1, 0
		}
		if longest = max(longest, run); body.saysOnly(first+i, r.texts[first+i]) {
			said++
		}
		if said >= narrow {
			return true
		}
	}
	return longest > narrow
}

// choices counts the names in the record above that stand above two cells or more of this one of which the first two are the only texts of
// their columns, and no row has both.
func (r row) choices(above row, body columns) (n int) {
	for i := range min(len(above.kinds), len(r.kinds)) - 1 {
		if above.kinds[i] == kind.Empty || above.kinds[i+1] != kind.Empty || r.texts[i] == r.texts[i+1] {
			continue
		}
		both := func(b row) bool { return i+1 < len(b.kinds) && b.kinds[i] != kind.Empty && b.kinds[i+1] != kind.Empty }
		if body.saysOnly(i, r.texts[i]) && body.saysOnly(i+1, r.texts[i+1]) && !slices.ContainsFunc(body.rows, both) {
			n++
		}
	}
	return n
}

// saysOnly reports whether one of the rows has this text in the column, and none has another one.
func (c columns) saysOnly(column int, text uint64) bool {
	found := false
	for _, b := range c.rows {
		switch {
		case b.blank || column >= len(b.kinds) || b.kinds[column] == kind.Empty:
		case b.texts[column] != text:
			return false
		default:
			found = true
		}
	}
	return found
}
