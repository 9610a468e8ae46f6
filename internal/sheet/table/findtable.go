package table

import (
	"slices"

	"sheetdrop/internal/sheet/kind"
)

// findTable finds the preamble and the header, and returns the index of the first row below them.
func (l *Layout) findTable(rows []row, h Hints) (start int) {
	if h.Preamble == nil {
		l.Preamble = max(l.Preamble, preamble(rows, l.Columns))
	}
	*l = l.hinted(h)
	start = pastBlank(rows, min(l.Preamble, len(rows)))
	if l.Columns == narrow && start > 0 && rows[start-1].isNameOfVector() && namesRows(h.dialect, rows[start-1:], narrow) && h.areOpen() {
		start--
		l.Preamble = start
	}
	l.RowNames = h.RowNames
	if h.Header == nil {
		start = l.findHeader(rows, start, h)
	}
	start = min(start+l.Header, len(rows))
	l.takeListed(rows, start, h)
	l.takeFewer(rows, start, h)
	if h.areOpen() && !l.RowNames {
		start = l.takeMore(rows, start, h.told)
	}
	return l.takeNamed(rows, start, h)
}

// takeMore adds to the header that was found, which ends before row start, what its cells alone do not tell: names that are numbers or
// years, names of groups, what a workbook says, and further names above and below. It returns the index of the first row below it.
func (l *Layout) takeMore(rows []row, start int, t Told) int {
	if l.Header == 0 && start < len(rows) && namesByNumbersAlone(rows[start:]) {
		l.Header, start = 1, start+1
	}
	start = l.takeYears(rows, start)
	l.takeGroups(rows, start)
	start = l.takeTold(rows, start, t)
	l.takeAbove(rows, start)
	start = l.takeFurther(rows, start)
	if l.grid {
		start = l.takeNameOfRows(rows, start, t.Strong)
		return l.takeSpaced(rows, start)
	}
	return l.takeUnits(rows, start)
}

// findHeader finds how many rows the header has, and returns the index at which it begins, from row start on. It skips what stands above
// it, unless somebody has said how many rows do.
func (l *Layout) findHeader(rows []row, start int, h Hints) int {
	l.RowNames = l.RowNames || namesRows(h.dialect, rows[start:], l.Columns)
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
	return l.skipDescriptions(rows, start)
}

// skipSettings skips names with their values above the table, and returns the index at which its header begins.
func (l *Layout) skipSettings(rows []row, start int) int {
	if head := belowColons(rows, l.Columns); head > start {
		l.Header, l.Preamble = 1, head
		return head
	}
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

// takeFewer takes the text's first line, right above the rows, for the header, if none was found: it names fewer columns than they have,
// half of them and three at least, two above values. The delimiter is none that splits numbers, as a comma does.
//
//	Day;Time;Temperatures
//	2024-01-31;10:00;16.31;20.50;18.62
//	2024-01-31;10:05;17.06;20.44;19.12
func (l *Layout) takeFewer(rows []row, start int, h Hints) {
	if !h.areOpen() || l.RowNames || l.Header > 0 || l.grid || start == 0 || start == len(rows) || h.dialect.MayStandInNumbers() {
		return
	}
	for _, r := range rows[:start-1] {
		if !r.blank && !r.comment {
			return
		}
	}
	head, body := rows[start-1], columnKinds(rows[start:], l.Columns)
	same, other := body.compare(head)
	fewer := head.width < l.Columns && head.filled == head.width && head.filled >= severalColumns && 2*head.filled >= l.Columns
	if !fewer || !onlyWords(head) || head.prose || head.colons > 0 || same > 0 || other < headerCells || !isUniform(rows[start:], l.Columns) {
		return
	}
	l.Preamble, l.Header = start-1, 1
}

// takeNamed takes the first record with the names of all declared columns for the header, where the one that was found lacks some: the
// values below it may all be wrong, and then nothing else tells it from them. start is the first row below the header that was found; it
// returns that of the one that is taken.
//
//	id,amount      with both declared as numbers
//	x,y
//	2,5
func (l *Layout) takeNamed(rows []row, start int, h Hints) int {
	if h.Header != nil || len(h.Names) == 0 || namesAll(rows[start-min(l.Header, start):start], h.Names) {
		return start
	}
	i := slices.IndexFunc(rows[:min(len(rows), start+maxHeader)], func(r row) bool { return namesAll([]row{r}, h.Names) })
	if i < 0 || h.Preamble != nil && i != start-l.Header {
		return start
	}
	l.Preamble, l.Header = i, 1
	return i + 1
}

// namesAll reports whether each of the names is that of a column of the header, in whose rows the column has no other text.
func namesAll(header []row, names []string) bool {
	return !slices.ContainsFunc(names, func(name string) bool {
		text := hash([]byte(name))
		return !slices.ContainsFunc(header, func(r row) bool {
			i := slices.Index(r.texts, text)
			return i >= 0 && !slices.ContainsFunc(header, func(other row) bool {
				return i < len(other.texts) && other.kinds[i] != kind.Empty && other.texts[i] != text
			})
		})
	})
}
