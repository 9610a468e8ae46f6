package table

import (
	"slices"

	"sheetdrop/internal/sheet/dialect"
	"sheetdrop/internal/sheet/kind"
)

// beneathPadding finds the table where the lines above it are padded to its width, as spreadsheets write them. Titles, names with their
// values, and blank lines have as many cells as the header below them, most of them empty. l is what was found by the widths alone; ok is
// false if it stays. For example,
//
//	Sales list,,,
//	Printed,2024-04-30,,
//	,,,
//	day,customer,qty,amount
//	2024-04-02,C1,1,120
//
// has its header in the fourth record.
func (l Layout) beneathPadding(rows []row) (preamble, header int, ok bool) {
	if l.Columns < narrow {
		return 0, 0, false
	}
	first := pastBlank(rows, min(l.Preamble, len(rows)))
	if preamble, header = l.namesOfSecond(rows, first); header > 0 {
		return preamble, header, true
	}
	top := l.belowForm(rows, first)
	if top == first {
		top = l.belowPairs(rows, first)
	}
	for i := top; i < min(first+maxPadded, len(rows)) && rows[i].sample == 0 && !rows[i].broken; i++ {
		full := rows[i].filled == seen(l.Columns)
		n := l.headerAt(rows, first, i)
		if n == 0 || header > 0 && (!full || i < preamble+header) { // only a fuller one may follow
			if l.isAbove(rows, i) {
				continue
			}
			break
		}
		names := i
		for names > first && rows[names-1].groups(rows[names:i+1], l.Columns) && !rows[names-1].isReplaced(rows[i], rows[i+1:]) {
			names--
		}
		if n+i-names > maxHeader || isBelowHeader(rows[first:i], rows[i:]) { // these are rows of another table
			break
		}
		preamble, header = names, n+i-names
		ok = preamble > first || header > l.Header
		if full {
			break
		}
	}
	return preamble, header, ok
}

// namesOfSecond finds the header of a table of two columns that lacks the name of the first one: titles alone stand above it, and below it
// rows with a number. It has no rows if there is none.
//
//	Residents by state;
//	;Day
//	;31.12.2024
//	Harbour;41200
func (l Layout) namesOfSecond(rows []row, first int) (preamble, header int) {
	if l.Columns != narrow || l.grid {
		return 0, 0
	}
	isIn := func(column int) func(row) bool {
		return func(r row) bool { return !r.blank && (r.filled != 1 || r.first() != column) }
	}
	names := first + slices.IndexFunc(rows[first:], isIn(0))
	if names < first || names > first+maxTitles {
		return 0, 0
	}
	start := names + slices.IndexFunc(rows[names:], isIn(1))
	if header = start - names; header < 1 || header > maxHeader || first == names && header == 1 {
		return 0, 0
	}
	body, top := columnKinds(rows[start:], narrow), rows[start]
	ofNumbers := body.n >= evidence && body.kinds[1] == kind.Number && top.width == narrow && top.has(0) && top.has(1)
	if !ofNumbers || kindIn(rows[start:], 1) != kind.Number || rows[names].numbers() > int(rows[names].yearish) {
		return 0, 0
	}
	return names, header
}

// headerAt returns how many header rows begin at record i, all of whose predecessors stand above the table; 0 if it is
// none. It has a name for nearly each column and values below them.
func (l Layout) headerAt(rows []row, first, i int) int {
	r, width := rows[i], l.Columns
	if l.grid && i > first && i+2 < len(rows) && rows[i+1].blank && r.namesBelowBlank(rows[i+2], rows[i+3:], width) {
		return 1 // takeSpaced adds what stands below the blank row
	}
	if r.blank || r.width != width || r.listsNames() || r.isDrawn() || !l.isNearlyFull(rows, first, i) || r.standsAbove(rows[i+1:], width) {
		return 0
	}
	body := columnKinds(withoutPages(rows[i+1:], rows[first:i], r), width)
	same, other := body.compare(r)
	grouped := i > first && rows[i-1].namesGroupsOf(r, rows[i+1:], width) || body.isCounted(r)
	switch {
	case i > first && (namesOnlyRow(rows[first:i], rows[i:], width) || namesPairs(rows[first:i], rows[i:], width)):
		return 1
	case body.n < bodyRecords || same > 0 && !grouped:
		return 0
	case other > 0 || grouped:
	case i == first || width <= narrow || !onlyTitles(rows[first:i]) || !body.isFull():
		return 0
	}
	return max(1, headerRows(rows[i:], width))
}

