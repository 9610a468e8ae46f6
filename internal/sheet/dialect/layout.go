package dialect

import "slices"

// findLayout finds the table in the text; said means that the first line declares the delimiter.
func findLayout(samples []Sample, d Dialect, said bool, h Hints) Layout {
	rows := readRows(samples, d)
	var l Layout
	if said && h.Preamble == nil {
		rows[0].blank = true
		l.Preamble = 1
	}
	if l.Columns = usualWidth(rows); l.Columns == 0 {
		l = l.hinted(h)
		if h.Header == nil && startWithValues(rows) {
			l.Header = 0
		}
		return l
	}
	if trailing(rows, l.Columns) {
		l.Trailing = 1
	}
	if len(samples) == 1 && samples[0].Tail {
		l.Trailing = max(l.Trailing, emptyBehind(rows, l.Columns))
	}
	if l.Trailing > 0 {
		for i := range rows {
			rows[i].dropTrailing(l.Columns, l.Trailing)
		}
		l.Columns -= l.Trailing
	}
	start := l.findTable(d, rows, h)
	l.Uniform = isUniform(rows[start:], l.Columns)
	l.Unlabelled = l.Uniform && columnKinds(rows[start:], l.Columns).endInWords()
	if len(samples) == 1 && samples[0].Tail && !h.NoFooter {
		if end := start + l.otherTable(rows[start:]); end < len(rows) {
			l.OtherLine = rows[end].line
			rows = rows[:end]
		}
	}
	if tail := samples[len(samples)-1]; tail.Tail && !h.NoFooter {
		l.FooterLine = footer(rows, len(samples)-1, start, columnKinds(rows[start:], l.Columns))
	}
	return l
}

// startWithValues reports whether the first record has only values, which no header of two or more columns has except
// for years.
func startWithValues(rows []row) bool {
	i := slices.IndexFunc(rows, func(r row) bool { return !r.blank })
	if i < 0 || rows[i].width < 2 || rows[i].broken || rows[i].years >= fewYears {
		return false
	}
	return !slices.ContainsFunc(rows[i].kinds, func(k kind) bool { return k != number && k != moment })
}

// findTable finds the preamble and the header, and returns the index of the first row below them.
func (l *Layout) findTable(d Dialect, rows []row, h Hints) (start int) {
	if h.Preamble == nil {
		l.Preamble = max(l.Preamble, preamble(rows, l.Columns))
	}
	*l = l.hinted(h)
	start = min(l.Preamble, len(rows))
	for start < len(rows) && rows[start].blank {
		start++
	}
	l.RowNames = h.RowNames
	if h.Header == nil {
		l.RowNames = l.RowNames || d.namesRows(rows[start:], l.Columns)
		if !l.RowNames {
			l.Header = headerRows(rows[start:], l.Columns)
			if preamble, header, ok := l.beneathPadding(rows); ok && h.Preamble == nil {
				l.Preamble, l.Header, start = preamble, header, preamble
			}
		}
	}
	return min(start+l.Header, len(rows))
}

// hinted applies the hints. If nothing is known, the first record that is not blank is the header.
func (l Layout) hinted(h Hints) Layout {
	l.Header = 1
	if h.Header != nil {
		l.Header = *h.Header
	}
	if h.Preamble != nil {
		l.Preamble = *h.Preamble
	}
	return l
}

// usualWidth returns the width of most records, or 0 if too few have it.
func usualWidth(rows []row) int {
	records := map[int]int{}
	for _, r := range rows {
		if !r.blank && !r.broken {
			records[r.width]++
		}
	}
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
	if early := firstTable(rows, best); early > 1 {
		return early
	}
	return best
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
		if run++; width == usual && run >= evidence {
			return width
		}
		if run >= manyRecords && width > 1 && !(usual > width && isList(rows[i-run+1:i+1]) && isLongerTable(rows[i+1:], usual, run)) {
			return width
		}
	}
	return usual
}

