package dialect

import (
	"bytes"
	"cmp"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"
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

// namesByNumbersAlone reports whether the first row names its columns by numbers that rise, as most of the rows below do not.
func namesByNumbersAlone(rows []row) bool {
	n, climbing := 0, 0
	for _, r := range rows[1:] {
		if r.filled > 1 {
			n++
		}
		if r.namedByNumbers {
			climbing++
		}
	}
	return rows[0].namedByNumbers && n >= evidence && 2*climbing < n
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

func gridRow(cells [][]byte) row {
	n := min(len(cells), maxColumns)
	r := row{width: len(cells), blank: len(cells) == 0, lastText: true, kinds: make([]kind, n), texts: make([]uint64, n)}
	var y years
	for i, cell := range cells[:n] {
		r.look(i, bytes.TrimSpace(cell), &y)
	}
	r.yearish, r.calendar = int32(y.n), int32(y.ours)
	if r.filled == listCells && r.kinds[0] == empty && n > narrow {
		if name := slices.Index(r.kinds, word); name > 0 {
			r.onlyBalance = isBalance(cells[name])
		}
	}
	if r.years, r.yearsApart = y.rise(); r.filled == 1 {
		only := slices.IndexFunc(cells[:n], func(cell []byte) bool { return len(bytes.TrimSpace(cell)) > 0 })
		r.page = isPageLine(bytes.TrimSpace(cells[only]))
	}
	r.numbered = r.filled > 1 && r.filled <= paddedGaps+1 && isPageLine(bytes.TrimSpace(cells[n-1]))
	return r
}

// rises reports whether the cells behind the first one are numbers of which each is greater than the one before: 10, 20, 30.
func rises(cells [][]byte) bool {
	last := math.Inf(-1)
	for i, cell := range cells {
		if i == 0 && len(cell) > 0 && kindOf(cell) == word {
			continue
		}
		n, err := strconv.ParseFloat(strings.TrimSuffix(string(bytes.TrimSpace(cell)), "%"), 64)
		if err != nil || !(n > last) {
			return false
		}
		last = n
	}
	return len(cells) > 1+fewYears
}

// risesByOne reports whether the cells that are not empty are whole numbers of which each is greater by one than the one before.
func risesByOne(cells [][]byte) bool {
	last, n := 0, 0
	for _, cell := range cells {
		if cell = bytes.TrimSpace(cell); len(cell) == 0 {
			continue
		}
		no, err := strconv.Atoi(string(cell))
		if err != nil || n > 0 && no != last+1 {
			return false
		}
		last, n = no, n+1
	}
	return n > narrow
}

// namesByNumbers reports whether the cells are words first, then numbers of which each is greater than the one before, and words at the end
// at most: four numbers, or three that rise by one.
//
//	Product,1,2,3,4,Total
//	Piece,1,10,100,1000
func namesByNumbers(cells [][]byte) bool {
	var numbers [][]byte
	words := 0
	for _, cell := range cells {
		switch k := kindOf(cell); {
		case k == number:
			numbers = append(numbers, cell)
		case k == word && len(numbers) == 0:
			words++
		case k != word:
			return false
		}
	}
	enough := len(numbers) > columnsAbove || len(numbers) == columnsAbove && risesByOne(numbers)
	return words > 0 && enough && rises(append([][]byte{[]byte("name")}, numbers...))
}

// gridWidth returns the width that at least two rows, and one in ten, have or exceed: a stray cell beside the table
// does not widen it.
func gridWidth(rows []row) int {
	if len(rows) < 2 {
		return 0
	}
	widths := make([]int, len(rows))
	for i, r := range rows {
		widths[i] = r.width
	}
	slices.Sort(widths)
	return widths[len(widths)-1-max(1, len(widths)/gridOutliers)]
}

// headerWidth returns the table's width by the names of its columns, the last ones of which may have no values, where it is more than that
// width: names for all columns, alone or together with the row above, right above other rows.
func headerWidth(rows []row, width int) int {
	for i, r := range rows[:min(len(rows), maxPadded)] {
		if r.blank || r.width <= width || r.filled < evidence || !onlyWords(r) || i+evidence >= len(rows) || rows[i+1].blank {
			continue
		}
		full := true
		for c, k := range r.kinds {
			above := i > 0 && c < len(rows[i-1].kinds) && rows[i-1].kinds[c] == word
			full = full && (k != empty || above)
		}
		if full {
			return r.width
		}
	}
	return width
}

// widest returns the width of the widest row.
func widest(rows []row) (width int) {
	for _, r := range rows {
		width = max(width, r.width)
	}
	return width
}

// fit sets the table's width on the first row that fills more than half of it, and on all rows below: where a
// worksheet's row ends means nothing, because the cells after its last value may be empty.
func fit(rows []row, width int) {
	first := slices.IndexFunc(rows, func(r row) bool { return share(r.filled, seen(width)) > gridRowFilled })
	if first < 0 {
		return
	}
	for i := range rows[first:] {
		rows[first+i].fit(width)
	}
}

func (r *row) fit(width int) {
	if r.blank {
		return
	}
	n := min(width, maxColumns)
	r.width = width
	r.kinds = append(r.kinds, make([]kind, max(0, n-len(r.kinds)))...)[:n]
	r.texts = append(r.texts, make([]uint64, max(0, n-len(r.texts)))...)[:n]
}

// hasRemarks reports whether two rows or more have a text right behind the last name, where the header has one for each other column.
func (l Layout) hasRemarks(rows []row) bool {
	last := l.Columns - 1
	if l.Header == 0 || last < narrow || last >= maxColumns || len(l.head.kinds) <= last || l.head.kinds[last] != empty ||
		slices.Contains(l.head.kinds[:last], empty) {
		return false
	}
	remarks := 0
	for _, r := range rows {
		switch {
		case last >= len(r.kinds) || r.kinds[last] == empty:
		case r.kinds[last] != word || r.isSum():
			return false
		case r.filled > narrow:
			remarks++
		}
	}
	return remarks >= bodyRecords
}

// isFilledTo reports whether most rows have a value in the last column, so that it belongs to the table even where the
// header has no name for it.
func isFilledTo(rows []row, width int) bool {
	n, filled := 0, 0
	for _, r := range rows {
		if r.blank {
			continue
		}
		n++
		if width <= len(r.kinds) && r.kinds[width-1] != empty {
			filled++
		}
	}
	return filled >= evidence && share(filled, n) > gridRowFilled
}
