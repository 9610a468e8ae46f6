package table

import (
	"bytes"
	"slices"

	"sheetdrop/internal/sheet/dialect"
	"sheetdrop/internal/sheet/kind"
	"sheetdrop/internal/sheet/words"
)

// IsNone reports whether a record with these cells is no row of the table. Cells are UTF-8.
func (a *Among) IsNone(cells [][]byte) bool {
	if a.log {
		return a.isDirective(cells)
	}
	if a.mark != "" && len(cells) > 0 && bytes.HasPrefix(cells[0], []byte(a.mark)) {
		return a.isComment(gridRow(cells))
	}
	if a.isLineOfHeader(cells) || a.isVerified(cells) || a.shared != nil && standsApart(gridRow(cells), a.shared, a.width) {
		return true
	}
	filled, first := firstFilled(cells)
	if len(a.pages) > 0 && a.pages[hash(first)] && lacks(a.often, gridRow(cells)) {
		return true
	}
	if a.marked > 0 && a.marked < len(cells) && len(cells[a.marked]) > 0 && words.IsSumWord(cells[a.marked]) && a.isMarkedSum(gridRow(cells)) {
		return true
	}
	if a.width < narrow || len(first) == 0 || filled > 1 && !a.mayBeginWith(first, filled) {
		return false
	}
	if a.leading > 0 && len(cells) == a.leading+a.width {
		return a.isNoneBehindEmpty(gridRow(cells), filled)
	}
	for len(cells) > a.width && len(cells[len(cells)-1]) == 0 {
		cells = cells[:len(cells)-1]
	}
	r := gridRow(cells)
	if len(cells) < a.width && (a.grid || len(cells) > 1) {
		r.fit(a.width)
	}
	return a.isNone(r)
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

// isNoneBehindEmpty is isNone of a record that has cells in front of the table's columns, and so many that are not empty.
func (a *Among) isNoneBehindEmpty(r row, filled int) bool {
	if filled == 1 && r.filledBehind(0) && !r.filledBehind(a.leading) { // no row has anything there
		return true
	}
	r.dropLeading(a.leading)
	return a.isNone(r)
}

// isLineOfHeader reports whether the record is a line below the header that comes again: it numbers the columns, names their types, or says
// how they are to be filled in.
func (a *Among) isLineOfHeader(cells [][]byte) bool {
	if a.numbered && len(cells) == a.width && len(cells[0]) <= len("(1)") && a.isNumbering(gridRow(cells)) {
		return true
	}
	if a.numbered && len(cells) > 0 && string(cells[0]) == "1" && isCountWithGaps(gridRow(cells)) {
		return true
	}
	if a.types && a.isOfTypes(cells) {
		return true
	}
	return len(a.hints) > 0 && len(cells) > 0 && a.isHint(cells)
}

// isVerified reports whether the record is known to sum up others.
func (a *Among) isVerified(cells [][]byte) bool {
	return len(a.verified) > 0 && len(cells) >= a.leading+a.width && a.verified[hashOf(cells[a.leading:a.leading+a.width])]
}

// isNumbering reports whether the record numbers the columns, as the first one below the header does.
func (a *Among) isNumbering(r row) bool { return isCount(r) || isLettered(r) }

// isOfTypes reports whether a record names the types of the columns, as the first one below the header does.
func (a *Among) isOfTypes(cells [][]byte) bool {
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
	return named >= leastNumbered && share(named, seen(a.width)) >= headerFilled
}

// isDirective reports whether a record of a log is a line about it, which each start of the server adds. Other names begin another table.
func (a *Among) isDirective(cells [][]byte) bool {
	switch {
	case len(cells) == 0 || len(cells[0]) == 0 || cells[0][0] != '#':
		return false
	case bytes.HasPrefix(cells[0], []byte(dialect.W3CFields)), string(cells[0]) == dialect.ZeekFields:
		return sameTexts(gridRow(cells), a.names)
	}
	return true
}

// mayBeginWith reports whether a record of so many cells, of which this is the first one, may be none of this table.
func (a *Among) mayBeginWith(first []byte, filled int) bool {
	known := len(a.titles) > 0 && a.titles[hash(first)] || len(a.results) > 0 && a.results[hash(first)] ||
		len(a.parts.names) > 0 && a.parts.names[hash(first)] || a.parts.numbered == allTitles && filled == listCells
	valued := len(a.kinds) > 0 && a.kinds[0] > kind.Word && (first[0] < '0' || first[0] > '9')
	return known || mayBeNone(first) || valued && (a.sums || words.IsBalance(first))
}

// mayBeNone reports whether a record of several cells of which this is the first one may be none of the table.
func mayBeNone(first []byte) bool {
	return words.IsRuler(first) || words.IsStroke(first) || words.IsTotal(first) || words.IsTotalOf(first) || words.IsSubtotal(first) ||
		words.IsPartTotal(first) || words.IsCounting(first) || words.IsMean(first)
}

func (a *Among) isNone(r row) bool {
	switch {
	case a.width < narrow:
		return false
	case r.page || r.filled == 1 && len(r.texts) > 0 && (a.alone[r.texts[0]] || a.titles[r.firstText()]):
		return true
	case r.width == 1 && r.filled == 1 && (r.note && r.mark != "#" || a.parts.names[r.texts[0]]): // of comments more is asked
		return true
	case r.width != a.width:
		return false
	case r.filled == 1:
		isNote := a.isFull() && a.width > narrow && r.note && r.kinds[0] != kind.Empty &&
			(a.kinds[0] <= kind.Word || r.kinds[0] != a.kinds[0])
		return isNote || a.titles[r.texts[0]] || a.parts.first == allTitles && r.kinds[0] == kind.Word || a.isTextAmongValues(r)
	case len(a.titles) > 0 && a.titles[r.texts[0]] && (a.lacks(r) || r.hasOtherFirstName(a.names)):
		return true
	case len(a.parts.names) > 0 && a.parts.names[r.texts[0]] && a.isCalledAsPart(r):
		return true
	case r.isDrawn() || a.parts.numbered == allTitles && a.parts.isNumberedTitle(r):
		return true
	}
	return a.isPart(r) || a.isMarkedSum(r) || a.counts(r) || len(r.texts) > 0 && a.results[r.texts[0]] && r.isResult(a.kinds)
}

// isCalledAsPart reports whether the record, which is called as the title of a part is, sums that up: it has numbers, and lacks two columns
// that nearly all records have, or one if it has no other text.
//
//	Week 12
//	SO-4410,Petersen,Ladder,4,356
//	SO-4415,Iversen, Rope,  2, 18
//	Week 12,        ,      ,6,374
func (a *Among) isCalledAsPart(r row) bool {
	lacking := a.missing(r)
	return slices.Contains(r.kinds, kind.Number) && (lacking >= sumLacks || lacking > 0 && a.namesNumbers(r))
}

// isTextAmongValues reports whether the only text of a record stands in a column of numbers behind the first one, which all rows have. It
// says what the rows below it are, or goes on with a name above.
//
//	,     Persons,
//	North,120,    31
//	,     Per cent,
//	North,79.5,   20.5
func (a *Among) isTextAmongValues(r row) bool {
	i := r.first()
	if a.width <= narrow || i <= 0 || i >= len(a.kinds) || len(a.usual) == 0 || !a.usual[0] {
		return false
	}
	return r.kinds[i] == kind.Word && a.kinds[i] == kind.Number
}

// counts reports whether the record has nothing but a word for a number of records and that number, and lacks what nearly all records have.
func (a *Among) counts(r row) bool {
	return r.counting && r.filled == listCells && slices.Contains(r.kinds, kind.Number) && a.lacks(r)
}

// isBalance reports whether the record has the name of a balance where the others have a value.
func (a *Among) isBalance(r row) bool {
	return r.namesBalance && r.kinds[0] == kind.Word && len(a.kinds) > 0 && a.kinds[0] > kind.Word
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
