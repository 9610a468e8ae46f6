package table

import (
	"slices"
	"strconv"

	"sheetdrop/internal/sheet/kind"
)

// numbersColumns reports whether the record has the numbers of the columns, 1 and following, where some column has no number otherwise:
// forms of authorities have such a line below their header.
func (c columns) numbersColumns(r row) bool {
	if r.blank || r.broken || r.width != c.width || r.width < leastNumbered || c.n < evidence {
		return false
	}
	if !isNumbering(r) {
		return false
	}
	for i, k := range c.kinds {
		if k == kind.Number {
			continue
		}
		others := 0
		for _, b := range c.rows {
			if i < len(b.kinds) && b.kinds[i] == kind.Number && !sameTexts(b, r) {
				others++
			}
		}
		if others == 0 {
			return true
		}
	}
	return false
}

// isCounted reports whether the record numbers the columns behind the first one, which has texts, as the plates of laboratories do: 1, 2, 3
// and so on. The first one has no name, or there are names behind the numbers, too, above values.
//
//	,  1,    2,    3          Player,1,2,3,Points
//	A, 0.112,0.093,1.201      Lee,   ,1,0,1.0
//
// What stands below a blank record says nothing of it.
func (c columns) isCounted(r row) bool {
	if end := nextBlank(c.rows, 0); end >= evidence && end < len(c.rows) {
		c = columnKinds(c.rows[:end], c.width)
	}
	if len(r.texts) <= leastNumbered || len(r.texts) != len(c.kinds) || r.kinds[0] > kind.Word {
		return false
	}
	if (r.kinds[0] == kind.Word || r.kinds[1] == kind.Word) && c.isCountedBehind(r) {
		return true
	}
	if !isFilled(without(c.rows, r)) {
		return false
	}
	if c.kinds[0] != kind.Word { // numbers or days, which nobody has named
		return r.kinds[0] == kind.Empty && c.isCountedBehind(r)
	}
	n := 1 + countsFrom(r, 1)
	for i, k := range r.kinds[n:] {
		if k != kind.Word || c.kinds[n+i] <= kind.Word {
			return false
		}
	}
	return n > leastNumbered && (n < len(r.texts) || r.kinds[0] == kind.Empty)
}

// isCountedBehind reports whether the record numbers columns, four or more, behind names of those before them, as no record below does.
// Further names may stand behind the numbers if they do not come again below.
//
//	Plate,Temp,1,    2,    3,    4        Bus,0, 1, 2, 3, 4, Remark
//	A,    23.5,0.112,0.093,1.201,0.950    7,  12,9, 14,11,30,late
func (c columns) isCountedBehind(r row) bool {
	first := slices.IndexFunc(r.kinds, func(k kind.Kind) bool { return k > kind.Word })
	if first < 0 {
		return false
	}
	end := first + countsFrom(r, first)
	if end-first <= leastNumbered || slices.ContainsFunc(r.kinds[end:], func(k kind.Kind) bool { return k != kind.Word }) {
		return false
	}
	return !slices.ContainsFunc(c.rows, func(other row) bool {
		return len(other.texts) == len(r.texts) && (countsFrom(other, first) > 1 || sharesText(other, r, end)) && !sameTexts(other, r)
	})
}

// isNumberedFromZero reports whether the record numbers all columns behind the first one from 0 on, as a library does that has no names for
// them. It lacks the first cell, which all rows have.
//
//	,0
//	2024-01-01,10.7
func (c columns) isNumberedFromZero(r row) bool {
	return len(r.texts) == len(c.kinds) && len(r.texts) >= narrow && r.kinds[0] == kind.Empty && r.texts[1] == hash([]byte("0")) &&
		1+countsFrom(r, 1) == len(r.texts) && isFilled(without(c.rows, r))
}

// sharesText reports whether two records of one width have the same text in a column from the n-th on.
func sharesText(a, b row, n int) bool {
	for i := n; i < len(a.texts); i++ {
		if a.texts[i] == b.texts[i] {
			return true
		}
	}
	return false
}

// countsFrom returns how many cells from the first-th on are 1, 2, 3 and so on, or 01, 02, 03, or 0, 1, 2. The last one may stand for all
// above it, as of ages: 90+.
func countsFrom(r row, first int) (n int) {
	least, padded := 1, first < len(r.texts) && r.texts[first] == hash([]byte("01"))
	if first < len(r.texts) && r.texts[first] == hash([]byte("0")) {
		least = 0
	}
	for first+n < len(r.texts) && r.texts[first+n] == hash(numberOf(n+least, padded)) {
		n++
	}
	if first+n == len(r.texts)-1 && n > 0 && r.texts[first+n] == hash(append(strconv.AppendInt(nil, int64(n+least), 10), '+')) {
		n++
	}
	return n
}

// numberOf is a number as text, of two digits or more if it is padded.
func numberOf(n int, padded bool) []byte {
	if padded && n < 10 {
		return []byte{'0', byte('0' + n)}
	}
	return strconv.AppendInt(nil, int64(n), 10)
}

// isLettered reports whether the record has a letter for each column of names, and numbers from 1 on for the others.
//
//	A,B,1,2,3=1x2
func isLettered(r row) bool {
	if !r.marks || r.filled != len(r.kinds) || r.kinds[0] != kind.Word {
		return false
	}
	n := 0
	for i, text := range r.texts {
		switch {
		case text == hash(strconv.AppendInt(nil, int64(n+1), 10)):
			n++
		case r.kinds[i] == kind.Number:
			return false
		}
	}
	return n > 1
}

// isNumbering reports whether the record numbers the columns, by counting or with letters for those of names.
func isNumbering(r row) bool { return isCount(r) || isLettered(r) }

// isCount reports whether the record's cells are 1, 2, 3 and so on, or (1), (2), (3). Three or more may have gaps between them, or each
// stand again in the cells that are merged with it, as below merged names that each stand above an estimate and its error.
//
//	State,Hours, ,Days,
//	1,    2,     ,3,
//	Iowa, 6.85,.1,180,.2
func isCount(r row) bool {
	n := 0
	for i, k := range r.kinds {
		if k == kind.Empty || i > 0 && r.texts[i] == r.texts[i-1] {
			continue
		}
		n++
		no := strconv.AppendInt([]byte("("), int64(n), 10)
		if r.texts[i] != hash(no[1:]) && r.texts[i] != hash(append(no, ')')) {
			return false
		}
	}
	return n > 0 && r.kinds[0] != kind.Empty && (n == len(r.kinds) || n >= leastNumbered)
}
