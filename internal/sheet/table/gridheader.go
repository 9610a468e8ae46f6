package table

import (
	"cmp"
	"slices"

	"sheetdrop/internal/sheet/kind"
)

// aboveOneColumn returns how many rows stand above the name of a worksheet's only column: titles, and blank rows below them, where the name
// is a word above values.
func aboveOneColumn(rows []row, width int) int {
	last := -1
	for i, r := range rows {
		if r.blank {
			last = i
		}
	}
	if width != 1 || last < 1 || last > maxTitles || len(rows)-last <= evidence || rows[last+1].kinds[0] != kind.Word {
		return 0
	}
	others := slices.ContainsFunc(rows[:last], func(r row) bool { return !r.blank && !r.isTitle() })
	if others || columnKinds(rows[last+2:], width).typed() == 0 {
		return 0
	}
	return last + 1
}

// takeGroups adds the names of groups above to the header, which ends before row start: they end with the last group's name, and so are
// narrower than the table. Above words a worksheet's last group goes on to the table's end.
func (l *Layout) takeGroups(rows []row, start int) {
	for l.Header > 0 && l.Preamble > 0 && l.Header < maxHeader && l.Preamble+l.Header == start && rows[l.Preamble-1].width < l.Columns {
		r := rows[l.Preamble-1]
		if l.grid && onlyWords(rows[l.Preamble]) {
			r = r.fitted(l.Columns)
		}
		if !r.groups(rows[l.Preamble:start], l.Columns) {
			return
		}
		l.Preamble--
		l.Header++
	}
}

// isNamedTwice reports whether the header has two rows or more, each with a text for all columns, such as in two languages.
func (l Layout) isNamedTwice(rows []row) bool {
	head := rows[min(l.Preamble, len(rows)):min(l.Preamble+l.Header, len(rows))]
	return len(head) > 1 && !slices.ContainsFunc(head, func(r row) bool { return !r.namesAllOf(l.Columns) })
}

// takeTold takes the header that the workbook tells of in place of the one that was found, which ends before row start, and returns the
// first row below it.
func (l *Layout) takeTold(rows []row, start int, t Told) int {
	preamble, header, ok := l.toldBy(rows, t)
	if !ok {
		return start
	}
	end := preamble + header
	l.Preamble, l.Blanks = preamble, blankRows(rows[preamble:end])
	l.Header = header - l.Blanks
	return end
}

// toldBy finds the header by what the workbook says, or by its looks.
func (l Layout) toldBy(rows []row, t Told) (preamble, header int, ok bool) {
	if t.HeaderTop == 0 && l.isNamedTwice(rows) && l.Preamble+l.Header == t.HeaderEnd { // the workbook says no more than the cells
		return 0, 0, false
	}
	if preamble, header, ok = l.told(rows, cmp.Or(t.HeaderTop, t.HeaderEnd)-1, t.HeaderEnd-1, t); ok {
		return preamble, header, ok
	}
	if first, last, found := emphasised(rows, t.Strong, l.Columns); found && (l.Header == 0 || last+1 > l.Preamble+l.Header) {
		return l.told(rows, first, last, Told{})
	}
	return 0, 0, false
}

// takeAbove adds the row above to a header of one row, where it has the days of the week: a text for each number or day in the header, and
// nothing else but names that are merged with those below. The header ends before row start.
//
//	,    ,      Mon,Tue,Wed
//	Shop,Leader,1,  2,  3
func (l *Layout) takeAbove(rows []row, start int) {
	if l.Header != 1 || l.Preamble == 0 || start != l.Preamble+1 {
		return
	}
	above, head := rows[start-2], rows[start-1]
	if above.hasDaysOf(head, columnKinds(rows[start:], l.Columns)) {
		l.Preamble, l.Header = l.Preamble-1, 2
		return
	}
	if above.blank || above.broken || above.filled < leastNumbered || len(head.kinds) < len(above.kinds) {
		return
	}
	for i, k := range head.kinds {
		named := i < len(above.kinds) && above.kinds[i] == kind.Word
		if named && k == kind.Word && above.texts[i] == head.texts[i] { // merged with the one below
			continue
		}
		if named != (k == kind.Number || k == kind.Moment) || !named && i < len(above.kinds) && above.kinds[i] != kind.Empty {
			return
		}
	}
	l.Preamble, l.Header = l.Preamble-1, 2
}

// takeNameOfRows adds the row below the header to it, where it has nothing but a bold or coloured name for the rows, and nothing below is
// bold or coloured: a title would have others. It returns the first row below the header, which ends before row start.
//
//	year,2023,2024
//	town,    ,
//	Bath,  12,  15
func (l *Layout) takeNameOfRows(rows []row, start int, strong []bool) int {
	if l.Header == 0 || l.Header == maxHeader || start >= min(len(rows), len(strong)) || !strong[start] {
		return start
	}
	if slices.Contains(strong[start+1:], true) || !rows[start].namesRowsOf(rows[start-1], rows[start+1:], l.Columns, true) {
		return start
	}
	l.Header++
	return start + 1
}

// hasDaysOf reports whether the row above the names of all columns has days above the last ones, three or more, and nothing else, where the
// rows below have none.
//
//	,    ,2024-03-04,2024-03-05,2024-03-06
//	Shop,Leader,Mon,Tue,        Wed
func (r row) hasDaysOf(head row, body columns) bool {
	if r.blank || r.broken || r.filled < leastNumbered || len(r.kinds) != len(head.kinds) {
		return false
	}
	if !head.namesAllOf(head.width) {
		return false
	}
	first := len(r.kinds) - r.filled
	for i, k := range r.kinds {
		if i < first && k != kind.Empty || i >= first && (k != kind.Moment || i < len(body.kinds) && body.kinds[i] == kind.Moment) {
			return false
		}
	}
	return first > 0
}
