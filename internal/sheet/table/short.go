package table

import (
	"maps"
	"slices"

	"sheetdrop/internal/sheet/dialect"
	"sheetdrop/internal/sheet/kind"
)

// endsShort reports whether the table's records may end before the last column: enough of them do, and what they have fits their columns. A
// program has cut them off if
//   - the columns that they lack are often empty in the others;
//   - a fifth of all ends at each column at which one of them does;
//   - all of them end at one column with an empty cell, however few they are;
//   - no record ends with an empty cell, though one has such a cell further in front;
//   - or each line ends with a delimiter.
//
// For example, a spreadsheet that looks at sixteen rows only writes
//
//	id,name,remark
//	1,bolt,
//	2,nut,
//	3,washer
func (c columns) endsShort(rows []row, ended bool) bool {
	rows = withoutNotesBelow(rows, c.width)
	empties, widths, short, misfits, unlike, cut, closed := make([]int, len(c.kinds)), map[int]int{}, 0, 0, 0, true, true
	for _, r := range rows {
		switch {
		case r.blank || r.broken || c.isBetweenPages(r) || r.width > c.width:
		case r.width == c.width:
			if !c.beginsLike(r) {
				unlike++
			}
			for i, k := range r.kinds {
				if k == kind.Empty {
					empties[i]++
				}
			}
		case !r.mayEndShort():
			return false
		default:
			if short++; !c.beginsLike(r) {
				misfits++
			}
			widths[r.width]++
			closed = closed && len(r.kinds) == r.width && r.kinds[r.width-1] == kind.Empty
		}
		cut = cut && !(r.width > 1 && r.endsEmpty())
	}
	if short < evidence || misfits*rareMisfit > short && share(misfits, short) > 2*share(unlike, c.n) {
		return false
	}
	if (ended || cut && slices.Max(empties) > 0) && share(short, short+c.n) >= endsTogether {
		return true
	}
	if len(widths) == 1 && closed {
		return true
	}
	if !slices.ContainsFunc(slices.Collect(maps.Values(widths)), func(n int) bool { return share(n, short+c.n) < endsTogether }) {
		return true
	}
	for width := range widths {
		for _, n := range empties[min(width, len(empties)):] {
			if share(n, c.n) < oftenEmpty {
				return false
			}
		}
	}
	return true
}

// withoutNotesBelow returns the rows above the last ones that have fewer cells than the table and are no short rows of it.
func withoutNotesBelow(rows []row, width int) []row {
	for n := len(rows); n > 0 && rows[n-1].width < width && !rows[n-1].mayEndShort(); n-- {
		rows = rows[:n-1]
	}
	return rows
}

// rareMisfit is of how many short records one may have a cell of another kind than its column, unless about as many of the others have one.
const rareMisfit = 20

// mayEndShort reports whether a short record begins with a value, and is neither a note nor a sum.
func (r row) mayEndShort() bool {
	return r.width >= narrow && !r.note && !r.isSum() && len(r.kinds) > 0 && r.kinds[0] != kind.Empty
}

// beginsLike reports whether the cells of a short record have the kinds of the first columns, the first one a value.
func (c columns) beginsLike(r row) bool {
	_, other := c.compare(r)
	return r.mayEndShort() && other == 0
}

// withLast returns the width of a table most of whose records lack the cells at the end. It is that of the first record below titles, which
// names all columns, if other records have as many cells, and none has more. Otherwise it returns the usual width.
func withLast(rows []row, usual int) int {
	first := slices.IndexFunc(rows, func(r row) bool { return !r.blank && r.width > 1 && r.filled > 1 })
	if first < 0 {
		return usual
	}
	if r := &rows[first]; r.endsEmpty() && r.width > usual+1 { // a delimiter behind the last name
		r.dropTrailing(r.width, 1)
	}
	width, full, short, turns := rows[first].width, 0, 0, 0
	if width <= usual {
		return usual
	}
	for i, r := range rows[first+1:] {
		switch {
		case r.blank:
		case r.broken || r.width > width:
			return usual
		case r.width == width:
			full++
			if rows[first+i].width < width {
				turns++
			}
		default:
			short++
		}
	}
	head, rows := rows[first], rows[first+1:]
	switch longer := full >= evidence && turns >= evidence && share(full, full+short) >= endsTogether; {
	case full == 0 && namesFarMore(head, rows, usual):
		return width
	case head.filled < seen(width): // names have no gap
		return usual
	case longer || head.standsAboveUnits(rows, width, usual, short) || full > 0 && namesMore(head, rows, usual),
		turns > 0 && namesArticles(head, rows, usual):
		return width
	}
	return usual
}

// standsAboveUnits reports whether the record names the columns of the first row below it, and that one alone has all of them. That row has
// the units of the values that all others have, up to the usual width. Behind these, oscilloscopes write what holds for all values.
//
//	X,CH1,CH2,Start,Increment,
//	Sequence,Volt,Volt,9.5e-05,2.0e-09
//	0,3.28e-01,-1.47e-04,
func (r row) standsAboveUnits(rows []row, width, usual, short int) bool {
	if len(rows) < narrow || short < evidence || usual < narrow || rows[0].width != width || rows[0].filled < seen(width) {
		return false
	}
	body := columnKinds(rows[1:], usual)
	_, other := body.compare(rows[0])
	_, names := body.compare(r)
	return body.n == short && r.mark == "" && other == names && body.areUnits(rows[0])
}

