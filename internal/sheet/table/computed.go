package table

import (
	"bytes"
	"slices"

	"sheetdrop/internal/sheet/kind"
	"sheetdrop/internal/sheet/sums"
	"sheetdrop/internal/sheet/words"
)

// isPart reports whether the record sums up a part of the table: it is named as such, has a number, and lacks what nearly
// all records have. Where all columns but one are numbers nothing can be missing, so only a word for nothing else will do, or the name of a
// title.
func (f *Filter) isPart(r row) bool {
	if f.sums && f.sumsPart(r) {
		return true
	}
	if r.isSum() && f.sumValues[r.sumText()] {
		return false
	}
	mean := r.mean && r.kinds[0] == kind.Empty && f.lacks(r)
	if !r.subtotal && !r.partTotal && !r.totalMore && !(r.total && r.totalFirst) && !f.isBalance(r) && !mean {
		return false
	}
	if f.areDated() && r.hasOnlyYears() {
		return false
	}
	if r.partTotal && f.parts.names[r.part] && r.isNameWithNumbers() {
		return true
	}
	numbers, texts, others := 0, 0, 0
	for i, k := range f.kinds {
		if k != kind.Number {
			others++
		}
		switch {
		case i >= len(r.kinds) || r.kinds[i] == kind.Empty:
		case k == kind.Number && r.kinds[i] == kind.Number:
			numbers++
		case r.kinds[i] == kind.Word || isCode(r.kinds[i], r.kinds[i]): // World total,W1
			texts++
		}
	}
	if r.sumBehind && texts > 1 { // Subtotal, Sum
		texts--
	}
	named := f.kinds[0] > kind.Word && r.kinds[0] == kind.Word // where the others have a value
	inParts := f.groupSums && r.total && r.kinds[0] == kind.Empty || (len(f.titles) > 0 || f.parts.totals) && r.total
	alone := texts == 1 || texts == 0 && r.subtotal || // a star is none
		texts == narrow && (r.totalMore && named || r.endsInUnit()) && f.missing(r) >= sumLacks // Total for the line,,3 calls
	return numbers > 0 && alone && (f.lacks(r) || named || others == 1 && (r.subtotal || inParts))
}

// endsInUnit reports whether the last cell of the record, right behind a number, is a text, such as a unit or a currency.
//
//	Total water,,,149.4,m³
func (r row) endsInUnit() bool {
	last := len(r.kinds) - 1
	for last > 0 && r.kinds[last] == kind.Empty {
		last--
	}
	return last > 0 && r.kinds[last] != kind.Number && r.kinds[last-1] == kind.Number
}

// IsCarried reports whether the record begins with the name of what is carried from page to page.
func IsCarried(cells [][]byte) bool {
	first := slices.IndexFunc(cells, func(cell []byte) bool { return len(cell) > 0 })
	return first >= 0 && words.IsCarried(bytes.TrimSpace(cells[first]))
}

// BareLookOf returns the look of a record that has nothing but numbers, and lacks the first column that nearly all others have; or that
// lacks another one, too, and may have a name before the numbers. It returns sums.Plain of any other.
func (f *Filter) BareLookOf(cells [][]byte) sums.Look {
	if len(cells) == 0 || len(cells[0]) > 0 || len(f.usual) == 0 || !f.usual[0] {
		return sums.Plain
	}
	switch r, bare := gridRow(cells), sums.AreNumbers(cells); {
	case !r.isNameWithNumbers():
		return sums.Plain
	case f.missing(r) < sumLacks:
		if bare {
			return sums.NamelessLook
		}
		return sums.Plain
	case bare:
		return sums.BareLook
	}
	return sums.CalledLook
}
