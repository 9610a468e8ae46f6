package dialect

import "slices"

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
		if run++; width == usual && run == evidence {
			if below := belowList(rows[i-run+1:], width); below > 0 {
				return below
			}
			return width
		}
		if run < manyRecords || width < narrow || usual > width && isList(rows[i-run+1:i+1]) && isLongerTable(rows[i+1:], usual, run) {
			continue
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
// there is no list, or none follows.
func belowList(rows []row, width int) int {
	n := 0
	for n < len(rows) && !rows[n].blank && rows[n].width == width {
		n++
	}
	if n < manyRecords || width != listCells {
		return 0
	}
	list := isList(rows[:n])
	for n < len(rows) && rows[n].blank {
		n++
	}
	if n == len(rows) || rows[n].width <= width {
		return 0
	}
	below := columnKinds(rows[n+1:], rows[n].width)
	same, other := below.compare(rows[n])
	if below.n < evidence || same > 0 || other == 0 || !isUniform(rows[n:], below.width) || !list && below.n < n*muchLonger {
		return 0
	}
	return below.width
}

// isList reports whether the records are names with their values, as they stand above tables: two cells, of which the
// first ones are different words, and the others are not all of one kind, or have no header.
func isList(rows []row) bool {
	names, kinds := map[uint64]bool{}, map[kind]int{}
	for _, r := range rows {
		if r.width != listCells || r.kinds[0] != word || names[r.texts[0]] {
			return false
		}
		names[r.texts[0]] = true
		kinds[r.kinds[1]]++
	}
	return dominant(kinds) == word || kinds[rows[0].kinds[1]] == len(rows)
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

// emptyBehind counts the last columns that are empty in all records, the header among them: it may have fewer cells than they.
func emptyBehind(rows []row, width int) int {
	n, least := 0, width
	for _, r := range rows {
		if r.blank || r.broken || r.width > width || width > maxColumns {
			continue
		}
		tail := width - r.width
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

// emptyBefore counts the first columns that are empty in all records from the first one on that has two values: titles above the table may
// stand there, and below it the word of a total.
func emptyBefore(rows []row, width int) int {
	inTable := func(r row) bool { return !r.blank && !r.broken && r.filled > 1 && !(r.total && r.totalFirst) }
	first := slices.IndexFunc(rows, inTable)
	if first < 0 {
		return 0
	}
	last := len(rows) - 1
	for !inTable(rows[last]) {
		last--
	}
	n, least := 0, width
	for _, r := range rows[first : last+1] {
		if r.blank || r.broken || r.total && r.totalFirst {
			continue
		}
		head := 0
		for head < len(r.texts) && r.texts[head] == hash(nil) {
			head++
		}
		n, least = n+1, min(least, head)
	}
	if n <= evidence || width-least < narrow {
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
