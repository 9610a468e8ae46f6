package sheet

import (
	"bytes"
	"cmp"
	"iter"
	"slices"

	"sheetdrop/internal/sheet/grid"
	"sheetdrop/internal/sheet/table"
)

// The limits of a worksheet's first rows, from which its layout is decided.
const (
	headRows   = 200
	headMemory = 4 << 20 // of memory
)

// readHead reads the first rows, in order of their numbers.
func (x *gridRows) readHead() {
	x.readAhead(headRows)
	slices.SortStableFunc(x.ahead.rows, func(a, b *keptRow) int { return cmp.Compare(a.No, b.No) })
}

// decideLayout finds the header among the first rows, by the options, by what the workbook says, or by their content. Rows are
// counted as Excel numbers them.
func (x *gridRows) decideLayout(info *sheetInfo, opt Options) {
	if x.useTable(info, opt) {
		return
	}
	x.foldMerged(x.start, true)
	x.left = leftOf(x.ahead.rows, 0)
	x.findTable(info, opt)
	if len(x.folds) > 0 { // those of the table may differ from what has the most rows
		x.foldMerged(x.preamble, false)
		x.findTable(info, opt)
	}
	if more := leftOf(x.ahead.rows, x.preamble); more > x.left { // what stands in those columns is above the table
		x.left = more
		x.findTable(info, opt)
	}
	if from, to := x.layout.From, x.layout.To; to > 0 { // and in others is beside it
		x.beside, x.left, x.right = !x.layout.Upper, x.folds.end(from, x.left), x.folds.end(to, x.left)
		if x.layout.Titled && opt.Skip == nil && opt.Header == nil { // alone, it may not tell its names from the title above
			skip, header := int(x.headEnd)-1, 1
			opt.Skip, opt.Header = &skip, &header
		}
		x.findTable(info, opt)
		x.lookAside()
	}
	x.nameMerged()
	x.lookForSums()
}

// ask asks what the workbook says of the worksheet.
func (x *gridRows) ask() error {
	informed, ok := x.rows.(grid.Informed)
	if !ok {
		return nil
	}
	var err error
	x.asked = hasGaps(x.ahead.rows)
	if x.known, err = informed.Known(x.asked); err != nil {
		return fileFault(err)
	}
	return nil
}

// groupRows is how many of a worksheet's first rows may be those of a header with the names of groups.
const groupRows = 20

// hasGaps reports whether one of the first rows may name groups of columns in merged cells: it has a value behind or before an empty cell.
func hasGaps(rows []*keptRow) bool {
	widest := 0
	for _, row := range rows {
		widest = max(widest, lastColumn(row))
	}
	for _, row := range rows[:min(len(rows), groupRows)] {
		n, first := 0, 0
		for _, c := range row.Cells {
			if c.HasText() {
				if n++; n == 1 {
					first = c.Column
				}
			}
		}
		if n > 1 && n < widest || n == 1 && first > 1 {
			return true
		}
	}
	return false
}

// useTable reads the first of what the program calls tables, unless the options say where the table is. It reports whether
// there is one.
func (x *gridRows) useTable(info *sheetInfo, opt Options) bool {
	if len(x.known.Tables) == 0 || opt.Skip != nil || opt.Header != nil {
		return false
	}
	t := x.known.Tables[0]
	at := slices.IndexFunc(x.ahead.rows, func(r *keptRow) bool { return r.No == t.Top })
	if at < 0 || t.Header > 1 || t.Header == 0 && at > 0 || t.Right <= t.Left || x.hasNumberedHeader(at, t) {
		return false // without a header it may be the rows alone
	}
	x.left, x.right, x.beside = t.Left-1, t.Right, true
	x.preamble = t.Top - 1
	width := t.Right - t.Left + 1
	header, skip := int(t.Header), at
	x.layout = table.DecideGrid(x.texts(x.ahead.rows[at:], t.Top-1, x.right, nil), table.Hints{
		Header: &header, Preamble: new(int), NoFooter: opt.Footer == none,
	}, table.Told{})
	x.layout.Preamble = skip
	x.headEnd = x.preamble + int64(header)
	info.dialect = Dialect{HeaderRows: header, PreambleRows: int(x.preamble)}
	info.columns, info.unlabelled = width, header > 0
	x.lookAside()
	if next := t.Bottom + 1; t.Totals > 0 || !slices.ContainsFunc(x.ahead.rows, func(r *keptRow) bool { return r.No == next }) {
		x.below = t.Bottom - t.Totals + 1
	}
	for _, other := range x.known.Tables[1:] {
		if other.Top > t.Bottom && (x.other == 0 || other.Top < x.other) {
			x.other = other.Top
		}
	}
	return true
}

