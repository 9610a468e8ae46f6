package dialect

import "slices"

// footer returns the line in the last sample at which records stop belonging to the table: notes, sources, totals. A
// truncated record is not one of them, nor is a second table.
// usual are the columns in which nearly all records have a value.
func footer(rows []row, last, start int, body columns, usual []bool) int64 {
	f := closingBlock{columns: body, usual: usual}
	if line := belowLine(rows, last, start); line > 0 {
		return line
	}
	if line := f.totalAboveBlank(rows, last, start); line > 0 {
		return line
	}
	for i := len(rows) - 1; i >= start && int(rows[i].sample) == last && !f.isTooLong(); i-- {
		r := rows[i]
		if r.blank {
			continue
		}
		if f.isAppended(r) {
			break
		}
		apart := i > start && rows[i-1].separates() // the record from those above
		if !f.take(r, apart || (f.line != 0 || r.isTitle() || r.explains || f.isShortPair(r)) && aboveIsBlank(rows, i, start, body.width)) {
			break
		}
		if f.run >= evidence {
			return 0
		}
	}
	if f.isTooLong() {
		return 0
	}
	return f.line
}

// isTooLong reports whether so many records are a text of their own.
func (f *closingBlock) isTooLong() bool { return f.found > maxFooter || f.notes > maxNotes }

// closingBlock is what stands below a table, from its end on upwards.
type closingBlock struct {
	columns
	usual []bool // the columns in which nearly all records have a value
	line  int64  // where it begins, as far as is known
	found int    // other records
	notes int    // records of one text that are padded to the table's width
	// records that belong to it only if one above does, such as a balance below the totals
	waiting   int
	misfits   int  // records of one text that is no value of the first column: a row or two may lack all else
	sum       row  // the total that was found last
	mean      bool // an average was found
	extra     bool // a tax, a discount or the like was found
	strays    bool // a text was found in a column of values
	run       int  // how many records in a row are as wide, which makes them a table
	lastWidth int
}

// take adds the record above, and reports whether it may belong to the block.
func (f *closingBlock) take(r row, apart bool) bool {
	closes := f.closing(r, apart) || f.besideSum(r) || f.isBalance(r) || f.mean && f.waiting > 0 && f.isExtreme(r)
	closes = closes || (f.isBareSum(r) || !r.subtotal && f.isNamedSum(r, f.usual)) && !f.isUsualShape(r)
	closes = closes || f.hasShapeOfSum(r) && !f.isUsualShape(r)
	closes = closes || r.onlyBalance && f.kinds[0] > word && f.lacks(r) && !f.isUsualShape(r)
	closes = closes || apart && f.mayClose(r) && share(r.filled, seen(f.width)) <= noteWidth
	closes = closes || apart && f.isLegend(r) || r.isSum() && f.lacksFirst(r)
	closes = closes || f.isNoteBehindNumber(r) || f.countsMarks(r) || f.isClosingBalance(r) || f.isClosingLine(r, apart)
	if f.isStray(r) {
		closes, f.strays = true, true
	}
	closes = closes || f.strays && r.filled == 1 && r.width == f.width && onlyWords(r)
	goesOn := f.mayGoOn(r)
	if goesOn && f.kinds[0] > word && r.kinds[0] != f.kinds[0] {
		f.misfits++
		closes = closes || f.misfits >= evidence
	}
	switch {
	case !closes && f.waiting > 0 && r.subtotal && f.lacks(r):
	case !closes && goesOn:
		f.waiting++
		return f.waiting <= maxFooter
	case !closes && !f.mayClose(r) && !f.isExtreme(r) && !f.maySum(r) && !f.mayFollow(r) && !(apart && r.isTitle() && f.lacks(r)):
		return false
	case !closes:
		f.waiting++
		return f.waiting <= maxFooter
	}
	f.run++
	if r.width <= 1 || r.width != f.lastWidth || r.width == f.width {
		f.run = 1
	}
	f.lastWidth = r.width
	f.found += f.waiting
	if r.filled == 1 && r.width == f.width { // any other line would be rejected if it were no note
		f.notes++
	} else {
		f.found++
	}
	f.line, f.waiting = r.line, 0
	if r.total {
		f.sum = r
	}
	f.mean = f.mean || r.mean || r.meanOf
	return true
}

