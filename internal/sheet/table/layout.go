package table

import (
	"strings"

	"sheetdrop/internal/sheet/dialect"
	"sheetdrop/internal/sheet/kind"
)

// findLayout finds the table in the text; said means that the first line declares the delimiter.
func findLayout(samples []dialect.Sample, d dialect.Dialect, said bool, h Hints) Layout {
	h.samples, h.dialect = samples, d
	rows := readRows(samples, d, h.From)
	if h.From == 0 {
		emptyMadeNames(rows)
	}
	h.ended = dropEnds(rows)
	blanks, at := blankQuoted(rows), []int(nil)
	if h.Preamble == nil {
		rows, at = singleSpaced(rows)
	}
	l := layoutOf(rows, said, h).inText(at)
	l.QuotedBlanks, l.Ended = blanks, h.ended
	return l
}

// layoutOf is findLayout of rows that were read.
func layoutOf(rows []row, said bool, h Hints) Layout {
	var l Layout
	if said && h.Preamble == nil {
		rows[0].blank = true
		l.Preamble = 1
	}
	if h.log {
		setDirectives(rows)
	}
	whole := h.areWhole()
	if whole && !h.NoFooter {
		rows = l.takeMarked(rows, h)
	}
	l.skipTablesAbove(rows, h)
	usual := usualWidth(rows[endOfComments(rows):])
	if usual == 0 {
		usual = usualWidth(rows)
	}
	if usual == 0 {
		return l.ofFew(rows, h)
	}
	l.Columns = withLast(rows, usual)
	setComments(rows, l.Columns)
	first := 0
	if whole && !h.NoFooter {
		rows, first = l.aboveOther(rows, h)
	}
	l.cutEmpty(rows, whole, first)
	rows = joinGroups(rows, l.Columns)
	markSections(rows)
	start := l.findTable(rows, h)
	if whole && h.mayLackHeader() {
		cells := l.cellsOf(h.source(), rows[max(0, start-1):])
		start = l.takeList(rows, start, cells, strings.ContainsAny(h.dialect.Delimiter, ":="))
	}
	if whole {
		start = l.cutBeside(l.cutEnds(start, rows, h), rows, h)
	}
	l.describe(h.dialect, rows, start)
	if !h.NoFooter {
		l.findEnd(h, rows, start)
	}
	return l
}

// skipTablesAbove makes blank what stands above the main table: short tables, or other sections.
func (l *Layout) skipTablesAbove(rows []row, h Hints) {
	if n := max(belowShortTables(rows), mainSection(rows)); n > 0 && h.skips(n) && h.Place != AboveOrBeside {
		l.Preamble = n
		for i := range rows[:n] {
			rows[i].blank = true
		}
	}
}

// aboveOther finds the second one of two tables of a whole text, and returns the rows above it and the width of the first table; 0 and all
// rows if there is only one.
func (l *Layout) aboveOther(rows []row, h Hints) (above []row, first int) {
	first, other := firstOfTwo(rows[l.Preamble:], h.Place != First)
	if first == 0 {
		return rows, 0
	}
	other += l.Preamble
	l.OtherLine = rows[other].line
	return rows[:other], first
}

// describe tells what the header, which ends before row start, and the rows below it are like.
func (l *Layout) describe(d dialect.Dialect, rows []row, start int) {
	head, above, rows := lastHeader(rows[:start]), rows[:max(0, start-1)], rows[start:]
	filled := rows[:aboveTexts(rows)]
	l.Uniform = isUniform(filled, l.Columns) || len(filled) > 0 && filled[0].width < l.Columns && isUniform(filled, filled[0].width)
	own := columnKinds(rows, l.Columns)
	l.Marked = l.Header > 0 &&
		(d.Delimiter == " " && head.isMarked(l.Columns) || l.isCommentAmong(head, above) || l.isCommentAmong(head, rows))
	l.Unlabelled = l.Uniform && (!own.endsInNumbers() || !d.MayStandInNumbers())
	l.Named = l.Header > 0 && own.isNamedBy(head)
	l.NameIsNoValue = l.Columns == 1 && l.Header > 0 && isNameNoValue(head, rows)
	l.Alone = l.Named && own.standsAlone() && head.namesMostOf(l.Columns)
}

// skips reports whether so many records may stand above the header: nobody said how many do, or just as many.
func (h Hints) skips(n int) bool {
	return h.areOpen() || h.Preamble != nil && *h.Preamble == n
}

// areWhole reports whether the samples are one, of the whole text.
func (h Hints) areWhole() bool { return len(h.samples) == 1 && h.samples[0].Tail }

// areOpen reports whether nobody said how many records the header has, or where it is.
func (h Hints) areOpen() bool { return h.Header == nil && h.Preamble == nil }

// mayLackHeader reports whether nobody said how many records the header has or where it is, or named columns that it has.
func (h Hints) mayLackHeader() bool { return h.areOpen() && len(h.Names) == 0 }

// lastHeader returns the last of the records above the rows, with which the header ends if there is one.
func lastHeader(above []row) row {
	if len(above) == 0 {
		return row{}
	}
	return above[len(above)-1]
}

// markSections marks the records that follow a title below a blank record: they may be headers of their own.
func markSections(rows []row) {
	for i := 1; i < len(rows); i++ {
		titled := rows[i-1].filled == 1 && (i == 1 && !rows[0].isAmongAlike(rows[1:], rows[0].width) || i > 1 && rows[i-2].blank)
		rows[i].section = titled && rows[i].filled > 1
	}
}

// endsInNumbers reports whether the last column has numbers. Below a header that lacks a cell, these may as well be decimals with commas
// that were split in two; others are a column to which nobody has given a name, such as remarks or days.
func (c columns) endsInNumbers() bool {
	return len(c.kinds) != c.width || c.kinds[c.width-1] == kind.Number
}

// isNameNoValue reports whether the name of a single column is a word above values of another kind.
func isNameNoValue(head row, rows []row) bool {
	body := columnKinds(without(rows, head), 1)
	return body.n >= evidence && body.kinds[0] > kind.Word && onlyWords(head)
}