// hasNumberedHeader reports whether the program has named the columns of a table that begins at row i by their numbers. It does where it
// was given titles and a header of several rows as well, so these say more than that there is a table.
func (x *gridRows) hasNumberedHeader(i int, t grid.Table) bool {
	for cells := range x.texts(x.ahead.rows[i:i+1], t.Top-1, t.Right, nil) {
		return t.Header > 0 && len(cells) >= t.Left && table.AreNumbered(cells[t.Left-1:])
	}
	return false
}

// leftOf returns how many columns are empty in all rows behind the one with the number last that have two values, or in all rows if none
// has two. A table may begin in any column, and titles above it further left.
func leftOf(rows []*keptRow, last int64) int {
	some, several, below := maxLeft, maxLeft, leftBelow{}
	for _, row := range rows {
		first, n := 0, 0
		for _, c := range row.Cells {
			if !c.HasText() || c.Column == 0 {
				continue
			}
			if n++; first == 0 || c.Column < first {
				first = c.Column
			}
		}
		if row.No <= last || n == 0 {
			continue
		}
		if some = min(some, first-1); n > 1 {
			several = min(several, first-1)
		}
		below.see(row.No, first-1, n)
	}
	if several < maxLeft {
		return below.of(several)
	}
	if some == maxLeft {
		return 0
	}
	return some
}

// maxLeft is more columns than a worksheet has.
const maxLeft = 1 << 20

// findTable finds the header.
func (x *gridRows) findTable(info *sheetInfo, opt Options) {
	rows, before := x.fromFirst()
	numbers := gridNumbers(rows, before)
	hints := table.Hints{Header: opt.Header, NoFooter: opt.Footer == none, Names: opt.columnNames()}
	if x.start > 0 {
		hints.Place = table.Below
	}
	if opt.Skip != nil {
		above, _ := slices.BinarySearch(numbers, int64(*opt.Skip)+1)
		hints.Preamble = &above
	}
	told := x.told(numbers)
	decide := func() table.Layout {
		return table.DecideGrid(x.texts(rows, before, x.right, x.spread), hints, told)
	}
	found := decide()
	first, last := x.mergedHeader(found, numbers)
	top, _ := slices.BinarySearch(numbers, first)
	foundEnd := found.Preamble + found.Header + found.Blanks
	if end, ok := slices.BinarySearch(numbers, last); ok && (end+1 > foundEnd || top < found.Preamble) {
		told.HeaderTop, told.HeaderEnd, told.Certain = top+1, end+1, true
		found = decide()
	}
	x.take(found, numbers, opt)
	info.dialect = Dialect{HeaderRows: found.Header, PreambleRows: int(x.preamble)}
	if info.unlabelled = found.Unlabelled && found.Header > 0; info.unlabelled {
		info.columns = found.Columns
		return
	}
	info.columns = 0
	for _, row := range x.ahead.rows {
		if row.No > x.preamble {
			info.columns = max(info.columns, x.folds.place(lastColumn(row), x.left))
		}
	}
	if x.right > 0 {
		info.columns = min(info.columns, x.folds.place(x.right, x.left))
	}
}

// fromFirst returns the first rows from the one with a value on, and the number of the row before it: blank rows above everything tell
// nothing.
func (x *gridRows) fromFirst() (rows []*keptRow, before int64) {
	first := slices.IndexFunc(x.ahead.rows, func(r *keptRow) bool { return valuesOf(r) > 0 })
	if first < 0 {
		return x.ahead.rows, x.start
	}
	return x.ahead.rows[first:], max(x.start, x.ahead.rows[first].No-1)
}

// take takes the layout that was found.
func (x *gridRows) take(found table.Layout, numbers []int64, opt Options) {
	if x.layout = found; opt.Footer == none {
		x.ahead.known = true
	}
	switch {
	case opt.Skip != nil:
		x.preamble = int64(*opt.Skip)
	case found.Preamble > 0:
		x.preamble = numbers[found.Preamble-1]
	}
	x.headEnd = x.lastOfHeader(found.Header)
}

