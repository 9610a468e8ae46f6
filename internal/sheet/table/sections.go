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

// firstBracketed returns the width of the first part of a text of which each begins with its name in brackets and a header of its own,
// where that part is a table: its header has a name for each column, above values of other kinds. other is the index of the next part's
// name; the width is 0 if there is none.
//
//	[Sites]
//	code,town
//	S1,Bath
//	S2,York
//	[Readings]
//	code,day,value
//	S1,2024-01-01,4.5
func firstBracketed(rows []row) (width, other int) {
	top := pastBlank(rows, 0)
	if top+bodyRecords >= len(rows) || !rows[top].namesSection() {
		return 0, 0
	}
	top++
	next := slices.IndexFunc(rows[top:], row.namesSection) + top
	if next < top || next+1 >= len(rows) || rows[next+1].filled < narrow || !onlyWords(rows[next+1]) {
		return 0, 0
	}
	width = rows[top].width
	part := slices.DeleteFunc(slices.Clone(rows[top:next]), func(r row) bool { return r.blank })
	if len(part) <= bodyRecords || width < narrow || !onlyWords(part[0]) || part[0].filled != width {
		return 0, 0
	}
	if slices.ContainsFunc(part, func(r row) bool { return r.broken || r.width != width }) {
		return 0, 0
	}
	if !columnKinds(part[1:], width).isUnlike(part[0]) {
		return 0, 0
	}
	return width, next
}
