package table

import (
	"iter"
	"slices"
)

// Told is what a workbook says of its worksheet.
type Told struct {
	HeaderEnd int     // the index of the header's last row, from 1; 0 if nothing tells
	HeaderTop int     // likewise, of its first row
	Certain   bool    // HeaderEnd is right whatever the cells of that row look like
	Strong    []bool  // of each row: its cells are bold or coloured
	Heads     []bool  // of each row: the next one with a value is grouped below it
	Indents   []uint8 // of each row: by how many steps its first text is indented, beside the blanks before it
}

// DecideGrid detects where in a worksheet's first rows the table is. A row's cells end with its last value and are
// valid until the next row; a row without a value is blank. Only the hints Preamble, Header, Place and NoFooter
// apply.
func DecideGrid(grid iter.Seq[[][]byte], h Hints, t Told) Layout {
	rows := gridRows(grid, t)
	if h.Preamble == nil {
		emptyMadeNames(rows)
	}
	all := slices.Clone(rows)
	l := Layout{Preamble: skipTablesInGrid(rows, h, &t), grid: true}
	h.told = t
	wide := slices.Clone(rows)
	if rows = l.fitColumns(rows, h); l.Columns == 0 {
		return l.hinted(h)
	}
	if h.areOpen() {
		l.Preamble = max(l.Preamble, aboveOneColumn(rows, l.Columns))
	}
	start := l.findTable(rows, h)
	if h.Header == nil {
		start = l.dropHints(rows, start)
	}
	named := l.Header > 0
	if at := start - 1; named && h.mayLackHeader() && t.HeaderEnd == 0 && (at >= len(t.Strong) || !t.Strong[at]) {
		start = l.takeList(rows, start, cellsFrom(grid, at), false)
	}
	l.head = lastHeader(rows[:start])
	l.lookAtBody(rows[start:])
	headless := !named && l.isHeadless(rows, h)
	if headless && l.titlesFirstPart(rows[l.Preamble-1:], t.Strong[min(l.Preamble-1, len(t.Strong)):]) {
		l.Preamble--
		rows[l.Preamble].fit(l.Columns)
		start, headless = l.Preamble, false
		l.head = lastHeader(rows[:start])
	}
	if !h.NoFooter {
		l.findFilter(unskipped(rows[:start], all), rows[start:], t.Strong[min(start, len(t.Strong)):])
	}
	l.describeGrid(rows[start:])
	if headless {
		l.Preamble, l.Header = l.Preamble-1, 1 // nearly all tables of worksheets have a header, some with names for only a few columns
	}
	l.lookBeside(wide)
	return l
}

// lookBeside finds the table's columns among the rows, where something else stands beside it.
func (l *Layout) lookBeside(rows []row) {
	at := min(l.Preamble, len(rows))
	if from, to, titled, ok := beside(lastHeader(rows[:at]), rows[at:], l.Header+l.Blanks, widest(rows), false); ok {
		l.From, l.To, l.Upper, l.Titled = from, to, false, titled
	}
}

// fitColumns finds how many columns the table has, and returns its rows, as wide as that, without those of a second table below.
func (l *Layout) fitColumns(rows []row, h Hints) []row {
	width := headerWidth(rows, gridWidth(rows))
	first, other := firstOfTwo(rows[l.Preamble:], h.Place != First)
	two := first > 0 && !h.NoFooter
	if two {
		width, rows = first, rows[:l.Preamble+other]
	}
	fit(rows, width)
	markSections(rows)
	if l.Columns = usualWidth(rows); l.Columns <= 1 { // rows with only a name do not make a table of one column
		l.Columns = width
	}
	if two {
		l.Columns, l.To, l.Upper = first, first, true
	}
	return rows
}

// cellsFrom returns the cells of the rows from one on that are not blank.
func cellsFrom(grid iter.Seq[[][]byte], start int) iter.Seq[[][]byte] {
	return func(yield func([][]byte) bool) {
		no := 0
		for cells := range grid {
			if no++; no > start && len(cells) > 0 && !yield(cells) {
				return
			}
		}
	}
}

