package dialect

import (
	"cmp"
	"slices"
	"strings"
)

// findLayout finds the table in the text; said means that the first line declares the delimiter.
func findLayout(samples []Sample, d Dialect, said bool, h Hints) Layout {
	rows := readRows(samples, d, h.From)
	if h.From == 0 {
		emptyMadeNames(rows)
	}
	blanks, at := blankQuoted(rows), []int(nil)
	if h.Preamble == nil {
		rows, at = singleSpaced(rows)
	}
	l := layoutOf(rows, samples, d, said, h).inText(at)
	l.QuotedBlanks = blanks
	return l
}

// layoutOf is findLayout of rows that were read.
func layoutOf(rows []row, samples []Sample, d Dialect, said bool, h Hints) Layout {
	var l Layout
	if said && h.Preamble == nil {
		rows[0].blank = true
		l.Preamble = 1
	}
	if h.log {
		setDirectives(rows)
	}
	if n := max(belowShortTables(rows), mainSection(rows)); n > 0 && h.skips(n) && !l.grid && h.Place != AboveOrBeside {
		l.Preamble = n
		for i := range rows[:n] {
			rows[i].blank = true
		}
	}
	if l.Columns = usualWidth(rows[endOfComments(rows):]); l.Columns == 0 {
		l.Columns = usualWidth(rows)
	}
	if l.Columns == 0 {
		return l.ofFew(rows, h)
	}
	l.Columns = withLast(rows, l.Columns)
	setComments(rows, l.Columns)
	whole := len(samples) == 1 && samples[0].Tail
	first, other := 0, 0
	if whole && !h.NoFooter {
		if first, other = firstOfTwo(rows[l.Preamble:], h.Place != First); first == 0 {
			first, other = firstBracketed(rows[l.Preamble:])
		}
		other += l.Preamble
	}
	if first > 0 {
		l.OtherLine = rows[other].line
		rows = rows[:other]
	}
	l.cutEmpty(rows, whole, first)
	rows = joinGroups(rows, l.Columns)
	markSections(rows)
	start := l.findTable(d, rows, h)
	if whole && h.Header == nil && h.Preamble == nil && len(h.Names) == 0 && l.listOfAttributes(samples[0].Text, d, h, rows) {
		l.Header, start = 0, 0
	}
	if whole && !l.RowNames && l.Leading == 0 {
		start = l.cutBefore(start, d, rows, h)
	}
	if whole && !l.RowNames {
		at := min(l.Preamble, len(rows))
		if from, to, ok := beside(lastHeader(rows, at), rows[at:], l.Header, l.Columns); ok && from == 0 {
			start = l.cutTo(to, d, rows, h)
		}
	}
	l.Uniform = isUniform(rows[start:], l.Columns)
	own := columnKinds(rows[start:], l.Columns)
	l.Marked = l.Header == 1 && d.Delimiter == " " && lastHeader(rows, start).isMarked(l.Columns)
	l.Unlabelled = l.Uniform && (own.endInWords() || !d.mayStandInNumbers())
	l.Named = l.Header > 0 && own.isNamedBy(lastHeader(rows, start))
	l.NameIsNoValue = l.Columns == 1 && l.Header > 0 && isNameNoValue(lastHeader(rows, start), rows[start:])
	l.Alone = l.Named && own.standsAlone() && lastHeader(rows, start).namesMostOf(l.Columns)
	if h.NoFooter {
		return l
	}
	if whole {
		if end := start + l.otherTable(lastHeader(rows, start), rows[start:]); end < len(rows) {
			l.OtherLine = rows[end].line
			rows = rows[:end]
		}
	}
	once := without(rows[start:], lastHeader(rows, start))
	body := columnKinds(once, l.Columns).ofUpper(once)
	usual := body.usual(once)
	if tail := samples[len(samples)-1]; tail.Tail {
		l.FooterLine = footer(rows, len(samples)-1, start, body, usual)
	}
	l.Among = l.among(rows[:start], rows[start:], body, usual, nil)
	if whole && !h.log {
		text := samples[0].Text
		l.FooterLine = cmp.Or(
			l.belowCharges(text, d, h, rows[start:]), l.sumOfAll(text, d, h, rows[start:], body), l.belowAddends(text, d, h, rows[start:], body),
			l.FooterLine,
		)
		if l.FooterLine > 0 && l.endsInRows(text, d, h, rows[start:], body, usual) {
			l.FooterLine = 0
		}
		if sum := l.sumAbove(text, d, h, rows[start:], body); sum != 0 {
			l.Among = cmp.Or(l.Among, &Among{width: l.Columns, kinds: body.kinds, usual: usual, full: body.isFull()})
			l.Among.sumAbove = sum
		}
	}
	if h.log {
		l.Among = &Among{width: l.Columns, log: true, names: lastHeader(rows, start)}
	}
	above := rowsBefore(rows[start:], l.FooterLine, len(samples)-1)
	if h.Pad == nil || *h.Pad {
		l.Pad = h.Pad == nil && body.endsShort(above)
		l.takeOptional(lastHeader(rows, start), above, body, d)
	}
	if l.Trailing == 0 && emptyBeyond(above, body, whole, lastHeader(rows, start)) {
		l.Trailing = narrow
	}
	return l
}

// skips reports whether so many records may stand above the header: nobody said how many do, or just as many.
func (h Hints) skips(n int) bool {
	return h.Preamble == nil && h.Header == nil || h.Preamble != nil && *h.Preamble == n
}

// rowsBefore returns the rows above a line of the last sample; all if it is 0.
func rowsBefore(rows []row, line int64, last int) []row {
	i := slices.IndexFunc(rows, func(r row) bool { return line > 0 && int(r.sample) == last && r.line >= line })
	if i < 0 {
		return rows
	}
	return rows[:i]
}

// lastHeader returns the record above the rows that begin there.
func lastHeader(rows []row, start int) row {
	if start == 0 {
		return row{}
	}
	return rows[start-1]
}

// markSections marks the records that follow a title below a blank record: they may be headers of their own.
func markSections(rows []row) {
	for i := 1; i < len(rows); i++ {
		titled := rows[i-1].filled == 1 && (i == 1 && !rows[0].isAmongAlike(rows[1:], rows[0].width) || i > 1 && rows[i-2].blank)
		rows[i].section = titled && rows[i].filled > 1
	}
}

// endInWords reports whether the last column is one of texts, as remarks are to which nobody has given a name. Below a
// header that lacks a cell, numbers at the end may as well be decimals with commas that were split in two.
func (c columns) endInWords() bool {
	return len(c.kinds) == c.width && c.kinds[c.width-1] <= word
}

// mayStandInNumbers reports whether the delimiter may be part of a number or a text, so that it has split one in two.
func (d Dialect) mayStandInNumbers() bool {
	delimiter := strings.Trim(d.Delimiter, " ")
	return delimiter == "" || delimiter == "," || delimiter == ":"
}
