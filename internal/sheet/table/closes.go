package table

import (
	"slices"

	"sheetdrop/internal/sheet/kind"
)

// closing reports whether the record closes the table; apart says that it is separated from the records above.
func (f *closingBlock) closing(r row, apart bool) bool {
	c, width := f.columns, f.width
	same, other := c.compare(r)
	switch {
	case r.broken || width < 2 || len(r.kinds) == 0 || r.isSum() && len(f.sumValues) > 0 && f.sumValues[r.sumText()]:
		return false
	case r.page, r.isLine(), apart && r.countsRecords && width > narrow && r.width != width:
		return true
	}
	if r.width == width {
		if closes, told := f.closesInWidth(r, apart, same, other); told {
			return closes
		}
	}
	switch {
	case r.filled == 1 && r.kinds[0] != kind.Empty && (width > narrow || r.width == 1 || apart && f.isListOfValues()):
		if r.width == width { // the last record of a list may have nothing but a text
			differs := c.kinds[0] > kind.Word && (r.kinds[0] == kind.Word || r.note && r.kinds[0] != c.kinds[0])
			lacks := c.n > evidence && f.lacks(r)
			if apart && (lacks || r.note && width > narrow) || (apart || r.note) && (c.isFull() || differs) {
				return true
			}
			return c.isFull() && (r.sentence && c.kinds[0] > kind.Word || lacks && (r.sentence || r.keyed) && !c.beginInSentence())
		}
		return apart || r.prose || c.kinds[0] > kind.Word && r.kinds[0] == kind.Word
	case apart && r.width < width && r.total && r.isNameWithNumbers(): // it may lack the last cell
		return true
	case apart && (f.isShortPair(r) || r.item && r.width < width && f.found+f.notes > 0): // commas have split it
		return true
	case r.width < width && share(r.width, width) <= noteWidth, r.width < width && apart && share(r.lastFilled(), width) <= noteWidth:
		return same == 0 && (other > 0 && r.width == 1 || apart || r.total || r.prose || r.writeOn || f.countsRows(r))
	}
	return false
}

// closesInWidth is closing of a record of the table's width, as far as its words and gaps tell: so many of its cells are of the kinds of
// their columns, and so many of others.
func (f *closingBlock) closesInWidth(r row, apart bool, same, other int) (closes, told bool) {
	c, width := f.columns, f.width
	switch {
	case width > narrow && r.filled == 1 && (r.note || r.numberedNote) && r.sentence: // of a title, it would be the last
		return true, true
	case width > narrow && r.filled == 1 && f.found+f.notes > 0 && r.sentence && r.kinds[0] != kind.Empty && c.isFull():
		return true, true
	case apart && r.partTotal && r.kinds[0] == kind.Word && c.kinds[0] <= kind.Word && c.namesNumbers(r):
		return same > 0, true
	case apart && r.namesBalance && r.filled == listCells && f.missing(r) >= sumLacks && c.namesNumbers(r):
		return true, true
	case (r.toFillIn || r.writeOn || r.sentence) && r.kinds[0] == kind.Word && c.haveNumbersAlone():
		return true, true
	case (r.toFillIn || r.writeOn) && f.lacks(r) || r.legend != 0 && c.hasValue(r.legend):
		return true, true
	case apart && r.setting && c.kinds[0] > kind.Word && r.kinds[0] == kind.Word: // Result:,passed
		return true, true
	case r.paired && r.filled > 1 && onlyWords(r) && f.lacks(r) && !slices.ContainsFunc(upper(c.rows), func(o row) bool { return o.paired }):
		return true, true // who has checked it, and who has approved
	case c.hasManyGaps(): // in such a table these records are ordinary
		return false, true
	case c.areDated() && r.hasOnlyYears():
		return false, true
	case r.total && !(r.totalFirst && !r.totalMore && c.saysMore(r) && !f.lacks(r)):
		return r.totalMore || other > 0 || f.missing(r) >= sumLacks && c.saysNothingElse(r) || c.hasGapsOfTotal(r, same) ||
			c.kinds[0] <= kind.Word && r.totalFirst || c.kinds[0] > kind.Word && r.kinds[0] == kind.Empty, true
	case (r.hasSumWord || r.partTotal) && c.kinds[0] > kind.Word && r.kinds[0] == kind.Empty && f.missing(r) >= sumLacks:
		return same > 0, true
	case r.partTotal && c.kinds[0] > kind.Word && r.kinds[0] == kind.Word && (f.lacks(r) || c.namesNumbers(r)): // Total in
		return same > 0 || f.missing(r) >= sumLacks && r.numbers() > 0, true
	case (r.mean || r.meanOf) && r.kinds[0] == kind.Empty && f.lacks(r) && !c.saysMore(r):
		return same > 0 && other <= 1, true // its name may stand where the others have a code
	case (r.mean || r.meanOf && (f.lacks(r) || f.waiting > 0 || r.meanOfAll)) && r.kinds[0] == kind.Word && !c.saysMore(r):
		return same > 0 && (other == 0 || other == 1 && c.kinds[0] > kind.Word), true // its name may stand where the others have a day
	case same == 0 && other > 0 && r.kinds[0] == kind.Word && f.mayBeWords(r, apart) && (other > 1 && c.kinds[0] > kind.Word ||
		c.typed() == seen(width) && f.line > 0): // no value
		return true, true
	}
	return false, false
}

