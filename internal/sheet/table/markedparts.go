package table

import "slices"

// markedParts returns where each part begins of a text whose records say in the first cell to which part they belong, and in the second one
// what they are. The first record of each part names its columns, and no other one has its mark. Two parts or more have other names and
// another width, as in statements of brokers. It returns nil for any other text.
//
//	Statement,Header,Field,      Value
//	Statement,Data,  Period,     May 2024
//	Trades,   Header,Symbol,Day, Price
//	Trades,   Data,  ABC,   3 May,10.50
//	Trades,   Total, ,      ,    10.50
func markedParts(rows []row) (starts []int) {
	var head *row
	names, widths := textSet{}, map[int]bool{}
	for i := range rows {
		switch r := &rows[i]; {
		case r.blank:
		case r.broken || r.width < severalColumns || r.texts[0] == noText || r.texts[1] == noText:
			return nil
		case head == nil || r.texts[1] == head.texts[1]:
			if head = r; !r.isWithoutValues() {
				return nil
			}
			starts, names[r.texts[0]], widths[r.width] = append(starts, i), true, true
		case r.texts[0] != head.texts[0] || r.width > head.width:
			return nil
		}
	}
	if len(names) < narrow || len(widths) < narrow || !slices.ContainsFunc(rows, func(r row) bool { return r.typed() > 0 }) {
		return nil
	}
	return starts
}

// takeMarked makes blank what stands above the largest part of a text of marked parts, and returns the rows without those below it. The
// first part is taken where another table of the text has been read.
func (l *Layout) takeMarked(rows []row, h Hints) []row {
	starts := markedParts(rows)
	if starts == nil || h.Header != nil && h.Preamble == nil {
		return rows
	}
	ends := append(slices.Clone(starts[1:]), len(rows))
	best := 0
	for i, start := range starts {
		longer := h.Place == First && ends[i]-start > ends[best]-starts[best]
		if longer && h.Preamble == nil || h.Preamble != nil && *h.Preamble == start {
			best = i
		}
	}
	if !h.skips(starts[best]) {
		return rows
	}
	if ends[best] < len(rows) {
		l.OtherLine = rows[ends[best]].line
	}
	l.Preamble = starts[best]
	for i := range rows[:l.Preamble] {
		rows[i].blank = true
	}
	return rows[:ends[best]]
}
