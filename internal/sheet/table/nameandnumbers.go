package table

import (
	"sheetdrop/internal/sheet/kind"
	"sheetdrop/internal/sheet/sums"
)

// Sums, balances and amounts below a table have a word for a sum, or a name and numbers. The functions of this file tell such records; how
// they differ from rows, other files ask.

// nameAndNumbers reports whether the record has numbers, behind a name at most, and nothing else. It returns the place of the name; -1 if
// there is none.
func (r row) nameAndNumbers() (name int, ok bool) { return sums.NameAndNumbers(r.kinds) }

// isNameWithNumbers reports whether the record has nothing but numbers, behind an empty cell or a name.
func (r row) isNameWithNumbers() bool {
	_, ok := r.nameAndNumbers()
	return ok && r.kinds[0] <= kind.Word
}

// isNameWithValue reports whether the record has nothing but a name and a number behind it.
func (r row) isNameWithValue() bool {
	name, ok := r.nameAndNumbers()
	return ok && name >= 0 && r.filled == listCells
}

// namesNumbers reports whether the record has a name and numbers in columns of numbers, and nothing else.
func (c columns) namesNumbers(r row) bool {
	name, ok := r.nameAndNumbers()
	return ok && name >= 0 && c.haveNumbersOf(r)
}

// haveNumbersOf reports whether the record's numbers stand in columns of numbers.
func (c columns) haveNumbersOf(r row) bool {
	for i, k := range r.kinds {
		if k == kind.Number && c.kinds[i] != kind.Number {
			return false
		}
	}
	return true
}

// isBareSum reports whether the record has nothing but numbers in columns of numbers, and lacks two columns that nearly all others have. A
// name may stand in front of them, in the first column or in one that has no texts. If it has none, it lacks the first column. A record
// with a year is none where all have one.
func (c columns) isBareSum(r row) bool {
	if r.width != c.width || r.broken || c.width <= narrow || len(c.usual) == 0 || !c.usual[0] || c.areDated() && r.calendar > 0 {
		return false
	}
	name, ok := r.nameAndNumbers()
	if !ok || name >= 0 && c.kinds[name] == kind.Word || !c.haveNumbersOf(r) || c.missing(r) < sumLacks {
		return false
	}
	return name == 0 || r.kinds[0] == kind.Empty && !r.keyless
}

// isSum reports whether the record's words say that it sums up others.
func (r row) isSum() bool { return r.total || r.subtotal || r.partTotal || r.mean }

// beginsAsSum reports whether the record begins with a word for a sum: Total, or another one, such as a star, before an empty cell.
func (r row) beginsAsSum() bool {
	return r.total && r.totalFirst || r.subtotal && len(r.kinds) > 1 && r.texts[0] != noText && r.kinds[1] == kind.Empty
}
