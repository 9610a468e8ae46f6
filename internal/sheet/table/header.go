package table

import (
	"slices"

	"sheetdrop/internal/sheet/kind"
)

// isHeader reports whether the record names the columns: its cells have other kinds than those below. Without evidence
// it does, because most files have a header. Cells that recur in the column below are evidence against it, unless the
// whole record recurs, as a repeated header does.
func (c columns) isHeader(r row) bool {
	same, other := c.compare(r)
	if same+other > 0 {
		return other >= same && !c.goOnAs(r) || c.isNamedByOneYear(r) || c.isNamedBySteps(r) || c.isNumberedFromZero(r)
	}
	return !c.repeats(r) && !c.hasOneOfFew(r) && !c.isOfCodes(r) && !c.isOfSeries(r)
}

// goOnAs reports whether the record has a number in a column of numbers, and none that may be a year, and cells of the same kinds as each
// of the two below it: if it is unlike those further below, they are so, too.
func (c columns) goOnAs(r row) bool {
	same, _ := c.compare(r)
	return same > 0 && r.yearish == 0 && c.n > bodyRecords && c.rows[0].isRowAs(r) && c.rows[1].isRowAs(r)
}

// isNamedBy reports whether the record names the columns of a table of its own, of two columns and two rows or more.
func (c columns) isNamedBy(r row) bool {
	same, other := c.compare(r)
	return c.width >= narrow && c.n >= bodyRecords && r.filled >= narrow && same == 0 && (other > 0 || onlyWords(r))
}

// standsAlone reports whether the table has three columns, or two of which the second has values of one kind, in three rows or more:
// other lines of two cells are rather names with their values.
func (c columns) standsAlone() bool {
	return c.width >= severalColumns || c.n >= evidence && len(c.kinds) == narrow && c.kinds[1] > kind.Word
}

func (c columns) repeats(r row) bool {
	if c.n < repeatsRecords {
		return false
	}
	again, inOthers := 0, 0
	for i, text := range r.texts {
		if r.kinds[i] == kind.Empty {
			continue
		}
		below, inOther := c.holds(i, text, r)
		if below {
			again++
		}
		if inOther {
			inOthers++
		}
	}
	return again >= repeatedCells && share(again, r.filled) >= repeatedShare && inOthers > 0
}

// hasOneOfFew reports whether a cell of the record is one of the few values of its column, two or more, each of which comes again.
//
//	Jade Street 46,pending
//	Pearl Street 7,pending
//	North Street 52,open
//	Birch Street 53,open
//	Tulip Street 6,open
func (c columns) hasOneOfFew(r row) bool {
	if c.n < repeatsRecords {
		return false
	}
	for i, text := range r.texts {
		if _, inOther := c.holds(i, text, r); inOther && r.kinds[i] != kind.Empty && c.isOfFew(i, r) {
			return true
		}
	}
	return false
}

// isOfFew reports whether r and the records below that do not repeat it have two values or more in the column, and none of them once.
func (c columns) isOfFew(column int, r row) bool {
	times := map[uint64]int{r.texts[column]: 1}
	for _, b := range c.rows {
		if !b.blank && !b.section && b.width == c.width && b.kinds[column] != kind.Empty && !sameTexts(b, r) {
			times[b.texts[column]]++
		}
	}
	for _, n := range times {
		if n == 1 {
			return false
		}
	}
	return len(times) > 1
}

// holds reports whether the text occurs in the column below r, and whether it does so in a record that does not repeat
// r.
func (c columns) holds(column int, text uint64, r row) (below, inOther bool) {
	for _, b := range c.rows {
		if !b.section && b.width == c.width && column < len(b.texts) && b.texts[column] == text {
			below = true
			if !sameTexts(b, r) {
				return true, true
			}
		}
	}
	return below, false
}

// headerRows counts the header records that the rows begin with. A further one must have words in several columns of
// other kinds, or units in brackets in one, and no value of any; its last cell may be missing.
func headerRows(rows []row, width int) int {
	if len(rows) == 0 {
		return 1
	}
	if n := slices.IndexFunc(rows[:min(len(rows), maxHeader)], func(r row) bool { return r.survey }); n > 0 {
		return n + 1
	}
	first := rows[0]
	body := columnKinds(without(rows[1:], first), width)
	body.rows = rows[1:]
	if body.n < bodyRecords && first.comesAgain(rows[1:]) {
		return 0
	}
	if first.blank || body.n < bodyRecords {
		return 1
	}
	if first.width != width {
		if first.countsColumns() && rowsOfPlate(rows[1:], first) >= evidence {
			return 1
		}
		same, other := body.compare(first)
		if same >= shortRowSame && same > shortRowFactor*other || body.isOfOtherType(first) {
			return 0
		}
		return 1
	}
	if !body.isHeader(first) {
		if first.standsAboveNames(rows[1:], width) {
			return 2
		}
		return 0
	}
	n := 1
	if len(rows) > 1 && first.namesGroupsOf(rows[1], rows[2:], width) {
		n = 2
	}
	for n < maxHeader && n < len(rows) && goesOn(rows, n, width) {
		n++
	}
	if n < maxHeader && n < len(rows) && rows[n].namesRowsOf(rows[n-1], rows[n+1:], width, n > 1) {
		n++
	}
	return n
}