// isStray reports whether the record has nothing but texts, none of them in the first column and one where the others have a value, and
// half of its cells are empty, while no other record has gaps: somebody has written in the cells below the table.
func (f *closingBlock) isStray(r row) bool {
	if r.width != f.width || r.broken || f.width <= narrow || r.kinds[0] != empty || !onlyWords(r) {
		return false
	}
	if share(r.filled, seen(f.width)) > noteWidth {
		return false
	}
	same, other := f.compare(r)
	return same == 0 && other > 0 && f.n > evidence && len(f.usual) > 0 && !slices.Contains(f.usual, false)
}

// isLegend reports whether the record has no value of the columns' kinds, and lacks the first and another column in which nearly all have
// one: below a blank record it explains what stands in the cells.
//
//	,P = present,A = absent
func (f *closingBlock) isLegend(r row) bool {
	same, _ := f.compare(r)
	return same == 0 && f.n > evidence && onlyWords(r) && f.lacksFirst(r)
}

// lacksFirst reports whether the record lacks the first and another column in which nearly all have a value, and no other record has such
// gaps.
func (f *closingBlock) lacksFirst(r row) bool {
	return r.width == f.width && !r.broken && f.width > narrow && len(f.usual) > 0 && f.usual[0] && r.kinds[0] == empty && !r.keyless &&
		f.missing(r) >= sumLacks && !f.isUsualShape(r)
}

// mayFollow reports whether the record may stand below a sum or another record that is none of the table: it lacks the first column and
// another one, or has a text where the others have a value there, or other values in that and another one; or it has nothing but a name and
// numbers, lacks two columns, and begins with none of their values.
func (f *closingBlock) mayFollow(r row) bool {
	if r.width != f.width || r.broken || f.width <= narrow || len(f.usual) == 0 {
		return false
	}
	_, other := f.compare(r)
	misfit := r.kinds[0] != empty && r.kinds[0] != f.kinds[0] && (r.kinds[0] == word || other > 1)
	named := f.kinds[0] > word && misfit || f.missing(r) >= sumLacks && f.namesNumbers(r) && !f.isUsualShape(r) &&
		(f.kinds[0] <= word || r.kinds[0] != f.kinds[0])
	return f.lacksFirst(r) || named || f.namesAmount(r)
}

// namesAmount reports whether the record has nothing but a name and a number in the last column, and lacks a first column of values, in
// which nearly all have one.
//
//	2025-03-13,Train home,148,  ,148
//	          ,Advance,      ,  ,-300
func (f *closingBlock) namesAmount(r row) bool {
	if r.filled != listCells || len(r.kinds) != f.width || r.kinds[0] != empty || f.kinds[0] <= word || !f.usual[0] {
		return false
	}
	return r.kinds[f.width-1] == number && slices.Contains(r.kinds, word) && !f.isUsualShape(r)
}

// mayGoOn reports whether the record may be a further line of a note: a sentence alone, or what is no value of the first column, where
// the others have more.
func (f *closingBlock) mayGoOn(r row) bool {
	if r.filled != 1 || r.width != f.width || r.broken || r.kinds[0] == empty || f.width <= narrow || !f.isFull() {
		return false
	}
	return r.prose || f.kinds[0] > word && r.kinds[0] != f.kinds[0]
}

// besideSum reports whether the record above a total belongs to it: a subtotal, a tax, an average. One that has a first text as all others
// have, and lacks a single column, may be a row.
func (f *closingBlock) besideSum(r row) bool {
	if f.sum.line == 0 || r.width != f.width || r.broken {
		return false
	}
	return r.mean || f.lacks(r) && (r.subtotal || sameShape(r, f.sum) && (f.kinds[0] > word || f.missing(r) >= totalLacks))
}

