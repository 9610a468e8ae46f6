package table

import "slices"

// usualWidth returns the width of most records, or of the only ones that have several cells; 0 if too few have it.
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
		return max(fewAmongLines(rows), fewBehindEmpty(rows))
	}
	if best == 1 {
		best = max(wideAmongProse(records), fewAmongLines(rows))
	}
	if best == listCells && records[best] <= maxForm {
		if few := fewAmongLines(rows); few > 0 && longestPairs(rows, isMixedList) == 0 {
			return few
		}
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

// fewAmongLines returns the width of a header and a row or more among lines of a cell or two, as all others are: titles, names with their
// values, and notes. These are few, or a blank record stands between. It is 0 if there are others, or no value in the rows.
//
//	Sale of 19 November
//	Lot,Artist,Title,Price
//	1,Berg,Harbour,900
//	Prices may change.
func fewAmongLines(rows []row) int {
	ofTwo := widest(rows) == narrow
	isWide := func(r row) bool { return !r.blank && (r.width > listCells || ofTwo && r.width == narrow) }
	head := slices.IndexFunc(rows, isWide)
	if head < 0 || rows[head].spaced || rows[head].filled != seen(rows[head].width) || !rows[head].isOfNames() {
		return 0
	}
	if (ofTwo || head > maxForm) && (head == 0 || !rows[head-1].blank) {
		return 0
	}
	end := head + 1
	for end < len(rows) && !rows[end].broken && rows[end].width == rows[head].width && rows[end].typed() > 0 {
		end++
	}
	alone := head == 0 && pastBlank(rows, end) == len(rows)
	if end == head+1 || alone || slices.ContainsFunc(rows[end:], isWide) {
		return 0
	}
	return rows[head].width
}

// fewBehindEmpty returns the width of two records or more if all begin with an empty cell and have as many cells; else 0.
//
//	,name,price
//	,bolt,0.12
func fewBehindEmpty(rows []row) int {
	rows = withoutBlank(rows)
	isOther := func(r row) bool {
		return r.broken || r.width != rows[0].width || len(r.texts) == 0 || r.texts[0] != noText
	}
	if len(rows) < narrow || slices.ContainsFunc(rows, isOther) {
		return 0
	}
	return rows[0].width
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
			return width
		}
		if run < manyRecords || width < narrow {
			continue
		}
		if usual > width && (isList(rows[i-run+1:i+1]) || width == listCells && isLongerTable(rows[i+1:], usual, run*muchLonger)) {
			continue
		}
		return width
	}
	return usual
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
