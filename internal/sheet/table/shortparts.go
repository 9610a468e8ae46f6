package table

// belowShortParts returns the index of the header of a table that stands below one or more parts of a single row, each with a header of its
// own and apart from the others, as programs sum up above what they list. It returns start, where the header of the first part stands, if
// there are none; header is how many records the first one has.
//
//	Laps,Total
//	(no),(m)
//	2,   800
//
//	Lap, Distance
//	(no),(m)
//	1,   1.5
//	1,   3.1
func belowShortParts(rows []row, start, header, width int) int {
	from := start + header
	for n := 0; n < maxPadded; {
		end := partEnd(rows, from, width)
		if end == len(rows) || end-from >= bodyRecords {
			return start
		}
		next := end
		for next < len(rows) && n < maxPadded && (rows[next].blank || rows[next].filled == 1) {
			next++
			n++
		}
		if next == len(rows) || next == end || !rows[next].names(width) {
			return start
		}
		end = partEnd(rows, next, width)
		from = next + headerRows(rows[next:end], width)
		if from == next+1 && from < end && rows[from].bracketed { // so few rows do not tell
			from++
		}
		if end-from < bodyRecords {
			continue
		}
		if end-from >= manyRecords && columnKinds(rows[from:end], width).isUnlike(rows[next]) {
			return next
		}
		return start
	}
	return start
}

// names reports whether the record has nothing but names, as many cells as the table, and more than a title.
func (r row) names(width int) bool {
	return r.width == width && !r.broken && r.filled >= narrow && onlyWords(r)
}

// partEnd returns the index of the first record from there on that is blank, or of another width.
func partEnd(rows []row, from, width int) int {
	for from < len(rows) && !rows[from].blank && rows[from].width == width && rows[from].filled > 1 {
		from++
	}
	return from
}
