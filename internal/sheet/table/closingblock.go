package table

import (
	"slices"

	"sheetdrop/internal/sheet/kind"
)

// closingBlock is what stands below a table, from its end on upwards.
type closingBlock struct {
	columns
	line  int64 // where it begins, as far as is known
	found int   // other records
	notes int   // records of a single text
	// records that belong to it only if one above does, such as a balance below the totals
	waiting   int
	misfits   int  // records of one text that is no value of the first column: a row or two may lack all else
	sum       row  // the total that was found last
	mean      bool // an average was found
	extra     bool // a tax, a discount or the like was found
	account   bool // a closing balance with its day was found
	strays    bool // a text was found in a column of values
	run       int  // how many records in a row are as wide, which makes them a table
	lastWidth int
}

// isTooLong reports whether so many records are a text of their own.
func (f *closingBlock) isTooLong() bool { return f.found > maxClosing || f.notes > maxNotes }

// take adds the record above, and reports whether it may belong to the block.
func (f *closingBlock) take(r row, apart bool) bool {
	closes := f.closes(r, apart)
	if f.isStray(r) {
		closes, f.strays = true, true
	}
	closes = closes || f.strays && r.filled == 1 && r.width == f.width && onlyWords(r)
	goesOn := f.mayGoOn(r)
	if goesOn && f.kinds[0] > kind.Word && r.kinds[0] != f.kinds[0] {
		f.misfits++
		closes = closes || f.misfits >= evidence
	}
	switch {
	case closes || f.waiting > 0 && r.subtotal && f.lacks(r):
		f.add(r)
		return true
	case goesOn || f.mayClose(r) || f.isExtreme(r) || f.mayFollow(r) || apart && r.isTitle() && f.lacks(r):
		f.waiting++
		return f.waiting <= maxFooter
	}
	return false
}

// closes reports whether the record is none of the table, whatever stands above it.
func (f *closingBlock) closes(r row, apart bool) bool {
	switch {
	case f.closesByWords(r, apart), r.onlyBalance && f.kinds[0] > kind.Word && f.lacks(r) && !f.isUsualShape(r):
		return true
	case r.width != f.width || r.broken: // all others have the table's columns
		return false
	case f.besideSum(r), f.isBalance(r), f.mean && f.waiting > 0 && f.isExtreme(r),
		(f.isBareSum(r) || !r.subtotal && f.isNamedSum(r) || f.hasShapeOfSum(r)) && !f.isUsualShape(r),
		r.isSum() && f.lacksFirst(r), f.isNoteBehindNumber(r), f.countsMarks(r), f.isClosingBalance(r):
		return true
	case apart && (f.mayClose(r) && (share(r.filled, seen(f.width)) <= noteWidth || r.namesNumbersEach()) || f.isLegend(r)):
		return true
	}
	return f.isClosingLine(r, apart)
}

// add adds a record that closes the table, and those that waited for one.
func (f *closingBlock) add(r row) {
	f.run++
	if r.width <= 1 || r.width != f.lastWidth || r.width == f.width || r.setting { // Balance:,12.50
		f.run = 1
	}
	f.lastWidth = r.width
	f.found += f.waiting
	if r.filled == 1 && (r.width == f.width || r.width == 1) {
		f.notes++
	} else {
		f.found++
	}
	f.line, f.waiting = r.line, 0
	if r.total {
		f.sum = r
	}
	f.mean = f.mean || r.mean || r.meanOf
}

// isStray reports whether somebody has written in the cells below the table. The record has nothing but texts, none of them in the first
// column and one where the others have a value. Half of its cells are empty, while no other record has gaps.
func (f *closingBlock) isStray(r row) bool {
	if r.width != f.width || r.broken || f.width <= narrow || r.kinds[0] != kind.Empty || !onlyWords(r) {
		return false
	}
	if share(r.filled, seen(f.width)) > noteWidth {
		return false
	}
	return f.isUnlike(r) && f.n > evidence && len(f.usual) > 0 && !slices.Contains(f.usual, false)
}

