package table

import "slices"

// pageLines returns the first texts of the lines that each page of a printed report has around the header, which comes again on each: of
// two pages or more, or of one and above the table. above ends with the header, of so many rows. For example,
//
//	County: Adams,,Date:,2017-12-18
//	precinct,split,active,all
//	P01,A,138,211
//	Printed by the office,,,Page 1
//	County: Adams,,Date:,2017-12-18
//	precinct,split,active,all
//	P02,B,262,278
//
// has two such lines. They lack what most records have, and stand nowhere else; and a line above the first header comes again.
func (c columns) pageLines(above, rows []row, header int, often []bool) textSet {
	head, heads := lastHeader(above), above[max(0, len(above)-header):]
	isOver := func(r row) bool {
		return c.isPageLine(r, often) || slices.ContainsFunc(heads, func(h row) bool { return sameTexts(h, r) })
	}
	pages, counts, begins := 1, map[uint64]int{}, map[uint64]int{}
	countAbove := func(i int) {
		for n := i - 1; n >= 0 && n >= i-maxPageLines && isOver(rows[n]); n-- {
			counts[rows[n].firstText()]++
		}
	}
	for i, r := range rows {
		begins[r.firstText()]++
		if sameTexts(r, head) {
			pages++
			countAbove(i)
		}
	}
	countAbove(len(rows))
	if pages == 1 || len(above) == 0 || head.filled < narrow {
		return nil
	}
	again := false
	for _, r := range above[:len(above)-1] {
		text := r.firstText()
		begins[text]++
		if counts[text] > 0 && text != noText {
			counts[text]++
			again = true
		}
	}
	if !again { // several lists in one text, each of which may end with the same record
		return nil
	}
	lines := textSet{}
	for text, n := range counts {
		if n > 1 && begins[text] <= pages+1 { // the last page may have one at its end
			lines[text] = true
		}
	}
	return lines
}

// withoutPages returns the rows without the lines above their header and that itself, where each page has them once more: of a few short
// pages they would be half of the rows.
func withoutPages(rows, above []row, head row) []row {
	isHead := func(r row) bool { return sameTexts(r, head) }
	if !slices.ContainsFunc(rows, isHead) {
		return rows
	}
	return slices.DeleteFunc(slices.Clone(rows), func(r row) bool {
		return isHead(r) || slices.ContainsFunc(above, func(a row) bool { return !a.blank && a.firstText() == r.firstText() })
	})
}

// isBetweenPages reports whether the record is a line between two pages. 2/5 is none in a column with such values.
func (c columns) isBetweenPages(r row) bool {
	at := r.first()
	return r.page || r.pageOfPages && len(c.kinds) > narrow && at < len(c.kinds) && at < len(r.kinds) && r.kinds[at] != c.kinds[at]
}

// isPageLine reports whether the record above a repeated header may be such a line.
func (c columns) isPageLine(r row, often []bool) bool {
	same, other := c.compare(r)
	return r.blank || r.width != c.width || lacks(often, r) && (same == 0 || other > 0)
}
