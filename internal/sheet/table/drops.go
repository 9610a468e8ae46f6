package table

import (
	"bytes"
	"slices"

	"sheetdrop/internal/sheet/dialect"
	"sheetdrop/internal/sheet/kind"
	"sheetdrop/internal/sheet/words"
)

// Drops reports whether a record with these cells is no row of the table. Cells are UTF-8.
func (f *Filter) Drops(cells [][]byte) bool {
	if f.log {
		return f.isDirective(cells)
	}
	if f.mark != "" && len(cells) > 0 && bytes.HasPrefix(cells[0], []byte(f.mark)) {
		return f.isComment(gridRow(cells))
	}
	if f.isLineOfHeader(cells) || f.isVerified(cells) || f.shared != nil && standsApart(gridRow(cells), f.shared, f.width) {
		return true
	}
	if f.width < narrow || !f.mayDrop(cells) {
		return false
	}
	if f.leading > 0 && len(cells) == f.leading+f.width {
		return f.dropsBehindEmpty(gridRow(cells))
	}
	for len(cells) > f.width && len(cells[len(cells)-1]) == 0 {
		cells = cells[:len(cells)-1]
	}
	r := gridRow(cells)
	if len(cells) < f.width && (f.grid || len(cells) > 1) {
		r.fit(f.width)
	}
	return f.drops(r)
}

// mayDrop rules out most records that are rows of the table, without a closer look at their cells.
func (f *Filter) mayDrop(cells [][]byte) bool {
	isSum := func(i int) bool { return i > 0 && i < len(cells) && words.IsSumWord(cells[i]) }
	if isSum(f.marked) || len(cells) == f.width+1 && isSum(f.width) {
		return true
	}
	filled, first := firstFilled(cells)
	return filled == 1 || filled > 1 && f.mayBeginWith(first, filled)
}

// firstFilled counts the cells that have more than white space, and returns the first of them.
func firstFilled(cells [][]byte) (filled int, first []byte) {
	for _, cell := range cells {
		if cell = bytes.TrimSpace(cell); len(cell) > 0 {
			if filled++; filled == 1 {
				first = cell
			}
		}
	}
	return filled, first
}

// dropsBehindEmpty is drops of a record that has cells in front of the table's columns.
func (f *Filter) dropsBehindEmpty(r row) bool {
	if r.filled == 1 && r.filledBehind(0) && !r.filledBehind(f.leading) { // no row has anything there
		return true
	}
	r.dropLeading(f.leading)
	return f.drops(r)
}

// isLineOfHeader reports whether the record is a line below the header that comes again: it numbers the columns, names their types, or says
// how they are to be filled in.
func (f *Filter) isLineOfHeader(cells [][]byte) bool {
	if f.numbered && len(cells) > 0 && len(cells[0]) <= len("(1)") && isNumbering(gridRow(cells)) {
		return true
	}
	if f.types && f.isOfTypes(cells) {
		return true
	}
	return len(f.hints) > 0 && len(cells) > 0 && f.isHint(cells)
}

// isVerified reports whether the record is known to sum up others.
func (f *Filter) isVerified(cells [][]byte) bool {
	return len(f.verified) > 0 && len(cells) >= f.leading+f.width && f.verified[hashOf(cells[f.leading:f.leading+f.width])]
}

// isOfTypes reports whether a record names the types of the columns, as the first one below the header does.
func (f *Filter) isOfTypes(cells [][]byte) bool {
	named := 0
	for _, cell := range cells {
		switch cell = bytes.TrimSpace(cell); {
		case len(cell) == 0:
		case !words.IsTypeName(cell):
			return false
		default:
			named++
		}
	}
	return named >= leastNumbered && share(named, seen(f.width)) >= headerFilled
}

// isDirective reports whether a record of a log is a line about it, which each start of the server adds. Other names begin another table.
func (f *Filter) isDirective(cells [][]byte) bool {
	switch {
	case len(cells) == 0 || len(cells[0]) == 0 || cells[0][0] != '#':
		return false
	case bytes.HasPrefix(cells[0], []byte(dialect.W3CFields)), string(cells[0]) == dialect.ZeekFields:
		return sameTexts(gridRow(cells), f.names)
	}
	return true
}

// mayBeginWith reports whether a record of so many cells, of which this is the first one, may be none of this table.
func (f *Filter) mayBeginWith(first []byte, filled int) bool {
	known := f.titles.has(first) || f.results.has(first) || f.parts.names.has(first) || f.pages.has(first) ||
		f.parts.numbered == allTitles && filled == listCells
	valued := len(f.kinds) > 0 && f.kinds[0] > kind.Word && (first[0] < '0' || first[0] > '9')
	return known || mayBeDropped(first) || valued && (f.sums || words.IsBalance(first))
}

// mayBeDropped reports whether a record of several cells of which this is the first one may be none of the table.
func mayBeDropped(first []byte) bool {
	return words.IsRuler(first) || words.IsStroke(first) || words.IsTotal(first) || words.IsTotalOf(first) || words.IsSubtotal(first) ||
		words.IsPartTotal(first) || words.IsCounting(first) || words.IsMean(first)
}

