package table

import (
	"slices"

	"sheetdrop/internal/sheet/kind"
)

// mainSection returns the index of the first record of the table in a text of sections, two or more, each below its name in brackets, as
// programs of instruments write them; 0 if it is no such text. The table stands in the last section if it has ten times as many records as
// any other, below further names with their values if it is one of numbers.
//
//	[Header]
//	Program,Peaks
//
//	[Chromatogram]
//	Interval(msec),500
//	R.Time (min),Intensity
//	0.00000,0
//	0.00833,2
func mainSection(rows []row) int {
	heads, start, longest, last := 0, 0, 1, 0
	for i, r := range rows {
		switch {
		case r.blank:
		case r.namesSection():
			heads, start, longest, last = heads+1, i+1, max(longest, last), 0
		case heads == 0:
			return 0
		default:
			last++
		}
	}
	if heads < narrow || last < longest*muchLonger {
		return 0
	}
	return belowNames(rows, start)
}

// namesSection reports whether the record has nothing but a name in brackets in its first cell.
func (r row) namesSection() bool {
	return !r.broken && r.filled == 1 && r.bracketed && len(r.kinds) > 0 && r.kinds[0] != kind.Empty
}

// belowNames returns the index of the record from start on that names the columns of numbers below it; start if there is none.
func belowNames(rows []row, start int) int {
	for i := start; i < min(len(rows)-evidence, start+maxPadded); i++ {
		head := rows[i]
		if head.blank || !onlyWords(head) || rows[i+1].width != head.width || rows[i+1].typed() < head.width {
			continue
		}
		body := columnKinds(rows[i+1:], head.width)
		if body.typed() == head.width && body.n >= manyRecords {
			return i
		}
		break
	}
	return start
}

// nextBracketed returns the index of the next name in brackets, with names below it, if the part that begins there stands below such a
// name; 0 if there is none.
func nextBracketed(rows []row, top int) int {
	if top == 0 || !rows[top-1].namesSection() {
		return 0
	}
	next := slices.IndexFunc(rows[top:], row.namesSection) + top
	if next < top || next+1 == len(rows) || rows[next+1].filled < narrow || !onlyWords(rows[next+1]) {
		return 0
	}
	return next
}

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
