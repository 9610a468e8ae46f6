package table

import "sheetdrop/internal/sheet/kind"

// usualWidth returns the width of most records, or 0 if too few have it.
func usualWidth(rows []row) int {
	if below := belowEndedList(rows); below > 0 {
		return below
	}
	return widthOf(rows)
}

// widthOf is usualWidth where no list whose lines end with a delimiter stands above the table.
func widthOf(rows []row) int {
	records, titles := map[int]int{}, 0
	for _, r := range rows {
		if !r.blank && !r.broken {
			records[r.width]++
		}
		if r.width == listCells && r.filled == 1 && !r.lastText {
			titles++
		}
	}
	records[listCells] -= withoutTitles(records, titles)
	best := 0
	for width, n := range records {
		if n > records[best] || n == records[best] && width > best {
			best = width
		}
	}
	if records[best] < evidence {
		return 0
	}
	if best == 1 {
		best = wideAmongProse(records)
	}
	if best == listCells {
		if wider := amongLists(rows); wider > 0 {
			return wider
		}
	}
	if early := firstTable(rows, best); early > 1 {
		return early
	}
	return best
}

// withoutTitles returns how many records of two cells are no evidence of two columns: of lines that all end with a delimiter, titles have
// an empty second cell, and more records than those that have two texts are wider.
func withoutTitles(records map[int]int, titles int) int {
	for width, n := range records {
		if width > listCells && n >= evidence && n > records[listCells]-titles {
			return titles
		}
	}
	return 0
}

// wideAmongProse returns the width of the table in a text that is mostly prose.
func wideAmongProse(records map[int]int) int {
	best := 1
	for width, n := range records {
		if width > 1 && n >= evidence && share(n, records[1]) >= tableAmongProse &&
			(best == 1 || n > records[best] || n == records[best] && width > best) {
			best = width
		}
	}
	return best
}

// firstTable returns the width of the first long run of records of equal width.
func firstTable(rows []row, usual int) int {
	run, width := 0, 0
	for i, r := range rows {
		if r.sample > 0 {
			break
		}
		if r.blank || r.width != width {
			run, width = 0, r.width
		}
		if run++; width == usual && run == evidence {
			if below := belowList(rows[i-run+1:], width); below > 0 {
				return below
			}
			return width
		}
		if run < manyRecords || width < narrow {
			continue
		}
		if usual > width && isLongerTable(rows[i+1:], usual, run) {
			if isList(rows[i-run+1:i+1]) || width == listCells && isLongerTable(rows[i+1:], usual, run*muchLonger) {
				continue
			}
		}
		if run == manyRecords {
			if below := belowList(rows[i-run+1:], width); below > 0 {
				return below
			}
		}
		return width
	}
	return usual
}

// belowList returns the width of a table that follows a list of names with their values, or two columns that are short beside it; 0 if
// there is no list, or none follows. A list that other lines interrupt, such as a title or a legend, is one if most of them are of it.
func belowList(rows []row, width int) int {
	if width != listCells {
		return 0
	}
	n := 0
	for n < len(rows) && !rows[n].blank && rows[n].width == width {
		n++
	}
	if n < manyRecords {
		return 0
	}
	list, head := isList(rows[:n]), pastBlank(rows, n)
	if below := wideBelow(rows[head:], width); below.width > 0 && (list || below.n >= n*muchLonger) {
		return below.width
	}
	if head = lastTable(rows); head > n && isBrokenList(rows[:head], rows[head].width) {
		return wideBelow(rows[head:], width).width
	}
	return 0
}

// wideBelow returns the columns of a table that the rows are, header first, if it is wider; none if they are no such table. A few narrower
// records may stand below it.
func wideBelow(rows []row, width int) columns {
	if len(rows) == 0 || rows[0].width <= width {
		return columns{}
	}
	rows = rows[:max(len(rows)-maxFooter, lastOfWidth(rows, rows[0].width)+1)]
	below := columnKinds(rows[1:], rows[0].width)
	if below.n < evidence || !below.isUnlike(rows[0]) || !isUniform(rows, below.width) {
		return columns{}
	}
	return below
}

// lastOfWidth returns the index of the last record that is so wide; -1 if none is.
func lastOfWidth(rows []row, width int) int {
	last := len(rows) - 1
	for last >= 0 && (rows[last].blank || rows[last].width != width) {
		last--
	}
	return last
}

// lastTable returns the index of the first of the last records that are as wide as the last one, blank ones aside.
func lastTable(rows []row) int {
	last := len(rows)
	for last > 0 && rows[last-1].blank {
		last--
	}
	if last == 0 {
		return 0
	}
	first := last - 1
	for i := first; i >= 0 && (rows[i].blank || rows[i].width == rows[last-1].width); i-- {
		if !rows[i].blank {
			first = i
		}
	}
	return first
}

// isBrokenList reports whether most records are a list of names with their values, and all are narrower than the table.
func isBrokenList(rows []row, table int) bool {
	var list []row
	n := 0
	for _, r := range rows {
		switch {
		case r.blank:
			continue
		case r.width >= table:
			return false
		case r.width == listCells && r.kinds[0] == kind.Word:
			list = append(list, r)
		}
		n++
	}
	return share(len(list), n) >= brokenList && isList(list)
}

// isList reports whether the records are names with their values, as they stand above tables: two cells, of which the
// first ones are different words, and the others are not all of one kind, or have no header.
func isList(rows []row) bool {
	names, kinds := map[uint64]bool{}, map[kind.Kind]int{}
	for _, r := range rows {
		if r.width != listCells || r.kinds[0] != kind.Word || names[r.texts[0]] {
			return false
		}
		names[r.texts[0]] = true
		kinds[r.kinds[1]]++
	}
	return dominant(kinds) == kind.Word || kinds[rows[0].kinds[1]] == len(rows)
}

// isLongerTable reports whether at least so many records of this width follow.
func isLongerTable(rows []row, width, least int) bool {
	n := 0
	for _, r := range rows {
		if r.width == width && !r.blank {
			n++
		}
	}
	return n >= least
}

// isUniform reports whether nearly all records have the usual width.
func isUniform(rows []row, width int) bool {
	n, alike := 0, 0
	for _, r := range rows {
		if !r.blank && !r.broken {
			n++
			if r.width == width {
				alike++
			}
		}
	}
	return alike >= evidence && share(alike, n) >= uniformRecords
}