// isLegend reports whether the record has no value, and lacks the first and another column in which nearly all have one: below a blank
// record it explains what stands in the cells.
//
//	,P = present,A = absent
func (f *closingBlock) isLegend(r row) bool {
	return onlyWords(r) && f.lacksFirst(r)
}

// mayFollow reports whether the record may stand below a sum or another record that is none of the table. It
//   - lacks the first column and another one;
//   - or has a text where the others have a value there, or another value, and is unlike them in other columns, too: it lacks two, or one
//     and has another value in a further one;
//   - or has nothing but a name and numbers, lacks two columns, and begins with none of their values, or names a part of the sum;
//   - or has nothing but a name and shares.
func (f *closingBlock) mayFollow(r row) bool {
	if r.width != f.width || r.broken || f.width <= narrow || len(f.usual) == 0 {
		return false
	}
	_, other := f.compare(r)
	misfit := r.kinds[0] != kind.Empty && r.kinds[0] != f.kinds[0] &&
		(r.kinds[0] == kind.Word || other > 1 && f.lacks(r) || f.missing(r) >= sumLacks)
	named := f.kinds[0] > kind.Word && misfit || f.missing(r) >= sumLacks && f.namesNumbers(r) && !f.isUsualShape(r) &&
		(f.kinds[0] <= kind.Word || r.kinds[0] != f.kinds[0])
	return f.lacksFirst(r) || named || f.hasOnlyShares(r) || r.ofWhich && f.namesNumbers(r)
}

// mayGoOn reports whether the record may be a further line of a note: a sentence alone, or what is no value of the first column, where
// the others have more.
func (f *closingBlock) mayGoOn(r row) bool {
	if r.filled != 1 || r.width != f.width || r.broken || r.kinds[0] == kind.Empty || f.width <= narrow || !f.isFull() && f.notes == 0 {
		return false
	}
	return r.prose || f.kinds[0] > kind.Word && r.kinds[0] != f.kinds[0]
}

// besideSum reports whether the record above a total belongs to it: a subtotal, a tax, an average. One that has a first text as all others
// have, and lacks a single column, may be a row.
func (f *closingBlock) besideSum(r row) bool {
	if f.sum.line == 0 || r.width != f.width || r.broken {
		return false
	}
	return r.mean || f.lacks(r) && (r.subtotal || sameShape(r, f.sum) && (f.kinds[0] > kind.Word || f.missing(r) >= sumLacks))
}

// isExtreme reports whether the record is named as the greatest or the least value. Max may also be a pupil, so it closes the table only
// below an average, or above one together with another.
func (f *closingBlock) isExtreme(r row) bool {
	same, other := f.compare(r)
	first := r.kinds[0] == kind.Word || r.kinds[0] == kind.Empty && f.lacks(r)
	return r.extreme && r.width == f.width && !r.broken && first && same > 0 &&
		other <= 1 // its name may stand where the others have a number
}

// isBalance reports whether the record has nothing but a name with a colon and its value, where the others have more and a value stands
// first; or the name of a balance in place of the day that the others begin with, and lacks two columns in which nearly all have a value.
//
//	Balance,2024-02-03,,,-501.53,EUR
func (f *closingBlock) isBalance(r row) bool {
	if r.namesBalance && r.kinds[0] == kind.Word && f.kinds[0] == kind.Moment && f.missing(r) >= sumLacks {
		return true
	}
	return r.prose && r.filled == listCells && f.mayClose(r)
}

// mayClose reports whether the record lacks what the others have and has a word where they have a value, as a balance has.
func (f *closingBlock) mayClose(r row) bool {
	_, other := f.compare(r)
	return r.width == f.width && !r.broken && other > 0 && r.kinds[0] == kind.Word && f.lacks(r)
}
