package table

import (
	"slices"

	"sheetdrop/internal/sheet/kind"
)

// ofFew is the layout of too few records to tell: the first one is the header, below titles and narrower records.
func (l Layout) ofFew(rows []row, h Hints) Layout {
	if h.areWhole() && !h.NoFooter {
		rows, l.FooterLine = aboveNotes(rows)
	}
	first, alone := firstOfFew(rows), headerAlone(rows)
	if alone > 0 {
		first = alone
	}
	if first > 0 && h.Preamble == nil && (alone > 0 || isTableOfFew(rows[first:])) {
		l.Preamble = first
		rows = rows[first:]
	}
	l = l.hinted(h)
	if h.Header == nil && (startWithValues(rows) || startAlike(rows)) {
		l.Header = 0
	}
	if n := lastUsed(rows); n > 0 {
		l.Columns, l.Trailing, l.Uniform = n, narrow, true
	}
	return l
}

// aboveNotes returns the rows above notes that stand below a blank record at the end, and the line of the first note; all rows and 0 if
// there are none, or no record of several cells stands above them.
func aboveNotes(rows []row) (above []row, line int64) {
	end := len(rows)
	for end > 0 && (rows[end-1].blank || rows[end-1].note && rows[end-1].filled == 1) {
		end--
	}
	first := pastBlank(rows, end)
	if end == 0 || first == end || first == len(rows) || rows[end-1].width < narrow {
		return rows, 0
	}
	return rows[:end], rows[first].line
}

// firstOfFew returns the index of the first record of the greatest width, if it has names alone, or else of the first one of several cells;
// -1 if there is none.
func firstOfFew(rows []row) int {
	widest := 0
	for i, r := range rows {
		if r.width > rows[widest].width {
			widest = i
		}
	}
	if len(rows) > 0 && rows[widest].width > 1 && onlyWords(rows[widest]) {
		return widest
	}
	return slices.IndexFunc(rows, func(r row) bool { return r.width > 1 })
}

// isTableOfFew reports whether the records are a header and a row or more of the same width, and nothing else, or of several widths below
// names alone.
func isTableOfFew(rows []row) bool {
	n, names := 0, onlyWords(rows[0])
	for _, r := range rows {
		if r.blank {
			continue
		}
		if n++; r.broken || r.width == 1 || r.width != rows[0].width && !names {
			return false
		}
	}
	return n >= narrow
}

// startAlike reports whether there are two records, the second one below the first, that have days or addresses in the same places, and
// other values likewise, or are the same in half of their cells, two or more: the first one has no names.
func startAlike(rows []row) bool {
	if len(rows) < narrow || len(rows) > narrow && !rows[narrow].blank || rows[0].blank || rows[0].width != rows[1].width || rows[0].broken {
		return false
	}
	same := 0
	for i, k := range rows[0].kinds[:min(len(rows[0].kinds), len(rows[1].kinds))] {
		if k != kind.Empty && rows[0].texts[i] == rows[1].texts[i] {
			same++
		}
	}
	return same >= repeatedCells && share(same, rows[0].filled) >= repeatedShare || rows[1].hasValuesAs(rows[0])
}

// hasValuesAs reports whether the record has a day or an address, and a value or a text wherever the one above has one.
func (r row) hasValuesAs(above row) bool {
	isOwn := func(k kind.Kind) bool { return k == kind.Moment || k == kind.Address }
	return slices.ContainsFunc(r.kinds, isOwn) && slices.Equal(r.kinds, above.kinds)
}

// startWithValues reports whether the first record has only values, which no header of two or more columns has except for years, or a day
// or a time and a number with a point.
func startWithValues(rows []row) bool {
	i := pastBlank(rows, 0)
	if i == len(rows) || rows[i].width < 2 || rows[i].broken || rows[i].years >= fewYears && !rows[i].yearsApart {
		return false
	}
	measured := rows[i].points > 0 && slices.Contains(rows[i].kinds, kind.Moment)
	return measured || !slices.ContainsFunc(rows[i].kinds, func(k kind.Kind) bool { return k != kind.Number && k != kind.Moment })
}