// areUnits reports whether the record has a text above each column of values, two or more.
func (c columns) areUnits(r row) bool {
	same, other := c.compare(r)
	return same == 0 && other >= headerCells && other == c.typed()
}

// takeUnits adds the row below the header to it, where it has the units of the values, and is the only one that has all cells, as
// standsAboveUnits finds it. start is the first row below the header that was found; it returns that of the one that is taken.
func (l *Layout) takeUnits(rows []row, start int) int {
	if l.Header != 1 || l.Preamble+l.Header != start || len(rows)-start <= evidence || rows[start].width != l.Columns {
		return start
	}
	next := rows[start+1]
	if next.width >= l.Columns || !isUniform(rows[start+1:], next.width) || !columnKinds(rows[start+1:], next.width).areUnits(rows[start]) {
		return start
	}
	l.Header++
	return start + 1
}

// namesMore reports whether a text's first record names more columns than nearly all records have. It has names alone, and the first of the
// rows right below it values of the kinds that the others have there. Or there is nothing but texts, and it has no gap.
//
//	time,x,y,speed,turn      name,street,town,remark,by
//	0,,                      Anna,Elm street,Ulm
//	1,,                      Ben,Oak street,Bonn,moves,Kim
//	2,14.2,8.1               Cleo,Ash street,Ulm
//	3,14.9,8.4,0.7,0.1       Dora,Fir street,Trier
func namesMore(head row, rows []row, usual int) bool {
	body := columnKinds(rows, usual)
	if usual < narrow || body.n < evidence || head.prose || head.colons > 0 || !onlyWords(head) || len(rows) == 0 || rows[0].blank {
		return false
	}
	values, _ := body.compare(rows[0])
	isNoRow := func(r row) bool { return !r.blank && !r.mayEndShort() }
	texts := body.typed() == 0 && head.filled == head.width
	return (texts || body.isUnlike(head) && values > 0) && !slices.ContainsFunc(withoutNotesBelow(rows, head.width), isNoRow)
}

// namesArticles reports whether the record has different names alone, right above a row with as many cells, and none of the kinds that the
// shorter rows below have: those are the sizes of an article, and others follow.
//
//	id,title,text,  size,price,maker
//	A, Coat, Warm,  ,    ,     Fir Ltd
//	A, ,     ,      S,   49.00
//	A, ,     ,      M,   49.00
//	B, Hat,  Of felt,,   ,     Ash & Co
func namesArticles(head row, rows []row, usual int) bool {
	names := head.filled == head.width && head.isWithoutValues() && !head.prose && head.colons == 0 && hasEachTextOnce(head)
	return names && rows[0].width == head.width && usual >= narrow && columnKinds(rows, usual).isUnlike(head)
}

// namesFarMore reports whether the record names columns that no record has, since a program has left them out. It has eight names or more,
// all different but for one that may be missing. Right below are values that all end at one column, or the one before it, far in front of
// the last name. Fewer names more need four, without a blank before any of them, as a comma may have split a name, and all values to end at
// one column.
func namesFarMore(head row, rows []row, usual int) bool {
	body := columnKinds(rows, usual)
	isFar := head.filled >= manyRecords && head.width-usual > max(1, usual/headerSlack)
	isMore := usual >= severalColumns && head.filled == head.width && head.mark == "" && !head.spaced
	if !isFar && !isMore || usual < narrow || body.n < evidence || head.filled < seen(head.width)-1 || head.split || head.sentence ||
		!onlyWords(head) {
		return false
	}
	rows = withoutNotesBelow(rows, head.width)
	endsElsewhere := func(r row) bool {
		return !r.blank && r.width != usual && (!isFar || r.width != usual-1) && (r.width != usual+1 || !r.endsEmpty())
	}
	return hasEachTextOnce(head) && len(rows) > 0 && rows[0].typed() > 0 && body.isUnlike(head) && !slices.ContainsFunc(rows, endsElsewhere)
}

// takeOptional adds a column for the texts that some records have behind the last name of the header, such as remarks. All records have as
// many cells as names, or one more, and what they have fits the columns. Behind a comma and texts such a cell may as well be the second
// half of a text.
//
//	day,sensor,value
//	2024-01-01,3,20.1
//	2024-01-02,3,99.9,spike
func (l *Layout) takeOptional(rows []row, d dialect.Dialect) {
	head, body := l.head, l.body
	names := head.width
	if l.Header == 0 || l.RowNames || l.Beside > 0 || l.Trailing > 0 || names < narrow || names >= dialect.MaxColumns || head.filled < names ||
		l.Columns != names && l.Columns != names+1 || d.MayStandInNumbers() && body.kinds[names-1] <= kind.Word {
		return
	}
	more, texts, n := 0, 0, 0
	for _, r := range rows {
		switch {
		case r.blank:
			continue
		case r.broken || r.width < names || r.width > names+1 || len(r.kinds) != r.width:
			return
		case r.width > names:
			if r.kinds[names] > kind.Word {
				return
			}
			if more++; r.kinds[names] == kind.Word {
				texts++
			}
		}
		if _, other := body.compare(r); other > 0 {
			return
		}
		n++
	}
	if more < evidence || texts == 0 || more == n || share(more, n) < endsTogether {
		return
	}
	l.Columns, l.Unlabelled, l.Pad = names+1, true, true
}