// namesOnlyRow reports whether the first of the rows has a name for each column, and the one below it, which has a value, a cell. All
// others, above and below, have a cell or two.
func namesOnlyRow(above, rows []row, width int) bool {
	isWide := func(r row) bool { return r.filled > listCells }
	if width <= listCells || len(rows) < narrow || !rows[0].namesAllOf(width) || slices.ContainsFunc(above, isWide) {
		return false
	}
	only := rows[1]
	return only.width == width && only.filled == seen(width) && only.typed() > 0 && !slices.ContainsFunc(rows[2:], isWide)
}

// namesPairs reports whether the first of the rows names the two columns of those below, which have no gap but for notes at the end. A
// blank record separates them from titles.
func namesPairs(above, rows []row, width int) bool {
	isFull := func(r row) bool { return r.width == width && r.filled == width }
	titled := !slices.ContainsFunc(above, func(r row) bool { return r.filled > 1 }) && above[len(above)-1].blank && !above[0].blank
	if width != narrow || !titled || !onlyWords(rows[0]) || len(rows) < narrow || !isFull(rows[1]) {
		return false
	}
	end := slices.IndexFunc(rows, func(r row) bool { return !isFull(r) })
	return end < 0 || !slices.ContainsFunc(rows[end:], func(r row) bool { return r.filled > 1 })
}

// standsAbove reports whether the record, which has a value, or two names with colons, stands above a blank one and a header, which has
// none and names each column.
//
//	Week,6,of,2025
//	,,,
//	no,name,weight,state
//	1,ant,8.99,ok
func (r row) standsAbove(rows []row, width int) bool {
	head := pastBlank(rows, 0)
	return head > 0 && head < len(rows) && (!onlyWords(r) || r.colons >= narrow) && headsAll(rows[head:], width)
}

// headsAll reports whether the first record names each column of those below, by a code such as CH1, too, and is no value of any.
func headsAll(rows []row, width int) bool {
	if rows[0].width != width || rows[0].filled != seen(width) || !rows[0].isOfNames() {
		return false
	}
	body := columnKinds(rows[1:], width)
	return body.isUnlike(rows[0]) && !body.hasCodeOf(rows[0])
}

// isNearlyFull reports whether record i, together with the names of groups above it, has a cell for each column but one.
func (l Layout) isNearlyFull(rows []row, first, i int) bool {
	named := make([]bool, min(l.Columns, dialect.MaxColumns))
	for top := i; top >= first && (top == i || rows[top].groups(rows[top+1:i+1], l.Columns)); top-- {
		for c, k := range rows[top].kinds[:min(len(named), len(rows[top].kinds))] {
			named[c] = named[c] || k != kind.Empty
		}
	}
	missing := 0
	for _, has := range named {
		if !has {
			missing++
		}
	}
	return missing == 0 || missing == 1 && len(named) > narrow+1
}

// isAbove reports whether record i may stand above a table: a title, a name with its value, or the names of groups.
func (l Layout) isAbove(rows []row, i int) bool {
	r := rows[i]
	switch {
	case r.blank:
		return true
	case r.width < l.Columns:
		return l.grid || r.filled <= 1 && !r.broken
	case r.filled <= 1 || r.listsNames() || r.isDrawn() || r.standsAbove(rows[i+1:], l.Columns):
		return true
	case r.filled <= unitCells && l.Columns > narrow && r.isPrefix():
		return true
	case r.filled <= seen(l.Columns)-paddedGaps:
		return true
	case r.filled < seen(l.Columns) && blankFollows(rows[i+1:min(len(rows), i+1+maxTitles)]):
		return true
	}
	return share(r.filled, seen(l.Columns)) <= paddedFilled || i+1 < len(rows) && r.groups(rows[i+1:i+2], l.Columns)
}

// blankFollows reports whether one of the records is blank, and those before it have gaps.
func blankFollows(rows []row) bool {
	for _, r := range rows {
		if r.blank {
			return true
		}
		if r.filled == r.width {
			return false
		}
	}
	return false
}

// onlyTitles reports whether no record has more than a name and its value, or names with colons and theirs.
func onlyTitles(rows []row) bool {
	for _, r := range rows {
		if r.filled > unitCells && !r.listsNames() {
			return false
		}
	}
	return true
}
