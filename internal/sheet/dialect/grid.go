package dialect

import (
	"cmp"
	"iter"
	"slices"
)

// Told is what a workbook says of its worksheet.
type Told struct {
	HeaderEnd int    // the index of the header's last row, from 1; 0 if nothing tells
	HeaderTop int    // likewise, of its first row
	Certain   bool   // HeaderEnd is right whatever the cells of that row look like
	Closed    bool   // and no row above HeaderTop belongs to the header
	Strong    []bool // of each row: its cells are bold or coloured
}

// DecideGrid detects where in a worksheet's first rows the table is. A row's cells end with its last value and are
// valid until the next row; a row without a value is blank. Only the hints Preamble, Header, Place and NoFooter
// apply.
func DecideGrid(grid iter.Seq[[][]byte], h Hints, t Told) Layout {
	var rows []row
	for cells := range grid {
		r := gridRow(cells)
		n := len(rows)
		r.risesByOne = risesByOne(cells)
		r.namedByNumbers = namesByNumbers(cells)
		r.rising = (n < len(t.Strong) && t.Strong[n] || n+1 == t.HeaderEnd) && rises(cells)
		rows = append(rows, r)
	}
	width, wide := headerWidth(rows, gridWidth(rows)), slices.Clone(rows)
	first, other := firstOfTwo(rows, h.Place != First)
	if first > 0 && !h.NoFooter {
		width, rows = first, rows[:other]
	}
	fit(rows, width)
	markSections(rows)
	l := Layout{Columns: usualWidth(rows), grid: true}
	if first > 0 && !h.NoFooter {
		l.Columns, l.To, l.Upper = first, first, true
	}
	if l.Columns <= 1 { // rows with only a name do not make a table of one column
		l.Columns = width
	}
	if l.Columns == 0 {
		return l.hinted(h)
	}
	if h.Preamble == nil && h.Header == nil {
		l.Preamble = aboveOneColumn(rows, l.Columns)
	}
	start := l.findTable(Dialect{}, rows, h)
	if h.Preamble == nil && h.Header == nil {
		if l.Header == 0 && start < len(rows) && namesByNumbersAlone(rows[start:]) {
			l.Header, start = 1, start+1
		}
		start = l.takeYears(rows, start)
		l.takeGroups(rows, start)
		if preamble, header, ok := l.toldBy(rows, t); ok {
			l.Preamble, l.Header, start = preamble, header, preamble+header
			l.Blanks = blankRows(rows[preamble:start])
			l.Header -= l.Blanks
		}
		l.takeAbove(rows, start)
		l.dropTitle(rows, start)
		start = l.takeNamed(rows, l.takeSpaced(rows, l.takeFurther(rows, start)), h)
	}
	if h.Header == nil {
		start = l.dropHints(rows, start)
	}
	l.head = lastHeader(rows, start)
	once := without(rows[start:], l.head)
	l.body = columnKinds(once, l.Columns).ofUpper(once)
	l.usual = l.body.usual(once)
	above := l.Preamble - 1
	headless := l.Header == 0 && above >= 0 && !rows[above].blank && h.Preamble == nil && h.Header == nil
	if headless && l.isTitleOfPart(rows[above:], t.Strong[min(above, len(t.Strong)):]) {
		rows[above].fit(l.Columns)
		l.Preamble, start, headless = above, above, false
	}
	if !h.NoFooter {
		strong := t.Strong[min(start, len(t.Strong)):]
		l.Among = l.among(rows[:start], rows[start:], l.body, l.usual, strong)
		if of := l.Among.without(rows[start:], strong); len(of) < len(rows)-start {
			once = without(of, l.head)
			l.body = columnKinds(once, l.Columns).ofUpper(once)
			l.usual = l.body.usual(once)
			l.Among.kinds, l.Among.usual = l.body.kinds, l.usual
		}
	}
	l.Unlabelled = isFilledTo(rows[start:], l.Columns) || l.hasRemarks(rows[start:])
	l.Named = l.Header > 0 && l.body.isNamedBy(l.head)
	l.Alone = l.Named && l.body.standsAlone() && l.head.namesMostOf(l.Columns)
	if headless {
		l.Preamble, l.Header = above, 1 // nearly all tables of worksheets have a header, some with names for only a few columns
	}
	at := min(l.Preamble, len(rows))
	if from, to, ok := beside(lastHeader(wide, at), wide[at:], l.Header+l.Blanks, widest(wide)); ok {
		l.From, l.To, l.Upper = from, to, false
	}
	return l
}