// drops is Drops of a record that was looked at.
func (f *Filter) drops(r row) bool {
	switch {
	case f.width < narrow:
		return false
	case f.pages[r.firstText()] && (r.width > f.width || lacks(f.often, r)):
		return true
	case f.isBetweenPages(r) || r.filled == 1 && len(r.texts) > 0 && (f.alone[r.texts[0]] || f.titles[r.firstText()]):
		return true
	case r.width == 1 && r.filled == 1 && (r.note && r.mark != "#" || f.parts.names[r.texts[0]]): // of comments more is asked
		return true
	case r.width != f.width:
		return f.endsInSum(r)
	case r.filled == 1:
		isNote := f.isFull() && f.width > narrow && r.note && r.kinds[0] != kind.Empty &&
			(f.kinds[0] <= kind.Word || r.kinds[0] != f.kinds[0])
		return isNote || f.titles[r.texts[0]] || f.parts.first == allTitles && r.kinds[0] == kind.Word || f.isTextAmongValues(r)
	case len(f.titles) > 0 && f.titles[r.texts[0]] && (f.lacks(r) || r.hasOtherFirstName(f.names)):
		return true
	case len(f.parts.names) > 0 && f.parts.names[r.texts[0]] && f.isCalledAsPart(r):
		return true
	case r.isDrawn() || f.parts.numbered == allTitles && f.parts.isNumberedTitle(r):
		return true
	}
	return f.isPart(r) || f.isMarkedSum(r) || f.counts(r) || len(r.texts) > 0 && f.results[r.texts[0]] && r.isResult(f.kinds)
}

// endsInSum reports whether the record lacks the first cell, and has a word for a sum behind the last column: the sum of all rows, which
// may stand above them.
//
//	Page,Views,Users
//	,    48,   5,   Grand total
//	/a,  42,   3
func (f *Filter) endsInSum(r row) bool {
	return r.width == f.width+1 && int(r.sumAt) == f.width && r.kinds[0] == kind.Empty
}

// isCalledAsPart reports whether the record, which is called as the title of a part is, sums that up: it has numbers, and lacks two columns
// that nearly all records have, or one if it has no other text.
//
//	Week 12
//	SO-4410,Petersen,Ladder,4,356
//	SO-4415,Iversen, Rope,  2, 18
//	Week 12,        ,      ,6,374
func (f *Filter) isCalledAsPart(r row) bool {
	lacking := f.missing(r)
	return slices.Contains(r.kinds, kind.Number) && (lacking >= sumLacks || lacking > 0 && f.namesNumbers(r))
}

// isTextAmongValues reports whether the only text of a record stands in a column of numbers behind the first one, which all rows have. It
// says what the rows below it are, or goes on with a name above.
//
//	,     Persons,
//	North,120,    31
//	,     Per cent,
//	North,79.5,   20.5
func (f *Filter) isTextAmongValues(r row) bool {
	i := r.first()
	if f.width <= narrow || i <= 0 || i >= len(f.kinds) || len(f.usual) == 0 || !f.usual[0] {
		return false
	}
	return r.kinds[i] == kind.Word && f.kinds[i] == kind.Number
}

// counts reports whether the record has nothing but a word for a number of records and that number, and lacks what nearly all records have.
func (f *Filter) counts(r row) bool {
	return r.counting && r.filled == listCells && slices.Contains(r.kinds, kind.Number) && f.lacks(r)
}

// isBalance reports whether the record has the name of a balance where the others have a value.
func (f *Filter) isBalance(r row) bool {
	return r.namesBalance && r.kinds[0] == kind.Word && len(f.kinds) > 0 && f.kinds[0] > kind.Word
}

// sharedColumns returns the columns in which two records or more have a value, if two or more have values in none of them. Programs write
// there what holds for the whole table, each below a name of its own. It returns nil if there are no such records, or too few others.
//
//	Account,Day,  Payee,Amount,Opening,Closing,Fees
//	lee,    ,     ,     ,      $20,    ,
//	,       05-02,Hall, -4.50, ,       ,
//	,       05-03,Quay, -2.25, ,       ,
//	,       05-04,Lane, 10.00, ,       ,
//	,       ,     ,     ,      ,       $23.25,
func sharedColumns(rows []row, width int) []bool {
	counts, shared := make([]int, width), make([]bool, width)
	for _, r := range rows {
		if r.blank || r.broken || r.width != width {
			continue
		}
		for i, k := range r.kinds {
			if k != kind.Empty {
				counts[i]++
				shared[i] = counts[i] > 1
			}
		}
	}
	apart, others := 0, 0
	for _, r := range rows {
		switch {
		case r.blank || r.broken || r.width != width:
		case standsApart(r, shared, width):
			apart++
		case r.filled > listCells:
			others++
		}
	}
	if apart < sectionTitles || others < evidence {
		return nil
	}
	return shared
}

// standsApart reports whether the record has no value in these columns, but a name or a value, or both, in others.
func standsApart(r row, shared []bool, width int) bool {
	if r.width != width || r.filled == 0 || r.filled > listCells {
		return false
	}
	for i, is := range shared[:min(len(shared), len(r.kinds))] {
		if is && r.kinds[i] != kind.Empty {
			return false
		}
	}
	return true
}
