package table

import (
	"slices"

	"sheetdrop/internal/sheet/kind"
)

// closesByWords reports whether the record closes the table, as its words, its width and its gaps tell; apart says that it is separated
// from the records above.
func (f *closingBlock) closesByWords(r row, apart bool) bool {
	switch {
	case r.broken || f.width < narrow || len(r.kinds) == 0 || r.isSum() && f.sumValues[r.sumText()]:
		return false
	case f.isBetweenPages(r), r.isLine(), apart && r.countsRecords && f.width > narrow && r.width != f.width:
		return true
	case r.width == f.width:
		return f.closesInWidth(r, apart)
	case f.isTextAlone(r, apart):
		return apart || r.prose || f.kinds[0] > kind.Word && r.kinds[0] == kind.Word
	}
	return r.width < f.width && f.closesNarrower(r, apart)
}

// closesNarrower is closesByWords of a record that is narrower than the table, and no text alone.
func (f *closingBlock) closesNarrower(r row, apart bool) bool {
	switch {
	case apart && r.total && r.isNameWithNumbers(): // it may lack the last cell
		return true
	case apart && (f.isShortPair(r) || r.item && f.found+f.notes > 0): // commas have split it
		return true
	case share(r.width, f.width) <= noteWidth, apart && share(r.lastFilled(), f.width) <= noteWidth:
		same, other := f.compare(r)
		if same > 0 || r.typed() > 0 && !apart && f.isUsualShape(r) { // which may be a short row
			return false
		}
		return other > 0 && r.width == 1 || apart || r.total || r.prose || r.writeOn || f.countsRows(r)
	}
	return false
}

// closesInWidth is closesByWords of a record of the table's width.
func (f *closingBlock) closesInWidth(r row, apart bool) bool {
	same, other := f.compare(r)
	keyed := f.kinds[0] > kind.Word // the first column has values
	switch {
	case f.isFormLine(r, apart) || f.isLongNote(r) || r.legend != 0 && f.hasValue(r.legend),
		apart && r.note && f.width > narrow && f.isTextAlone(r, apart):
		return true
	case apart && r.partTotal && r.kinds[0] == kind.Word && f.namesNumbers(r):
		return same > 0
	case apart && r.namesBalance && r.filled == listCells && (f.missing(r) >= sumLacks || r.closes && f.lacks(r)) && f.namesNumbers(r):
		return true
	case f.hasManyGaps(), f.areDated() && r.hasOnlyYears(): // in such a table these records are ordinary
		return false
	case r.total && !(r.totalFirst && f.hasSecondText(r) && !f.lacks(r)):
		return r.totalFirst || r.kinds[0] == kind.Empty || other > 0 || f.missing(r) >= sumLacks && f.hasOneOwnText(r) ||
			f.hasGapsOfTotal(r, same)
	case r.partTotal && keyed && r.kinds[0] == kind.Empty && f.missing(r) >= sumLacks:
		return same > 0
	case r.partTotal && keyed && r.kinds[0] == kind.Word && (f.lacks(r) || f.namesNumbers(r)): // Total in
		return same > 0 || f.missing(r) >= sumLacks && r.numbers() > 0
	case (r.mean || r.meanOf) && f.lacks(r) && !f.hasSecondText(r):
		return same > 0 && other <= 1 // its name may stand where the others have a code
	case (r.mean || r.meanOf && (f.waiting > 0 || r.meanOfAll)) && r.kinds[0] == kind.Word && !f.hasSecondText(r):
		return same > 0 && (other == 0 || other == 1 && keyed) // its name may stand where the others have a day
	case same == 0 && other > 0 && r.kinds[0] == kind.Word && f.mayBeWords(r, apart) && (other > 1 && keyed ||
		f.typed() == seen(f.width) && f.line > 0): // no value
		return true
	}
	return f.isTextAlone(r, apart) && f.isNote(r, apart)
}

