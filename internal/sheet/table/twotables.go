package table

import "slices"

// firstOfTwo returns the width of the first of two tables, whichever has more rows or columns: a header and three rows or more below
// nothing but titles, and above another header with rows of its own. other is the index at which the second one begins. The width is 0
// if there are no two. A further table of a text may have two columns, and two rows: the first one may as well be names with their values.
func firstOfTwo(rows []row, further bool) (width, other int) {
	narrowest, least := narrow+1, evidence
	if further {
		narrowest, least = narrow, bodyRecords
	}
	top := belowTitles(rows)
	if top == len(rows) || rows[top].blank || rows[top].filled < narrowest || !rows[top].isPrefix() {
		return 0, 0
	}
	if width = rows[top].filled; isLoneTitle(rows[top:], width) {
		return 0, 0
	}
	end := nextBlank(rows, top)
	below := pastBlank(rows, end)
	if below == len(rows) {
		return 0, 0
	}
	first := withoutEmpty(rows[top:end], width)
	if first == nil {
		return 0, 0
	}
	body := columnKinds(first[1:], width)
	if body.n < least || !body.isUnlike(first[0]) {
		return 0, 0
	}
	next := slices.Clone(rows[below:])
	wide := widest(next)
	for i := range next {
		next[i].fit(wide)
	}
	if !(Layout{Columns: width}).otherAt(body, first[0], next, endsInSum(first)) {
		return 0, 0
	}
	return width, below
}

// belowTitles returns the index of the first row below titles and blank rows, or of one further down than titles go.
func belowTitles(rows []row) int {
	top := 0
	for top < len(rows) && top < maxTitles && (rows[top].blank || rows[top].filled == 1) {
		top++
	}
	return top
}

// withoutEmpty returns the rows without their cells behind so many columns; nil if one of them has a value there, or lacks a cell.
func withoutEmpty(rows []row, width int) (list []row) {
	for _, r := range rows {
		if r.broken || len(r.kinds) < width || r.filledBehind(width) {
			return nil
		}
		r.width, r.kinds, r.texts = width, r.kinds[:width], r.texts[:width]
		r.keepPlaces(0, width)
		list = append(list, r)
	}
	return list
}
