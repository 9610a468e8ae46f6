package table

import (
	"bytes"

	"sheetdrop/internal/sheet/kind"
)

// Sums, balances and amounts below a table have a name and numbers. The functions of this file tell such records; how they differ from
// rows, other files ask.

// nameAndNumbers reports whether the record has numbers, behind a name at most, and nothing else. It returns the place of the name; -1 if
// there is none.
func (r row) nameAndNumbers() (name int, ok bool) {
	name = -1
	for i, k := range r.kinds {
		switch {
		case k == kind.Number:
			ok = true
		case k == kind.Word && name < 0 && !ok:
			name = i
		case k != kind.Empty:
			return -1, false
		}
	}
	return name, ok
}

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

// IsComputed reports whether the record has a name first, and otherwise nothing but numbers.
func IsComputed(cells [][]byte) bool {
	name, ok := kindsOf(cells).nameAndNumbers()
	return ok && name == 0
}

// areNumbers reports whether some of the cells are numbers, and the others empty.
func areNumbers(cells [][]byte) bool {
	name, ok := kindsOf(cells).nameAndNumbers()
	return ok && name < 0
}

// kindsOf returns the cells as a record of which nothing but their kinds is known.
func kindsOf(cells [][]byte) (r row) {
	for _, cell := range cells {
		r.kinds = append(r.kinds, kind.Of(bytes.TrimSpace(cell)))
	}
	return r
}
