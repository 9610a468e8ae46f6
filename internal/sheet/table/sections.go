package table

import "sheetdrop/internal/sheet/kind"

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
