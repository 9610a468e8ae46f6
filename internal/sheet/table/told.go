package table

import (
	"slices"

	"sheetdrop/internal/sheet/kind"
)

// told finds the header that the workbook tells of. It has the rows at the indexes first to last, and those above them with the names of
// groups, or with further names. ok is false if the last row names no columns, unless the workbook is certain that it does. Numbers do if
// they rise from cell to cell, behind a name.
func (l Layout) told(rows []row, first, last int, t Told) (preamble, header int, ok bool) {
	if last < 0 || last >= len(rows) || rows[last].blank || rows[last].filled < min(narrow, l.Columns) {
		return 0, 0, false
	}
	if !t.Certain && l.Columns > severalColumns && isForm(rows[last:]) { // a filter of one column may begin there
		return 0, 0, false
	}
	body := columnKinds(rows[last+1:], l.Columns)
	if same, other := body.compare(rows[last]); !t.Certain &&
		(same > other && !rows[last].namedByNumbers || body.repeats(rows[last]) || last > 0 && rows[last].isRowAs(rows[last-1])) {
		return 0, 0, false
	}
	top := first
	for top > 0 && last-top < maxHeader-1 && l.isHeaderAbove(rows, top, last, body) {
		top--
	}
	return top, last - top + 1, true
}

// isForm reports whether the rows begin with three names or more that have a value at the most, and a blank row is below these.
func isForm(rows []row) bool {
	n := nextBlank(rows, 0)
	return n >= evidence && n < len(rows) && !slices.ContainsFunc(rows[:n], func(r row) bool { return r.filled > listCells })
}

// isRowAs reports whether the record has numbers and other cells where the one above has, so that both are rows: it names nothing.
//
//	10,open
//	20,closed
func (r row) isRowAs(above row) bool {
	others := slices.ContainsFunc(r.kinds, func(k kind.Kind) bool { return k != kind.Number && k != kind.Empty })
	return !r.namedByNumbers && others && slices.Contains(r.kinds, kind.Number) && slices.Equal(r.kinds, above.kinds)
}

// isHeaderAbove reports whether the row above top belongs to the header that ends with row last.
func (l Layout) isHeaderAbove(rows []row, top, last int, body columns) bool {
	r := rows[top-1]
	if r.blank || r.broken || r.prose && share(r.filled, seen(l.Columns)) <= gridRowFilled && r.filled <= groupNames {
		return false
	}
	if r.groups(rows[top:last+1], l.Columns) || r.namedByNumbers && rows[last].kinds[0] == kind.Empty { // days above those of the week
		return true
	}
	return body.isUnlike(r) && share(r.filled, seen(l.Columns)) > gridRowFilled && rows[last].filled < seen(l.Columns)
}

// emphasised returns the indexes of the header's first and last row, as far as it is told by its looks: its cells are all bold
// or coloured, and those of the rows below are not. ok is false if there is no such row.
func emphasised(rows []row, strong []bool, width int) (first, last int, ok bool) {
	for i := range min(len(rows), len(strong), maxPadded) {
		if !strong[i] || rows[i].filled < min(narrow, width) {
			continue
		}
		if rows[i].totalFirst && slices.Contains(rows[i].kinds, kind.Number) { // a sum above the rows
			return 0, 0, false
		}
		last = i
		for last+1 < len(rows) && last-i < maxHeader && strong[last+1] && !rows[last+1].blank && !titlesPart(rows[last], rows[last+1], width) &&
			!sumsBelow(rows[last], rows[last+1], width) {
			last++
		}
		plain, end := 0, last
		for last > i && isNumbering(rows[last]) { // a line that numbers the columns
			last--
		}
		for n, seen := end+1, 0; n < min(len(rows), len(strong)) && n <= end+maxPadded && seen < followersSeen; n++ {
			if rows[n].blank || strong[n] && titlesPart(rows[last], rows[n], width) {
				continue
			}
			if seen++; strong[n] {
				return 0, 0, false
			}
			if rows[n].filled >= min(narrow, width) {
				plain++
			}
		}
		return i, last, plain >= bodyRecords && !standsBelowWider(rows[:i], rows[last])
	}
	return 0, 0, false
}

// standsBelowWider reports whether most of the rows above one, eight or more, have more cells: it stands among the rows of their table.
func standsBelowWider(above []row, r row) bool {
	wider, all := 0, 0
	for _, a := range above {
		if a.filled > 0 {
			all++
		}
		if a.filled > r.filled {
			wider++
		}
	}
	return wider >= manyRecords && wider*2 > all
}

// titlesPart reports whether the row, which stands below names for all columns, may be the title of a part of the table.
func titlesPart(head, r row, width int) bool {
	named := head.filled == seen(width) && (onlyWords(head) || head.namedByNumbers)
	return named && (r.isTitle() || r.isNumberedTitle() || width > 1 && r.filled == 1 && r.kinds[0] == kind.Number)
}

// sumsBelow reports whether the row, which stands below names for all columns, has a name and numbers: a sum above the rows.
func sumsBelow(head, r row, width int) bool {
	return head.namesAllOf(width) && r.kinds[0] == kind.Word && r.isSum() && slices.Contains(r.kinds, kind.Number)
}