// isTitleOfPart reports whether the first row, above a table without a header, is the title of its first part: others have such titles.
func (l Layout) isTitleOfPart(rows []row, strong []bool) bool {
	if !rows[0].isTitle() {
		return false
	}
	rows = slices.Clone(rows)
	rows[0].fit(l.Columns)
	parts, names, _ := l.body.titledParts(rows, strong)
	return parts != noTitles && len(names) >= sectionTitles
}

// aboveOneColumn returns how many rows stand above the name of a worksheet's only column: titles, and blank rows below them, where the name
// is a word above values.
func aboveOneColumn(rows []row, width int) int {
	last := -1
	for i, r := range rows {
		if r.blank {
			last = i
		}
	}
	if width != 1 || last < 1 || last > maxTitles || len(rows)-last <= evidence || rows[last+1].kinds[0] != word {
		return 0
	}
	others := slices.ContainsFunc(rows[:last], func(r row) bool { return !r.blank && !r.isTitle() })
	if others || columnKinds(rows[last+2:], width).typed() == 0 {
		return 0
	}
	return last + 1
}

// takeGroups adds the names of groups above to the header, which ends before row start: they end with the last group's name, and so are
// narrower than the table.
func (l *Layout) takeGroups(rows []row, start int) {
	for l.Header > 0 && l.Preamble > 0 && l.Header < maxHeader && l.Preamble+l.Header == start &&
		rows[l.Preamble-1].width < l.Columns && rows[l.Preamble-1].groups(rows[l.Preamble:start], l.Columns) {
		l.Preamble--
		l.Header++
	}
}

// toldBy finds the header by what the workbook says, or by its looks.
func (l Layout) toldBy(rows []row, t Told) (preamble, header int, ok bool) {
	if preamble, header, ok = l.told(rows, cmp.Or(t.HeaderTop, t.HeaderEnd)-1, t.HeaderEnd-1, t); ok {
		return preamble, header, ok
	}
	if first, last, found := emphasised(rows, t.Strong, l.Columns); found && (l.Header == 0 || last+1 > l.Preamble+l.Header) {
		return l.told(rows, first, last, Told{})
	}
	return 0, 0, false
}

// OtherBegins reports whether the rows, of which the first follows a blank one, begin another table.
func (l Layout) OtherBegins(grid iter.Seq[[][]byte]) bool {
	var rows []row
	widest := 0
	for cells := range grid {
		rows = append(rows, gridRow(cells))
		widest = max(widest, len(cells))
	}
	if l.Columns < narrow || l.body.n == 0 {
		return false
	}
	for i := range rows {
		rows[i].fit(widest)
	}
	if l.otherAt(l.body, l.head, rows, false) {
		return true
	}
	above := l.body.above(rows[0])
	if above == nil && l.Upper { // the body ends above the other table
		above = l.body.rows
	}
	return endsInSum(above) && l.otherAt(columnKinds(above, l.Columns), l.head, rows, true)
}

// Below returns the index of the first of a worksheet's last rows that stands below its table, such as a total or a note;
// their number if there is none. The rows are as for DecideGrid, which has returned l.
func (l Layout) Below(grid iter.Seq[[][]byte]) int {
	var rows []row
	for cells := range grid {
		r := gridRow(cells)
		r.line = int64(len(rows) + 1)
		rows = append(rows, r)
	}
	if l.Columns < narrow {
		return len(rows)
	}
	for i := range rows {
		rows[i].fit(l.Columns)
	}
	if line := footer(rows, 0, 0, l.body, l.usual); line > 0 {
		return int(line) - 1
	}
	return len(rows)
}
