package table

import (
	"cmp"
	"slices"
)

// findEnd finds what ends the table, and which records among its rows, from start on, are none.
func (l *Layout) findEnd(h Hints, rows []row, start int) {
	whole, last := h.areWhole(), len(h.samples)-1
	l.head = lastHeader(rows[:start])
	if whole {
		if end := start + l.otherTable(rows[start:]); end < len(rows) {
			l.OtherLine = rows[end].line
			rows = rows[:end]
		}
	}
	l.findFilter(rows[:start], rows[start:], nil)
	if h.samples[last].Tail {
		l.FooterLine = footer(ofSample(rows[start:], last), l.body)
	}
	if end := start + listBelow(rows[start:], l.Columns); whole && l.FooterLine == 0 && end < len(rows) {
		l.OtherLine = rows[end].line
		l.findEnd(h, rows[:end], start)
		return
	}
	if shared := sharedColumns(rows[start:], l.Columns); whole && l.Columns > narrow && shared != nil {
		l.Filter = cmp.Or(l.Filter, newFilter(l.body))
		l.Filter.shared = shared
	}
	if whole && !h.log {
		l.findSums(h.source(), rows[start:])
	}
	if h.log {
		l.Filter = &Filter{log: true, names: l.head}
	}
	above := rowsBefore(rows[start:], l.FooterLine, last)
	if h.Pad == nil || *h.Pad {
		l.Pad = h.Pad == nil && l.body.endsShort(above, h.ended)
		l.takeOptional(above, h.dialect)
	}
	if l.Trailing == 0 && emptyBeyond(above, l.body, whole, l.head) {
		l.Trailing = narrow
	}
}

// findSums finds the rows of a whole text that are computed of others: those that end the table, one above all others, and those of parts.
// rows are those below the header.
func (l *Layout) findSums(s source, rows []row) {
	if above := rowsBefore(rows, l.FooterLine, 0); len(above)-blankRows(above) >= headRows {
		return
	}
	b := l.bottom(rows, func(rows []row) [][][]byte { return slices.Collect(l.cellsOf(s, rows)) }, Tail{})
	at := len(rowsBefore(b.rows, l.FooterLine, 0))
	if at = b.find(at); at < len(b.rows) {
		l.FooterLine = b.rows[at].line
	} else {
		l.FooterLine = 0
	}
	verified := b.sumsOfParts()
	if sum := b.sumAbove(at); sum != 0 {
		verified[sum] = true
	}
	if len(verified) > 0 {
		l.Filter = cmp.Or(l.Filter, newFilter(l.body))
		l.Filter.verified = verified
	}
}

// ofSample returns those of the rows that are of the last sample.
func ofSample(rows []row, last int) []row {
	first := slices.IndexFunc(rows, func(r row) bool { return int(r.sample) == last })
	if first < 0 {
		return nil
	}
	return rows[first:]
}

// rowsBefore returns the rows above a line of the last sample; all if it is 0.
func rowsBefore(rows []row, line int64, last int) []row {
	i := slices.IndexFunc(rows, func(r row) bool { return line > 0 && int(r.sample) == last && r.line >= line })
	if i < 0 {
		return rows
	}
	return rows[:i]
}