// skipTablesInGrid makes blank what stands above the main table of a worksheet, such as a summary of few rows, as skipTablesAbove does, and
// returns how many rows that are. The workbook may say that one of them is the header.
func skipTablesInGrid(rows []row, h Hints, t *Told) int {
	if h.Place == AboveOrBeside {
		return 0
	}
	n := max(belowShortTables(fitParts(rows)), belowWider(rows))
	if n == 0 || !h.skips(n) || t.HeaderEnd > 0 && t.HeaderEnd <= n {
		return 0
	}
	for i := range rows[:n] {
		rows[i] = row{blank: true}
	}
	t.Strong = slices.Clone(t.Strong)
	clear(t.Strong[:min(n, len(t.Strong))])
	return n
}

// unskipped returns rows above a header as they were before skipTablesInGrid: each page of a printed report may have them once more.
func unskipped(above, all []row) []row {
	rows := slices.Clone(above)
	for i, r := range rows {
		if r.blank {
			rows[i] = all[i]
		}
	}
	return rows
}

// fitParts returns the rows as wide as the widest one of those that follow each other without a blank one.
func fitParts(rows []row) []row {
	rows = slices.Clone(rows)
	for at := pastBlank(rows, 0); at < len(rows); {
		end := nextBlank(rows, at)
		width := widest(rows[at:end])
		for i := range rows[at:end] {
			rows[at+i].fit(width)
		}
		at = pastBlank(rows, end)
	}
	return rows
}

// isHeadless reports whether no header was found, nobody has said that there is none, and something stands right above the rows.
func (l Layout) isHeadless(rows []row, h Hints) bool {
	above := l.Preamble - 1
	return l.Header == 0 && above >= 0 && !rows[above].blank && h.areOpen()
}

// describeGrid tells what the header and the rows below it are like.
func (l *Layout) describeGrid(rows []row) {
	l.Unlabelled = isFilledTo(rows, l.Columns) || l.hasRemarks(rows)
	l.Named = l.Header > 0 && l.body.isNamedBy(l.head)
	l.Alone = l.Named && l.body.standsAlone() && l.head.namesMostOf(l.Columns)
}

// titlesFirstPart reports whether the first row, above a table without a header, is the title of its first part: others have such titles.
func (l Layout) titlesFirstPart(rows []row, strong []bool) bool {
	if !rows[0].isTitle() {
		return false
	}
	rows = slices.Clone(rows)
	rows[0].fit(l.Columns)
	parts, names, _ := l.body.titlesFirst(rows, strong)
	return parts != noTitles && len(names) >= sectionTitles
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
	if l.otherAt(l.body, rows, false) {
		return true
	}
	above := l.body.above(rows[0])
	if above == nil && l.Upper { // the body ends above the other table
		above = l.body.rows
	}
	return above != nil && l.otherAt(columnKinds(above, l.Columns), rows, endsInSum(above))
}

// Below returns the index of the first of a worksheet's last rows that stands below its table, such as a total or a note;
// their number if there is none. The rows are as for DecideGrid, which has returned l.
func (l Layout) Below(grid iter.Seq[[][]byte]) int {
	rows := l.lastRows(grid)
	if l.Columns < narrow {
		return len(rows)
	}
	if line := int(footer(rows, l.body)); line > 0 {
		if first := pastBlank(rows, 0); line-1 == first && rows[first].isSum() && rows[first].filled == l.Columns {
			return first + 1 // it sums up nothing
		}
		return line - 1
	}
	return len(rows)
}

// lastRows returns a worksheet's last rows, as wide as its table.
func (l Layout) lastRows(grid iter.Seq[[][]byte]) (rows []row) {
	for cells := range grid {
		r := gridRow(cells)
		r.line = int64(len(rows) + 1)
		r.fit(l.Columns)
		rows = append(rows, r)
	}
	return rows
}