// goesOn reports whether the header goes on with row n.
func goesOn(rows []row, n, width int) bool {
	r, first := rows[n], rows[0]
	if r.types && r.filled >= leastNumbered || isBelowHeader(rows[:n], rows[n:]) { // a line below the header
		return false
	}
	if n+1 < len(rows) && rows[n+1].isRowAs(r) || endsAboveNames(rows, n, width) {
		return false
	}
	body := rows[bodyStart(rows, n+1+unitRows(rows[n+1:]), width):]
	if others := without(body, first); len(others) < len(body) { // the header comes again
		body = without(others, r)
	}
	below := columnKinds(body, width)
	same, other := below.compare(r)
	if r.blank || r.broken || r.ruled || r.width > width || r.width < width-1 || same > 0 && !r.goesOnWithAges(same, other) {
		return false
	}
	if sameTexts(r, first) || below.hasCodeOf(r) {
		return false
	}
	if r.filled == seen(width) && first.namesAllOf(width) && !sharesText(r, first, 0) && below.hasOneOfFew(r) {
		return false
	}
	return other >= headerCells || other > 0 && (r.bracketed || n == 1 && r.describesColumns(first, rows[n+1:], below))
}

// endsAboveNames reports whether row n has a text for each column, as the one above it, and so has the first row below a blank one, with
// values below: that is the header of another table.
func endsAboveNames(rows []row, n, width int) bool {
	blank := nextBlank(rows, n)
	next := pastBlank(rows, blank)
	if blank > n+maxHeader || next+1 >= len(rows) || !rows[n].namesAllOf(width) || !rows[n-1].namesAllOf(width) {
		return false
	}
	return rows[next].namesAllOf(width) && rows[next+1].width == width && rows[next+1].typed() > 0
}

// unitRows returns 1 if the first row has nothing but one word, the unit, in several columns other than the first; 0 otherwise.
func unitRows(rows []row) int {
	if len(rows) == 0 || rows[0].filled < groupNames || rows[0].kinds[0] != kind.Empty || !onlyWords(rows[0]) {
		return 0
	}
	last := rows[0].lastFilled() - 1
	for i, k := range rows[0].kinds {
		if k != kind.Empty && rows[0].texts[i] != rows[0].texts[last] {
			return 0
		}
	}
	return 1
}

// goesOnWithAges reports whether nearly all cells of the record are names, though the first one is a number, as of ages: ,,0,1-4,5-9,10-14.
func (r row) goesOnWithAges(same, other int) bool {
	return r.kinds[0] == kind.Empty && share(other, same+other) >= nearlyAllNames
}

// isBelowHeader reports whether one of the records above is the first row, too, or has its first names, with others between, or stands
// among the rows once more, as the header of another table does, where the first row, which has one cell more at the most, does not. Lines
// of a page with names and their values come again as well.
func isBelowHeader(above, rows []row) bool {
	recurs := func(r row) bool {
		return slices.ContainsFunc(rows[1:], func(other row) bool { return sameTexts(r, other) })
	}
	isHeader := func(r row) bool {
		return r.filled > 1 && r.filled >= rows[0].filled-1 && !r.ruled && r.colons == 0 && !r.paired && recurs(r)
	}
	apart := false // a blank record stands between
	for i, r := range slices.Backward(above) {
		goesOn := !apart && i+1 < len(above) && r.filled >= severalColumns && onlyWords(r) && r.isOf(rows[0])
		if sameTexts(r, rows[0]) || goesOn {
			return true
		}
		apart = apart || r.blank
	}
	return slices.ContainsFunc(above, isHeader) && !recurs(rows[0])
}

// comesAgain reports whether the record has a number that is no year, or a day, and two of those below are the same: no header has.
func (r row) comesAgain(rows []row) bool {
	n := 0
	for _, b := range rows {
		if !b.blank && sameTexts(b, r) {
			n++
		}
	}
	return r.typed() > int(r.yearish) && n >= bodyRecords
}

