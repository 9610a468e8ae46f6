package table

import (
	"slices"

	"sheetdrop/internal/sheet/dialect"
	"sheetdrop/internal/sheet/kind"
)

// gridWidth returns the width that at least two rows, and one in ten, have or exceed: a stray cell beside the table
// does not widen it.
func gridWidth(rows []row) int {
	if len(rows) < 2 {
		return 0
	}
	widths, strays := make([]int, len(rows)), straysFrom(rows)
	for i, r := range rows {
		if widths[i] = r.width; strays > 0 && r.width > strays {
			widths[i] = strays
		}
	}
	slices.Sort(widths)
	return widths[len(widths)-1-max(1, len(widths)/gridOutliers)]
}

// straysFrom returns the first column of what stands behind an empty one and beside the table: nothing stands there in the row that names
// the columns, and it has less than two thirds as many rows. It returns 0 if there is nothing.
func straysFrom(rows []row) (from int) {
	head := slices.IndexFunc(rows, func(r row) bool { return r.filled >= narrow })
	if head < 0 || !onlyWords(rows[head]) {
		return 0
	}
	list := blocks(rows, widest(rows), 0)
	for len(list) > 1 {
		last, main := list[len(list)-1], mainBlock(list)
		if last.from == main.from || last.rows[head] || last.first < head || share(last.rowsOf(main), main.count) >= besideRows {
			break
		}
		from, list = last.from, list[:len(list)-1]
	}
	return from
}

// headerWidth returns the table's width by the names of its columns where it is more than that width: the last columns may have no values.
// These are names for all columns, alone or together with the row above, right above other rows.
func headerWidth(rows []row, width int) int {
	for i, r := range rows[:min(len(rows), maxPadded)] {
		if r.blank || r.width <= width || r.filled < evidence || !onlyWords(r) && !endsInYears(r) || i+evidence >= len(rows) || rows[i+1].blank {
			continue
		}
		full := true
		for c, k := range r.kinds {
			above := i > 0 && c < len(rows[i-1].kinds) && rows[i-1].kinds[c] == kind.Word
			full = full && (k != kind.Empty || above)
		}
		if full {
			return r.width
		}
	}
	return width
}

// belowWider returns how many rows stand above the names of all columns, if the last of them goes on behind the table, and has a value or
// twice as many texts: it says how the file was made. It returns 0 if none does so.
//
//	scan_7.csv,x,Lab 4,2025-10-07 11:09,12345
//	nm,A
//	400,0.043
func belowWider(rows []row) int {
	width := gridWidth(rows)
	for i, r := range rows[:max(0, min(len(rows)-evidence-1, maxPadded))] {
		if r.width <= width || onlyWords(r) && r.filled < narrow*width || slices.Contains(r.kinds[min(width, len(r.kinds)):], kind.Empty) {
			continue
		}
		head, body := rows[i+1], rows[i+2:]
		if head.width == width && head.namesAllOf(width) && widest(body) <= width && columnKinds(body, width).typed() > 0 {
			return i + 1
		}
	}
	return 0
}

// endsInYears reports whether the row has names, and then nothing but years that follow each other.
func endsInYears(r row) bool {
	return r.kinds[0] == kind.Word && r.calendar >= manyYears && int(r.calendar) == r.numbers() && r.kinds[len(r.kinds)-1] == kind.Number
}

// fit sets the table's width on the first row that fills more than half of it, and on all rows below: where a
// worksheet's row ends means nothing, because the cells after its last value may be empty.
func fit(rows []row, width int) {
	first := slices.IndexFunc(rows, func(r row) bool { return share(r.filled, seen(width)) > gridRowFilled })
	if first < 0 {
		return
	}
	for i := range rows[first:] {
		rows[first+i].fit(width)
	}
	for i := first - 1; i > 0; i-- {
		if r := rows[i].fitted(width); rows[i-1].completes(r) { // each names what the other lacks
			rows[i] = r
		}
	}
}

// fitted returns a copy of the row that is as wide as the table.
func (r row) fitted(width int) row {
	r.kinds, r.texts = slices.Clone(r.kinds), slices.Clone(r.texts)
	r.fit(width)
	return r
}

func (r *row) fit(width int) {
	if r.blank {
		return
	}
	n := min(width, dialect.MaxColumns)
	r.width = width
	r.kinds = append(r.kinds, make([]kind.Kind, max(0, n-len(r.kinds)))...)[:n]
	r.texts = append(r.texts, make([]uint64, max(0, n-len(r.texts)))...)[:n]
	r.keepPlaces(0, n)
}

// hasRemarks reports whether two rows or more have a text right behind the last name, where the header has one for each other column.
func (l Layout) hasRemarks(rows []row) bool {
	last := l.Columns - 1
	if l.Header == 0 || last < narrow || last >= dialect.MaxColumns || len(l.head.kinds) <= last || l.head.kinds[last] != kind.Empty ||
		slices.Contains(l.head.kinds[:last], kind.Empty) {
		return false
	}
	remarks := 0
	for _, r := range rows {
		switch {
		case last >= len(r.kinds) || r.kinds[last] == kind.Empty:
		case r.kinds[last] != kind.Word || r.isSum():
			return false
		case r.filled > narrow:
			remarks++
		}
	}
	return remarks >= bodyRecords
}

// isFilledTo reports whether most rows have a value in the last column, so that it belongs to the table even where the
// header has no name for it.
func isFilledTo(rows []row, width int) bool {
	n, filled := 0, 0
	for _, r := range rows {
		if r.blank {
			continue
		}
		n++
		if width <= len(r.kinds) && r.kinds[width-1] != kind.Empty {
			filled++
		}
	}
	return filled >= evidence && share(filled, n) > gridRowFilled
}