// mayBeWords reports whether a record of words alone, where the others have values, may stand below the table: right below it one without a
// gap is rather the last row, of which nothing is known yet.
//
//	2024-05-03,4,12.50
//	pending,unknown,unknown
func (f *closingBlock) mayBeWords(r row, apart bool) bool {
	return apart || f.width == narrow || r.filled < f.width || r.prose || r.split
}

// haveNumbersAlone reports whether the first rows have nothing but their numbers, as those of a form that is still to be filled in.
func (c columns) haveNumbersAlone() bool {
	first := c.rows[:min(len(c.rows), evidence)]
	return len(first) == evidence && !slices.ContainsFunc(first, func(r row) bool { return r.filled != 1 || r.kinds[0] != kind.Number })
}

// beginInSentence reports whether a record with more cells begins with a sentence, such as a question of a survey, or with a text behind
// a name.
func (c columns) beginInSentence() bool {
	return slices.ContainsFunc(c.rows, func(r row) bool { return r.filled > 1 && (r.sentence || r.keyed) })
}

// lastFilled returns how many cells the record has up to the last one that is not empty.
func (r row) lastFilled() int {
	n := len(r.kinds)
	for n > 0 && !r.has(n-1, r.kinds[n-1]) {
		n--
	}
	return n
}

// hasValue reports whether a cell behind the first column has that text.
func (c columns) hasValue(text uint64) bool {
	return slices.ContainsFunc(c.rows, func(r row) bool { return len(r.texts) == c.width && slices.Contains(r.texts[1:], text) })
}

// isListOfValues reports whether the table has two columns, of which the second nearly always has a value of its kind.
func (f *closingBlock) isListOfValues() bool {
	return f.width == narrow && len(f.usual) == narrow && f.usual[1] && f.kinds[1] > kind.Word
}

// saysMore reports whether the record has a text in another column of texts than the total's: no sum has.
func (c columns) saysMore(r row) bool {
	texts := 0
	for i, k := range c.kinds {
		if k == kind.Word && i < len(r.kinds) && r.kinds[i] == kind.Word {
			texts++
		}
	}
	return texts > 1
}

// hasGapsOfTotal reports whether so many cells of the record are empty that it sums up the whole table and not part of
// it. same of its cells have the kinds of their columns, and none has another.
func (c columns) hasGapsOfTotal(r row, same int) bool {
	gaps := share(c.empties(r), c.width)
	return gaps >= totalMostlyEmpty || gaps >= totalEmpty && same == 0
}
