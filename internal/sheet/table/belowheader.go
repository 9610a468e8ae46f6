package table

import (
	"bytes"
	"slices"

	"sheetdrop/internal/sheet/kind"
)

// hintLines is in how many lines of a text hints are looked for.
const hintLines = 100

// givesHints reports whether the record, right below the names of columns, says how these are to be filled in. It has words alone, of which
// three or more, and half, are such hints. No other record has as many.
//
//	Number,  Name,             Since
//	required,max. 40 characters,TT.MM.JJJJ
//	K100,    Abend,            2021-03-01
func (r row) givesHints(names row, rows []row) bool {
	if r.hints < evidence || 2*int(r.hints) < r.filled || !onlyWords(r) || len(names.kinds) < len(r.kinds) {
		return false
	}
	for i, k := range r.kinds {
		if k != kind.Empty && names.kinds[i] != kind.Word {
			return false
		}
	}
	n := 0
	for _, other := range rows {
		if other.blank {
			continue
		}
		if n++; other.hints > 0 && 2*int(other.hints) >= other.filled {
			return false
		}
	}
	return n >= bodyRecords && int(names.hints) < narrow
}

// pricesColumns reports whether the record has what holds for the columns, such as their prices. It stands right below names and looks as
// they do, and has a name and numbers that do not rise, above nothing but texts.
//
//	,      Menu 1,Menu 2
//	Price, 5.90,  4.80
//	Monday,Stew,  Pasta
func (r row) pricesColumns(names row, rows []row) bool {
	if len(r.kinds) <= narrow || r.kinds[0] != kind.Word || r.yearish > 0 || r.namedByNumbers || len(names.kinds) < len(r.kinds) {
		return false
	}
	body := columnKinds(rows, len(r.kinds))
	for i, k := range r.kinds[1:] {
		if k != kind.Number || names.kinds[i+1] != kind.Word || body.kinds[i+1] != kind.Word {
			return false
		}
	}
	return body.n >= evidence
}

// dropHints takes the last of a worksheet's header rows from the header if it is no name of the columns, but tells what holds for them, and
// the row above has their names. It returns the header's end.
func (l *Layout) dropHints(rows []row, start int) int {
	last := start - 1
	if l.Header == 0 || last < 1 || rows[last].blank || rows[last-1].blank {
		return start
	}
	hints := rows[last].givesHints(rows[last-1], rows[start:])
	limits := l.Header > 1 && rows[last].limit && columnKinds(rows[start:], l.Columns).limitsAbove(rows[last:]) > 0
	switch l.priced = l.Header > 1 && rows[last].pricesColumns(rows[last-1], rows[start:]); {
	case l.Header > 1 && (hints || l.priced) || limits:
		l.Header--
		return last
	case hints: // the rows are frozen below it
		l.Preamble--
		return last
	}
	return start
}

// hints returns how many of the rows, right below the names of the columns, say how these are to be filled in, or what holds for them.
func (l Layout) hints(rows []row) int {
	switch {
	case l.Header == 0 || len(rows) == 0:
		return 0
	case l.priced || rows[0].givesHints(l.head, rows[1:]):
		return 1
	}
	return l.body.limitsAbove(rows)
}

// isHint reports whether a record is one of those right below the names that say how the columns are to be filled in, or the like.
func (f *Filter) isHint(cells [][]byte) bool {
	first := hash(bytes.TrimSpace(cells[0]))
	if !slices.ContainsFunc(f.hints, func(texts []uint64) bool { return texts[0] == first }) {
		return false
	}
	for f.grid && len(cells) > 0 && len(cells[len(cells)-1]) == 0 {
		cells = cells[:len(cells)-1]
	}
	r := gridRow(cells)
	if f.grid {
		r.fit(f.width)
	}
	return slices.ContainsFunc(f.hints, func(texts []uint64) bool { return slices.Equal(texts, r.texts) })
}

// limitsAbove returns how many of the first records, right below the names of the columns, say what the values are held against. They are
// no rows if the first column has other values, or they have gaps that hardly any row has.
//
//	Sample,Day,Lead,Zinc
//	Limit,,10,3000
//	P-1,2024-03-04,1.2,310
func (c columns) limitsAbove(rows []row) (n int) {
	for n < len(rows) && rows[n].limit && rows[n].width == c.width && !onlyWords(rows[n]) {
		n++
	}
	rest := rows[n:]
	if n == 0 || c.width < severalColumns || slices.ContainsFunc(rest, func(r row) bool { return r.limit }) {
		return 0
	}
	body := columnKinds(rest, c.width)
	body.usual = body.filledColumns()
	if body.n < evidence || slices.ContainsFunc(rows[:n], func(r row) bool { return !body.isLimited(r) }) {
		return 0
	}
	return n
}

// isLimited reports whether the record, which begins with a word for a limit or for points, is no row. It has that word where the others
// have a value, or lacks two columns that nearly all others have; one is enough if it has days or codes, and any one for points.
func (c columns) isLimited(r row) bool {
	if c.kinds[0] > kind.Word {
		return true
	}
	for i, k := range r.kinds {
		if k == kind.Empty && c.usual[i] && c.kinds[i] >= kind.Moment {
			return true
		}
	}
	return c.missing(r) >= sumLacks || r.reachable && c.lacks(r)
}

// namesTypes reports whether the record names the types of the columns, some of which have other values in the rows:
//
//	site	day	flow
//	15s	20d	14n
//	02177000	2012-09-01	191
func (r row) namesTypes(rows []row, width int) bool {
	if r.blank || r.broken || !r.types || r.width != width || width < leastNumbered || share(r.filled, seen(width)) < headerFilled {
		return false
	}
	body := columnKinds(rows, width)
	return body.isUnlike(r) || body.n == 1 && rows[0].typed() > 0
}
