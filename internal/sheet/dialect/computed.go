package dialect

import "bytes"

// isPart reports whether the record sums up a part of the table: it is named as such, has a number, and lacks what nearly
// all records have. Where all columns but one are numbers nothing can be missing, so only a word for nothing else will do.
func (a *Among) isPart(r row) bool {
	if a.sums && (columns{kinds: a.kinds, width: a.width}).isNamedSum(r, a.usual) {
		return true
	}
	mean := r.mean && r.kinds[0] == empty && lacks(a.usual, r)
	if !r.subtotal && !r.partTotal && !r.totalMore && !(r.total && r.totalFirst) && !a.isBalance(r) && !mean {
		return false
	}
	numbers, texts, others := 0, 0, 0
	for i, k := range a.kinds {
		if k != number {
			others++
		}
		switch {
		case i >= len(r.kinds) || r.kinds[i] == empty:
		case k == number && r.kinds[i] == number:
			numbers++
		case r.kinds[i] == word || isCode(r.kinds[i], r.kinds[i]): // World total,W1
			texts++
		}
	}
	if r.sumBehind && texts > 1 { // Subtotal, Sum
		texts--
	}
	named := a.kinds[0] > word && r.kinds[0] == word // where the others have a value
	inParts := a.groupSums && r.total && r.kinds[0] == empty || (len(a.titles) > 0 || a.parts.totals) && r.total ||
		r.partTotal && a.parts.names[r.part]
	alone := texts == 1 || texts == 0 && r.subtotal || // a star is none
		texts == narrow && r.totalMore && named && missing(a.usual, r) >= sumLacks // Total for the line,,3 calls
	return numbers > 0 && alone && (lacks(a.usual, r) || named || others == 1 && (r.subtotal || inParts))
}

// SumsPart reports whether the record sums up the part of the table that has this title: it has a name, which is a word for a sum with the
// title beside it, and numbers.
func SumsPart(cells [][]byte, title []byte) bool {
	return isPartTotal(cells[0]) && len(title) > 0 && bytes.Contains(bytes.ToLower(cells[0]), bytes.ToLower(title)) && IsComputed(cells)
}

// IsSum reports whether the record has a word for a sum, and numbers.
func IsSum(cells [][]byte) bool { return gridRow(cells[:1]).isSum() && IsComputed(cells) }

// IsComputed reports whether the record has a name first, and otherwise nothing but numbers.
func IsComputed(cells [][]byte) bool {
	numbers := 0
	for i, cell := range cells {
		switch k := kindOf(bytes.TrimSpace(cell)); {
		case i == 0 && k != word:
			return false
		case k == number:
			numbers++
		case i > 0 && k != empty:
			return false
		}
	}
	return numbers > 0
}