// isList reports whether the records are names with their values, as they stand above tables: two cells, of which the
// first ones are different words, and the others are not all of one kind.
func isList(rows []row) bool {
	names, kinds := map[uint64]bool{}, map[kind]int{}
	for _, r := range rows {
		if r.width != listCells || r.kinds[0] != word || names[r.texts[0]] {
			return false
		}
		names[r.texts[0]] = true
		kinds[r.kinds[1]]++
	}
	return dominant(kinds) == word
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

// trailing reports whether all records of the usual width end with an empty cell.
func trailing(rows []row, width int) bool {
	n := 0
	for _, r := range rows {
		if r.blank || r.broken || r.width != width {
			continue
		}
		if r.lastText || len(r.kinds) < width {
			return false
		}
		n++
	}
	return width > trailingColumns && n > evidence
}

// emptyBehind counts the last columns that are empty in all records, the header among them.
func emptyBehind(rows []row, width int) int {
	n, least := 0, width
	for _, r := range rows {
		if r.blank || r.width != width || width > maxColumns {
			continue
		}
		tail := 0
		for tail < width && r.texts[width-1-tail] == hash(nil) {
			tail++
		}
		n, least = n+1, min(least, tail)
	}
	if n <= evidence || least == 1 || width-least < narrow { // one may be behind a last delimiter, or a quoted column
		return 0
	}
	return least
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

// endInWords reports whether the last column is one of texts, as remarks are to which nobody has given a name. Below a
// header that lacks a cell, numbers at the end may as well be decimals with commas that were split in two, or the
// header has lost a delimiter: then names and values do not belong together.
func (c columns) endInWords() bool {
	return len(c.kinds) == c.width && c.kinds[c.width-1] <= word
}

// preamble counts the records before the header.
func preamble(rows []row, columns int) int {
	first := slices.IndexFunc(rows, func(r row) bool { return !r.blank })
	if first < 0 {
		return 0
	}
	if columns == 1 {
		return 0
	}
	table := tableStart(rows, columns)
	if table <= first {
		return 0
	}
	body := columnKinds(rows[table+1:], columns)
	nearly := nearlyHeader(rows[table-1], columns) && (table < 2 || rows[table-2].width != rows[table-1].width)
	if body.isHeader(rows[table]) && (body.typed() > 0 || !nearly) {
		return table
	}
	if nearly {
		table--
	}
	if table == first {
		return 0
	}
	return table
}

// tableStart returns the index of the first record that looks like those of the table and is followed by others of its
// width.
func tableStart(rows []row, columns int) int {
	first := true
	for i, r := range rows {
		if r.sample > 0 {
			break
		}
		if r.fills(columns) && (first || hasFollowers(rows[i+1:], columns)) {
			return i
		}
		first = first && r.blank
	}
	return 0
}

// hasFollowers reports whether the next record, or two of the next four, are as wide as the table.
func hasFollowers(rows []row, columns int) bool {
	n, same := 0, 0
	for _, r := range rows {
		if r.blank {
			continue
		}
		n++
		if r.width == columns {
			same++
		}
		if n == 1 && same == 1 || same == followersAlike {
			return true
		}
		if n == followersSeen {
			break
		}
	}
	return false
}

// fills reports whether the record may belong to the table: as wide, and with more content than a title in its first
// cell and the unit.
func (r row) fills(columns int) bool {
	return !r.blank && (!r.unit || r.filled > unitCells || columns <= narrow) && r.width == columns &&
		(columns <= narrow || r.filled > 1 || r.filled == 1 && r.kinds[0] == empty)
}

// nearlyHeader reports whether the record may be a header with a cell too few or too many.
func nearlyHeader(r row, columns int) bool {
	off := max(r.width-columns, columns-r.width)
	return !r.blank && columns > 1 && r.width > 1 && off > 0 && off <= max(1, columns/headerSlack) && share(r.filled, r.width) >= headerFilled
}