// lastOfHeader returns the number of the header's last row, where it has so many that are not blank.
func (x *gridRows) lastOfHeader(n int) int64 {
	last := x.preamble
	for _, row := range x.ahead.rows {
		if n > 0 && row.No > x.preamble && x.filledCells(row) > 0 {
			last, n = row.No, n-1
		}
	}
	return last + int64(n)
}

// told returns what the workbook says of the rows with these numbers.
func (x *gridRows) told(numbers []int64) table.Told {
	t := table.Told{Strong: make([]bool, len(numbers)), Heads: make([]bool, len(numbers)), Indents: make([]uint8, len(numbers))}
	for i, no := range numbers {
		if no == x.known.HeaderEnd {
			t.HeaderEnd = i + 1
		}
	}
	column := x.strongColumn()
	for n, row := range x.ahead.rows {
		if i, ok := slices.BinarySearch(numbers, row.No); ok {
			t.Strong[i] = isStrong(row.Cells) && (column == 0 || !standsAlone(row, column) || isStrongBehind(row))
			t.Heads[i] = n+1 < len(x.ahead.rows) && row.Heads(&x.ahead.rows[n+1].Row)
			if first := slices.IndexFunc(row.Cells, hasText); first >= 0 {
				t.Indents[i] = row.Cells[first].Indent
			}
		}
	}
	return t
}

// texts yields the texts of rows that follow the row with the number last, with one blank row for any number of blank ones. A text
// left of the table, such as a title, stands in the first column; what stands behind the column right is left out, if that is not 0.
// spread, if it is not nil, returns the cells of a row with those of merged ones.
func (x *gridRows) texts(rows []*keptRow, last int64, right int, spread func(*keptRow, []*keptRow) []grid.Cell) iter.Seq[[][]byte] {
	left := x.left
	return func(yield func([][]byte) bool) {
		var cells [][]byte
		last := last
		for i, row := range rows {
			if row.No > last+1 && !yield(nil) {
				return
			}
			last = row.No
			list := row.Cells
			if spread != nil && i < groupRows {
				if with := spread(row, rows[:i]); with != nil {
					list = with
				}
			}
			end := lastOf(list)
			width := max(x.folds.place(end, left), min(end, 1))
			if right > 0 {
				width = min(width, x.folds.place(right, left))
			}
			cells = slices.Grow(cells[:0], width)[:width]
			clear(cells)
			for _, c := range list {
				at := max(0, x.folds.place(c.Column, left)-1)
				if c.HasText() && c.Column > 0 && at < width && (len(cells[at]) == 0 || c.Column > left && !x.folds.has(c.Column)) {
					cells[at] = shownText(&c)
				}
			}
			if !yield(cells) {
				return
			}
		}
	}
}

// textsOf yields the texts of rows below the header, as texts does, and returns the numbers of the rows that it yields.
func (x *gridRows) textsOf(rows []*keptRow) (texts iter.Seq[[][]byte], numbers []int64) {
	last := rows[0].No - 1
	return x.texts(rows, last, x.right, nil), gridNumbers(rows, last)
}

// shownText returns the cell's text, with a percent sign behind a number that is displayed as a share.
func shownText(c *grid.Cell) []byte {
	if c.Shown != grid.AsShare || bytes.IndexByte(c.Text, 'E') >= 0 {
		return c.Text
	}
	return slices.Concat(c.Text, []byte("%"))
}

// gridNumbers returns the numbers of the grid's rows; of blank ones, the last.
func gridNumbers(rows []*keptRow, last int64) (numbers []int64) {
	for _, row := range rows {
		if row.No > last+1 {
			numbers = append(numbers, row.No-1)
		}
		numbers = append(numbers, row.No)
		last = row.No
	}
	return numbers
}

// lastColumn returns the column of a row's last non-empty value.
func lastColumn(row *keptRow) (column int) { return lastOf(row.Cells) }

func lastOf(cells []grid.Cell) (column int) {
	for _, c := range cells {
		if c.HasText() {
			column = max(column, c.Column)
		}
	}
	return column
}