// standsAboveNames reports whether the first of the rows has a name for each of several columns of values: then a record above it with
// a name belongs to the header, even if it has numbers.
//
//	x-axis,1,   2
//	second,Volt,Volt
//	0.001, 1.25,0.75
func (r row) standsAboveNames(rows []row, width int) bool {
	if r.kinds[0] != kind.Word || len(rows) <= evidence || rows[0].width != width || !rows[0].namesAllOf(width) {
		return false
	}
	body := columnKinds(rows[1:], width)
	return width >= narrow && body.n >= evidence && body.typed() == seen(width)
}

// hasCodeOf reports whether the record has a code in a column of codes, which may be of another shape.
func (c columns) hasCodeOf(r row) bool {
	for i, k := range c.kinds[:min(len(c.kinds), len(r.kinds))] {
		if isCode(k, r.kinds[i]) {
			return true
		}
	}
	return false
}

// isOfOtherType reports whether a record with a number begins with a word, and all others with another one, which is the same in all of
// them: it tells of what type a record is.
//
//	HDR,20240131,ACME BANK
//	PAY,1,20240201,12.50
//	PAY,2,20240201,99.00
func (c columns) isOfOtherType(r row) bool {
	next := c.rows[0]
	if r.numbers() <= int(r.yearish) || r.kinds[0] != kind.Word || c.n < evidence || next.width != c.width || next.kinds[0] != kind.Word {
		return false
	}
	same := 0
	for _, b := range c.rows {
		if b.width == c.width && b.texts[0] == next.texts[0] {
			same++
		}
	}
	return next.texts[0] != r.texts[0] && share(same, c.n) >= uniformRecords
}

// namesRowsOf reports whether the record has nothing but a name for the rows, below the names of the columns, head, as tables have it that
// were turned. Hardly any other record has a gap, none has only a name, and all columns but the first are numbers. Columns without a name
// may have marks. Where more tells it, told, fewer records are enough, and they may have gaps.
//
//	Party,Red,Blue,Green
//	Region,,,
//	North,29.1,26.6,17.6
func (r row) namesRowsOf(head row, rows []row, width int, told bool) bool {
	if r.filled != 1 || r.width != width || width <= narrow || !onlyWords(r) || r.filledBehind(1) {
		return false
	}
	n, full := 0, 0
	are := func() bool { return told && n >= evidence || n >= manyRecords && share(full, n) >= uniformRecords }
	for _, below := range rows {
		switch {
		case below.blank:
			if are() { // notes may follow
				return true
			}
			continue
		case below.width != width || below.filled <= narrow || below.kinds[0] != kind.Word && !(told && below.has(0)):
			return false
		}
		gaps := 0
		for i, k := range below.kinds {
			switch {
			case i == 0 || i >= len(head.kinds) || head.kinds[i] == kind.Empty:
			case k != kind.Number && k != kind.Empty:
				return false
			case !below.has(i):
				gaps++
			}
		}
		if n++; gaps == 0 {
			full++
		}
	}
	return are()
}

// bodyStart returns the index of a record, at or after the n-th, that cannot belong to the header, provided enough
// records of the table follow.
func bodyStart(rows []row, n, width int) int {
	left := 0
	for _, r := range rows[min(maxHeader, len(rows)):] {
		if r.width == width && r.filled > 1 {
			if left++; left == evidence {
				return max(n, maxHeader)
			}
		}
	}
	return n
}

// isOfCodes reports whether the record has codes alone, and all others, too, and the first ones are all of one length: these are no names.
//
//	0101010Q0BDACAA,0101010Q0BDACAG
//	0101021B0BEALA0,0101021B0BEALAG
func (c columns) isOfCodes(r row) bool {
	if c.n < evidence || r.key < codeLength || r.width != c.width {
		return false
	}
	isOther := func(b row) bool {
		return b.key != r.key || slices.ContainsFunc(b.kinds, func(k kind.Kind) bool { return !isCode(k, k) })
	}
	return !isOther(r) && !slices.ContainsFunc(c.rows, func(b row) bool { return !b.blank && b.width == c.width && isOther(b) })
}

// isOfSeries reports whether the record begins with a word and a number, as all others do with the same word: it is the first of them.
//
//	Table 1.1,Boats by harbour
//	Table 1.2,Boats by length
//	Table 2.1,Crews by age
func (c columns) isOfSeries(r row) bool {
	if r.series == 0 || c.n < evidence {
		return false
	}
	same := 0
	for _, b := range c.rows {
		switch {
		case b.blank || b.width != c.width:
		case b.series == r.series:
			same++
		case b.filled > 1:
			return false
		}
	}
	return same >= bodyRecords
}