// isExtreme reports whether the record is named as the greatest or the least value. Max may also be a pupil, so it closes the table only
// below an average, or above one together with another.
func (f *closingBlock) isExtreme(r row) bool {
	same, other := f.compare(r)
	named := other == 0 || other == 1 && f.kinds[0] > word // its name may stand where the others have a number
	first := r.kinds[0] == word || r.kinds[0] == empty && f.lacks(r)
	return r.extreme && r.width == f.width && !r.broken && first && same > 0 && named
}

// isBalance reports whether the record has nothing but a name with a colon and its value, where the others have more and a value stands
// first.
func (f *closingBlock) isBalance(r row) bool {
	return r.prose && r.filled == listCells && f.mayClose(r)
}

// mayClose reports whether the record lacks what the others have and has a word where they have a value, as a balance has.
func (f *closingBlock) mayClose(r row) bool {
	_, other := f.compare(r)
	return r.width == f.width && !r.broken && other > 0 && f.lacks(r) && (r.kinds[0] == word || r.kinds[0] == empty && f.kinds[0] > word)
}

// maySum reports whether the record may belong to a subtotal above it, as a tax does and what is due: it has nothing but a name in the
// first column and a number in the last one, and lacks two columns that nearly all have.
func (f *closingBlock) maySum(r row) bool {
	if r.width != f.width || r.filled != listCells || len(r.kinds) != r.width || r.kinds[0] != word || r.kinds[r.width-1] != number {
		return false
	}
	return f.missing(r) >= totalLacks
}

// missing counts the columns in which nearly all records have a value and this one has none.
func (f *closingBlock) missing(r row) int { return missing(f.usual, r) }

func missing(usual []bool, r row) (n int) {
	for i, always := range usual {
		if always && (i >= len(r.kinds) || r.kinds[i] == empty) {
			n++
		}
	}
	return n
}

// lacks reports whether the record has no value in a column in which nearly all have one.
func (f *closingBlock) lacks(r row) bool { return lacks(f.usual, r) }

func lacks(usual []bool, r row) bool { return missing(usual, r) > 0 }

// beginsAsSum reports whether the record begins with a word for a sum: Total, or another one, such as a star, before an empty cell.
func (r row) beginsAsSum() bool {
	return r.total && r.totalFirst || r.subtotal && len(r.kinds) > 1 && r.texts[0] != noText && r.kinds[1] == empty
}

// isSum reports whether the record's words say that it sums up others.
func (r row) isSum() bool { return r.total || r.subtotal || r.partTotal || r.mean }

// aboveIsBlank reports whether there is a blank line above the record and others that are narrower than the table, have one text, or
// explain marks.
func aboveIsBlank(rows []row, i, start, width int) bool {
	for ; i >= start && (rows[i].width < width || rows[i].filled <= 1 || rows[i].explains); i-- {
		if rows[i].separates() {
			return true
		}
	}
	return false
}

// separates reports whether the record is blank, or a drawn line alone.
func (r row) separates() bool { return r.blank || r.isLine() }

func (r row) isLine() bool { return r.ruled && r.long && r.width == 1 && r.filled == 1 }

