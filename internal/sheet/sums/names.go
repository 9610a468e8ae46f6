package sums

import (
	"bytes"
	"slices"

	"sheetdrop/internal/sheet/kind"
	"sheetdrop/internal/sheet/words"
)

// NameAndNumbers reports whether a record with cells of these kinds has numbers, behind a name at most, and nothing else. It returns the
// place of the name; -1 if there is none.
func NameAndNumbers(kinds []kind.Kind) (name int, ok bool) {
	name = -1
	for i, k := range kinds {
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

// IsComputed reports whether the record has a name first, and otherwise nothing but numbers.
func IsComputed(cells [][]byte) bool {
	name, ok := NameAndNumbers(kindsOf(cells))
	return ok && name == 0
}

// AreNumbers reports whether some of the cells are numbers, and the others empty.
func AreNumbers(cells [][]byte) bool {
	name, ok := NameAndNumbers(kindsOf(cells))
	return ok && name < 0
}

// IsNamed reports whether the record has a word for a sum first, and otherwise nothing but numbers.
func IsNamed(cells [][]byte) bool { return IsComputed(cells) && hasSumWord(cells[:1]) }

// MayBeAdded reports whether the record has a name first and otherwise numbers alone, and is none of what usually stands below a table.
func MayBeAdded(cells [][]byte) bool {
	first := firstOf(cells)
	if first < 0 || !AreNumbers(cells[first+1:]) {
		return false
	}
	name := bytes.TrimSpace(cells[first])
	isOther := words.IsExtra(name) || words.IsExtreme(name) || words.IsCounting(name) || first == 0 && words.IsResultName(name) ||
		words.IsBalance(name) || words.IsNote(name)
	return kind.Of(name) <= kind.Word && !isOther && !hasSumWord(cells) // a word for no value is a name as well: Missing, 12
}

// hasSumWord reports whether the record's first cell that is not empty names a sum or an average, or another one is a word for a sum.
func hasSumWord(cells [][]byte) bool {
	cells = cells[:seen(cells)]
	first := firstOf(cells)
	if first < 0 {
		return false
	}
	name := bytes.TrimSpace(cells[first])
	if k := kind.Of(name); k != kind.Number && k != kind.Moment && (words.IsTotalIn(name) || namesSum(name) || words.IsMean(name)) {
		return true
	}
	return slices.ContainsFunc(cells[first:], func(cell []byte) bool { return words.IsTotal(bytes.TrimSpace(cell)) })
}

// namesSum reports whether the cell is a word for a sum, of the table or a part of it.
func namesSum(cell []byte) bool {
	return words.IsTotal(cell) || words.IsTotalOf(cell) || words.IsSubtotal(cell) || words.IsPartTotal(cell)
}

// firstOf returns the index of the first cell that has more than white space; -1 if there is none.
func firstOf(cells [][]byte) int {
	return slices.IndexFunc(cells, func(cell []byte) bool { return len(bytes.TrimSpace(cell)) > 0 })
}

func kindsOf(cells [][]byte) []kind.Kind {
	kinds := make([]kind.Kind, len(cells))
	for i, cell := range cells {
		kinds[i] = kind.Of(bytes.TrimSpace(cell))
	}
	return kinds
}
