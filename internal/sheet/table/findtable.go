package table

import "sheetdrop/internal/sheet/dialect"

// findTable finds the preamble and the header, and returns the index of the first row below them.
func (l *Layout) findTable(d dialect.Dialect, rows []row, h Hints) (start int) {
	if h.Preamble == nil {
		l.Preamble = max(l.Preamble, preamble(rows, l.Columns))
	}
	*l = l.hinted(h)
	start = pastBlank(rows, min(l.Preamble, len(rows)))
	if l.Columns == narrow && start > 0 && rows[start-1].isNameOfVector() && namesRows(d, rows[start-1:], narrow) &&
		h.Preamble == nil && h.Header == nil {
		start--
		l.Preamble = start
	}
	l.RowNames = h.RowNames
	if h.Header == nil {
		start = l.findHeader(d, rows, start, h)
	}
	start = min(start+l.Header, len(rows))
	l.takeListed(d, rows, start, h)
	l.takeFewer(d, rows, start, h)
	if h.Header == nil && h.Preamble == nil && !l.RowNames && !l.grid {
		l.takeAbove(rows, start)
		start = l.takeUnits(rows, l.takeFurther(rows, start))
	}
	return l.takeNamed(rows, start, h)
}

// findHeader finds how many rows the header has, which nobody has said, and skips what stands above it, unless somebody has said how many
// rows do: from row start on it is looked for, and the index is returned at which it begins.
func (l *Layout) findHeader(d dialect.Dialect, rows []row, start int, h Hints) int {
	l.RowNames = l.RowNames || namesRows(d, rows[start:], l.Columns)
	if l.RowNames {
		return start
	}
	l.Header = headerRows(rows[start:], l.Columns)
	if h.Preamble != nil {
		return start
	}
	if preamble, header, ok := l.beneathPadding(rows); ok {
		l.Preamble, l.Header, start = preamble, header, preamble
	}
	start = l.skipSettings(rows, start)
	if n := belowShortParts(rows, start, l.Header, l.Columns); n > start {
		l.Preamble, l.Header, start = n, headerRows(rows[n:], l.Columns), n
	}
	return l.skipDescriptions(rows, start)
}

// skipSettings skips names with their values above the table, and returns the index at which its header begins.
func (l *Layout) skipSettings(rows []row, start int) int {
	n := settings(rows, l.Columns)
	if n <= start {
		return start
	}
	l.Header = 0
	if last := rows[n-1]; last.filled == seen(l.Columns) && last.isOfNames() { // it names the columns
		l.Header = 1
	}
	l.Preamble = n - l.Header
	return l.Preamble
}

// skipDescriptions skips descriptions of the columns between the header that was found and the table, and returns the index at which its
// header begins.
func (l *Layout) skipDescriptions(rows []row, start int) int {
	from := min(start+l.Header, len(rows))
	if l.Header == maxHeader { // it may go on
		from = start
	}
	if n := belowDescriptions(rows, from, l.Columns); n > start+l.Header {
		l.Preamble, l.Header, start = aboveRows(rows, start, n)
	}
	return start
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