// isFormLine reports whether the record is to be filled in, or was: it has a line to write on, names who has checked the table, or has a
// result behind a colon.
func (f *closingBlock) isFormLine(r row, apart bool) bool {
	switch named := r.kinds[0] == kind.Word; {
	case (r.toFillIn || r.writeOn) && f.lacks(r), (r.toFillIn || r.writeOn || r.sentence) && named && f.haveNumbersAlone():
		return true
	case apart && r.setting && (f.kinds[0] > kind.Word && named || f.isOnlySetting(r)): // Result:,passed
		return true
	}
	return r.paired && r.filled > 1 && onlyWords(r) && f.lacks(r) && !slices.ContainsFunc(upper(f.rows), func(o row) bool { return o.paired })
}

// isOnlySetting reports whether the record has nothing but a name with a colon and its value, lacks two columns in which nearly all have
// one, and no row above has such a name.
func (f *closingBlock) isOnlySetting(r row) bool {
	isSetting := func(o row) bool { return o.setting }
	return r.filled == listCells && r.isPrefix() && f.missing(r) >= sumLacks && !slices.ContainsFunc(upper(f.rows), isSetting)
}

// isLongNote reports whether the record has nothing but a sentence that begins as notes do, or stands above other notes; or a text that
// begins so behind the first column, such as 以上 on the right.
func (f *closingBlock) isLongNote(r row) bool {
	if f.width <= narrow || r.filled != 1 || !r.sentence {
		return f.width > narrow && r.filled == 1 && r.note && r.kinds[0] == kind.Empty && f.lacks(r)
	}
	return r.note || r.numberedNote || f.found+f.notes > 0 && r.kinds[0] != kind.Empty && f.isFull()
}

// isTextAlone reports whether the record has nothing but a first text, and a table of this width may have such a note. The last record of a
// list may have nothing but a text.
func (f *closingBlock) isTextAlone(r row, apart bool) bool {
	mayBeAlone := f.width > narrow || r.width == 1 || apart && f.isListOfValues() || r.note && (f.isFull() || f.areFewAndFull())
	return r.filled == 1 && r.kinds[0] != kind.Empty && mayBeAlone
}

// isNote reports whether a text alone is no row of the table.
func (f *closingBlock) isNote(r row, apart bool) bool {
	keyed := f.kinds[0] > kind.Word
	differs := keyed && (r.kinds[0] == kind.Word || r.note && r.kinds[0] != f.kinds[0])
	lacks := f.n > evidence && f.lacks(r)
	amongFew := (apart || r.sentence) && f.width > severalColumns || r.note
	if apart && lacks || (apart || r.note) && (f.isFull() || differs) || amongFew && f.areFewAndFull() {
		return true
	}
	return f.isFull() && (r.sentence && keyed || lacks && (r.sentence || r.keyed) && !f.beginInSentence())
}

// areFewAndFull reports whether the rows up to the first blank one or text alone are few and have hardly a gap, and few others follow.
func (c columns) areFewAndFull() bool {
	n := slices.IndexFunc(c.rows, func(r row) bool { return r.blank || r.filled == 1 })
	isGappy := func(r row) bool { return r.width != c.width || share(r.filled, c.width) < fullTable }
	return n > 0 && n <= evidence && len(withoutBlank(c.rows[n:])) <= maxTitles &&
		!slices.ContainsFunc(c.rows[:n], isGappy)
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

// hasValue reports whether a cell behind the first column has that text.
func (c columns) hasValue(text uint64) bool {
	return slices.ContainsFunc(c.rows, func(r row) bool { return len(r.texts) == c.width && slices.Contains(r.texts[1:], text) })
}

// isListOfValues reports whether the table has two columns, of which the second nearly always has a value of its kind.
func (f *closingBlock) isListOfValues() bool {
	return f.width == narrow && len(f.usual) == narrow && f.usual[1] && f.kinds[1] > kind.Word
}

// hasSecondText reports whether the record has a text in another column of texts than the total's: no sum has.
func (c columns) hasSecondText(r row) bool {
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
