package table

import (
	"slices"

	"sheetdrop/internal/sheet/kind"
)

// takeFurther adds the row below the header to it, where it has further names: it lacks the first cell, which nearly all rows below have,
// and its other cells are
//   - days, or three or more of their numbers above texts;
//   - or texts that none of the rows below has, whose own come again and again;
//   - or anything above rows that have nothing but a first name.
//
// start is the first row below the header that was found; it returns that of the one that is taken.
//
//	name,  Mon, Tue, Wed      name, 1,   2,   3
//	,      1,   2,   3        ,     Mon, Tue, Wed
//	Adams, E,   L,   N        Adams,E,   L,   N
//	Baker, E,   E,   OFF      Baker,E,   E,   OFF
func (l *Layout) takeFurther(rows []row, start int) int {
	if l.Header == 0 || l.Header == maxHeader || l.Preamble+l.Header != start || start >= len(rows) || l.Columns <= narrow {
		return start
	}
	r, head := rows[start], rows[start-1]
	other := slices.ContainsFunc(r.kinds, func(k kind.Kind) bool { return k != kind.Moment && k != kind.Empty })
	if r.blank || r.broken || r.filled < narrow || r.filled == narrow && other || r.has(0) || head.kinds[0] == kind.Empty {
		return start
	}
	for i, k := range r.kinds {
		if k != kind.Empty && (i >= len(head.kinds) || head.kinds[i] == kind.Empty) {
			return start
		}
	}
	body := columnKinds(rows[start+1:], l.Columns)
	if !areNamesAlone(rows[start+1:]) &&
		(body.n < evidence || !body.filledColumns()[0] || !body.areDaysOf(r) && !body.areOtherTexts(r)) {
		return start
	}
	l.Header++
	return start + 1
}

// areNamesAlone reports whether the rows, up to a blank one, are three or more that have nothing but a first text, as those of a plan that
// is still to be filled in.
func areNamesAlone(rows []row) bool {
	n := nextBlank(rows, 0)
	return n >= evidence && !slices.ContainsFunc(rows[:n], func(r row) bool { return !r.isTitle() })
}

// areDaysOf reports whether the record's cells are values, such as days (4.5., 5/4) or their numbers, of which none comes twice, where the
// columns have no such.
func (c columns) areDaysOf(r row) bool {
	days := textSet{}
	for i, k := range r.kinds {
		if k == kind.Empty {
			continue
		}
		if k == kind.Word || days.again(r.texts[i]) || i < len(c.kinds) && c.kinds[i] == k {
			return false
		}
	}
	return true
}

// areOtherTexts reports whether the record's cells are texts, of which no row below has one in these columns, whose own texts are few: each
// comes twice at least.
func (c columns) areOtherTexts(r row) bool {
	own, texts, cells := textSet{}, textSet{}, 0
	for i, k := range r.kinds {
		if k > kind.Word {
			return false
		}
		own[r.texts[i]] = own[r.texts[i]] || k != kind.Empty
	}
	for _, b := range c.rows {
		for i := range r.kinds[:min(len(r.kinds), len(b.kinds))] {
			switch {
			case r.kinds[i] == kind.Empty || b.kinds[i] == kind.Empty:
			case b.kinds[i] != kind.Word || own[b.texts[i]]:
				return false
			default:
				texts[b.texts[i]] = true
				cells++
			}
		}
	}
	return cells >= repeatsRecords && 2*len(texts) <= cells
}

// describesColumns reports whether the record right below the names belongs to the header, though it differs from the rows in one column
// alone.
func (r row) describesColumns(names row, rows []row, below columns) bool {
	return r.hasDashesFor(rows, below.width) || r.lacksKeysAs(names, below) || r.saysWhatIsAsked(names, rows)
}

// hasDashesFor reports whether the record has signs for nothing in two columns or more that have a value in nearly all rows, and no empty
// cell or value: a line of units has them where there is none.
//
//	no,name,weight,seen
//	-, -,   kg,    yyyy-mm-dd
//	1, ash, 1.16,  2025-03-03
func (r row) hasDashesFor(rows []row, width int) bool {
	if !onlyWords(r) {
		return false
	}
	dashes := 0
	for i, usual := range columnKinds(rows, width).filledColumns() {
		switch {
		case i >= len(r.kinds) || !r.has(i):
			return false
		case r.kinds[i] == kind.Empty && usual:
			dashes++
		}
	}
	return dashes >= narrow
}

// lacksKeysAs reports whether the record and the one above lack the same first cells, which all rows below have: it has the units of the
// columns that the one above names.
//
//	,,Cars
//	,,Number
//	01,York,812
func (r row) lacksKeysAs(above row, below columns) bool {
	n := r.first()
	return n > 0 && onlyWords(r) && n+r.filled == r.width && n+above.filled == above.width &&
		above.kinds[n-1] == kind.Empty && isFilled(below.rows)
}

// saysWhatIsAsked reports whether the record below the names of all columns has the questions of a survey, or units. It lacks the first
// cell or cells, which all rows below have. It has texts in all others, of which none comes again.
//
//	Respondent,Q1,Q2
//	,How old are you?,Do you commute?
//	1,34,Yes
func (r row) saysWhatIsAsked(names row, rows []row) bool {
	first := r.first()
	if first < 1 || r.keyless || r.width <= narrow || r.filled < narrow || r.filled != seen(r.width)-first || !onlyWords(r) {
		return false
	}
	return names.filled == seen(names.width) && !slices.ContainsFunc(rows, func(b row) bool {
		for i := range b.texts[:min(len(b.texts), len(r.texts))] {
			if i < first && b.kinds[i] == kind.Empty && !b.blank || i >= first && b.texts[i] == r.texts[i] && r.has(i) {
				return true
			}
		}
		return false
	})
}