// closing reports whether the record closes the table; apart says that it is separated from the records above.
func (f *closingBlock) closing(r row, apart bool) bool {
	c, width := f.columns, f.width
	same, other := c.compare(r)
	switch {
	case r.broken || width < 2 || len(r.kinds) == 0:
		return false
	case r.page, r.isLine(), apart && r.countsRecords && width > narrow && r.width != width:
		return true
	case r.width == width && width > narrow && r.filled == 1 && (r.note || r.numberedNote) && r.sentence: // of a title, it would be the last
		return true
	case r.width == width && width > narrow && r.filled == 1 && f.found+f.notes > 0 && r.sentence && r.kinds[0] != empty && c.isFull():
		return true
	case r.width == width && apart && r.partTotal && r.kinds[0] == word && c.kinds[0] <= word && c.namesNumbers(r):
		return same > 0
	case r.width == width && (r.totalFirst && c.isFullest(r) || r.toFillIn && f.lacks(r) || r.legend != 0 && c.hasValue(r.legend)):
		return true
	case r.width == width && r.filled == 1 && r.note && c.kinds[0] > word && r.kinds[0] == word && f.lacks(r):
		return true
	case r.width == width && c.hasManyGaps(): // in such a table these records are ordinary
		return false
	case r.width == width && r.total && !(r.totalFirst && !r.totalMore && c.saysMore(r) && !f.lacks(r)):
		return r.totalMore || other > 0 || f.missing(r) >= totalLacks && c.saysNothingElse(r) || c.hasGapsOfTotal(r, same) ||
			c.kinds[0] <= word && r.totalFirst || c.kinds[0] > word && r.kinds[0] == empty
	case r.width == width && (r.hasSumWord || r.partTotal) && c.kinds[0] > word && r.kinds[0] == empty && f.missing(r) >= totalLacks:
		return same > 0
	case r.width == width && r.hasSumWord && c.kinds[0] > word && r.kinds[0] == empty && f.lacks(r) && c.namesNumbers(r) && !f.isUsualShape(r):
		return true
	case r.width == width && r.partTotal && c.kinds[0] > word && r.kinds[0] == word && (f.lacks(r) || c.namesNumbers(r)): // Total in
		return same > 0
	case r.width == width && (r.mean || r.meanOf) && r.kinds[0] == empty && f.lacks(r) && !c.saysMore(r):
		return same > 0 && other <= 1 // its name may stand where the others have a code
	case r.width == width && (r.mean || r.meanOf && (f.lacks(r) || f.waiting > 0 || r.meanOfAll)) && r.kinds[0] == word && !c.saysMore(r):
		return same > 0 && (other == 0 || other == 1 && c.kinds[0] > word) // its name may stand where the others have a day
	case r.width == width && same == 0 && other > 0 && r.kinds[0] == word && (other > 1 && c.kinds[0] > word ||
		c.typed() == seen(width) && f.line > 0): // no value
		return true
	case r.filled == 1 && r.kinds[0] != empty && (width > narrow || r.width == 1 || apart && f.isListOfValues()):
		if r.width == width { // the last record of a list may have nothing but a text
			differs := c.kinds[0] > word && (r.kinds[0] == word || r.note && r.kinds[0] != c.kinds[0])
			saysWhat := r.sentence || r.keyed && !slices.Contains(f.usual, false)
			return (apart || r.note) && (c.isFull() || differs) || saysWhat && c.kinds[0] > word && c.isFull()
		}
		return apart || r.prose || c.kinds[0] > word && r.kinds[0] == word
	case apart && (f.isShortPair(r) || r.item && r.width < width && f.found+f.notes > 0): // commas have split it
		return true
	case r.width < width && share(r.width, width) <= noteWidth, r.width < width && apart && share(r.lastFilled(), width) <= noteWidth:
		return same == 0 && (other > 0 && r.width == 1 || apart || r.total || r.prose || r.writeOn)
	}
	return false
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

// hasManyGaps reports whether fewer than half of the cells are filled.
func (c columns) hasManyGaps() bool {
	n, filled := c.several()
	return share(filled, n*seen(c.width)) < sparseTable
}

// isListOfValues reports whether the table has two columns, of which the second nearly always has a value of its kind.
func (f *closingBlock) isListOfValues() bool {
	return f.width == narrow && len(f.usual) == narrow && f.usual[1] && f.kinds[1] > word
}

// saysMore reports whether the record has a text in another column of texts than the total's: no sum has.
func (c columns) saysMore(r row) bool {
	texts := 0
	for i, k := range c.kinds {
		if k == word && i < len(r.kinds) && r.kinds[i] == word {
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

// isFull reports whether the table has enough records with few empty cells, so that a record with a single text cannot
// belong to it.
func (c columns) isFull() bool {
	return c.fullAbove || c.n > evidence && share(c.filled, c.n*c.used) >= fullTable
}

// empties counts the empty cells of the table's columns.
func (c columns) empties(r row) int {
	n := 0
	for i := range c.kinds {
		if i >= len(r.kinds) || r.kinds[i] == empty {
			n++
		}
	}
	return n
}
