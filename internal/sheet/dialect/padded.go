package dialect

import "slices"

// beneathPadding finds the table where the lines above it are padded to its width, as spreadsheets write them: titles,
// names with their values, and blank lines have as many cells as the header below them, most of them empty. l is what
// was found by the widths alone; ok is false if it stays. For example,
//
//	Sales list,,,
//	Printed,2024-04-30,,
//	,,,
//	day,customer,qty,amount
//	2024-04-02,C1,1,120
//
// has its header in the fourth record.
func (l Layout) beneathPadding(rows []row) (preamble, header int, ok bool) {
	if l.Columns < narrow {
		return 0, 0, false
	}
	first := min(l.Preamble, len(rows))
	for first < len(rows) && rows[first].blank {
		first++
	}
	top := l.belowForm(rows, first)
	if top == first {
		top = l.belowPairs(rows, first)
	}
	for i := top; i < min(first+maxPadded, len(rows)) && rows[i].sample == 0 && !rows[i].broken; i++ {
		full := rows[i].filled == seen(l.Columns)
		n := l.headerAt(rows, first, i)
		if n == 0 || header > 0 && (!full || i < preamble+header) { // only a fuller one may follow
			if l.isAbove(rows, i) {
				continue
			}
			break
		}
		preamble = i
		for preamble > first && rows[preamble-1].groups(rows[preamble:i+1], l.Columns) && !rows[preamble-1].isReplaced(rows[i], rows[i+1:]) {
			preamble--
		}
		header = n + i - preamble
		ok = preamble > first || header > l.Header
		if full {
			break
		}
	}
	return preamble, header, ok
}

// headerAt returns how many header rows begin at record i, all of whose predecessors stand above the table; 0 if it is
// none. It has a name for nearly each column and values below them.
func (l Layout) headerAt(rows []row, first, i int) int {
	r, width := rows[i], l.Columns
	if r.blank || r.width != width || r.listsNames() || r.isDrawn() || !l.isNearlyFull(rows, first, i) || r.standsAbove(rows[i+1:], width) {
		return 0
	}
	body := columnKinds(withoutPages(rows[i+1:], rows[first:i], r), width)
	same, other := body.compare(r)
	grouped := i > first && rows[i-1].namesGroupsOf(r, rows[i+1:], width) || body.isCounted(r)
	switch {
	case body.n < bodyRecords || same > 0 && !grouped || body.isSparse() && columnKinds(untilBlank(rows[i+1:]), width).isSparse():
		return 0
	case other > 0 || grouped:
	case i == first || width <= narrow || !onlyTitles(rows[first:i]) || !body.isFull():
		return 0
	}
	return max(1, headerRows(rows[i:], width))
}

// standsAbove reports whether the record, which has a value, or two names with colons, stands above a blank one and a header, which has
// none and names each column.
//
//	Week,6,of,2025
//	,,,
//	no,name,weight,state
//	1,ant,8.99,ok
func (r row) standsAbove(rows []row, width int) bool {
	head := slices.IndexFunc(rows, func(r row) bool { return !r.blank })
	return head > 0 && (!onlyWords(r) || r.colons >= narrow) && headsAll(rows[head:], width)
}

// headsAll reports whether the first record names each column of those below, and is no value of any.
func headsAll(rows []row, width int) bool {
	if r := rows[0]; r.width != width || r.filled != seen(width) || !onlyWords(r) {
		return false
	}
	same, other := columnKinds(rows[1:], width).compare(rows[0])
	return same == 0 && other > 0
}

// isSparse reports whether the table has few rows, or half of their cells are empty.
func (c columns) isSparse() bool {
	n, filled := c.several()
	return n < bodyRecords || share(filled, n*seen(c.width)) <= sparseTable
}

// several counts the rows and their cells that are filled, without rows of a single cell: forms have numbered lines of which only the
// first ones are filled in.
func (c columns) several() (n, filled int) {
	n, filled = c.n, c.filled
	if c.width <= narrow {
		return n, filled
	}
	for _, r := range c.rows {
		if r.filled == 1 && r.width == c.width && !r.blank && !r.broken && !r.section && !r.isDrawn() {
			n, filled = n-1, filled-1
		}
	}
	return n, filled
}

// untilBlank returns the records above the first blank one: totals and notes that stand below it have gaps.
func untilBlank(rows []row) []row {
	if i := slices.IndexFunc(rows, func(r row) bool { return r.blank }); i >= 0 {
		return rows[:i]
	}
	return rows
}

// isNearlyFull reports whether record i, together with the names of groups above it, has a cell for each column but one.
func (l Layout) isNearlyFull(rows []row, first, i int) bool {
	named := make([]bool, min(l.Columns, maxColumns))
	for top := i; top >= first && (top == i || rows[top].groups(rows[top+1:i+1], l.Columns)); top-- {
		for c, k := range rows[top].kinds[:min(len(named), len(rows[top].kinds))] {
			named[c] = named[c] || k != empty
		}
	}
	missing := 0
	for _, has := range named {
		if !has {
			missing++
		}
	}
	return missing == 0 || missing == 1 && len(named) > narrow+1
}

// isAbove reports whether record i may stand above a table: a title, a name with its value, or the names of groups.
func (l Layout) isAbove(rows []row, i int) bool {
	r := rows[i]
	switch {
	case r.blank:
		return true
	case r.width < l.Columns:
		return l.grid || r.filled <= 1 && !r.broken
	case r.filled <= 1 || r.listsNames() || r.isDrawn() || r.standsAbove(rows[i+1:], l.Columns):
		return true
	case r.filled <= unitCells && l.Columns > narrow && r.isPrefix():
		return true
	case l.Columns > paddedGaps+narrow && r.filled <= seen(l.Columns)-paddedGaps:
		return true
	case r.filled < seen(l.Columns) && blankFollows(rows[i+1:min(len(rows), i+1+maxTitles)]):
		return true
	}
	return share(r.filled, seen(l.Columns)) <= paddedFilled || i+1 < len(rows) && r.groups(rows[i+1:i+2], l.Columns)
}

// belowPairs returns the index of the table's header below a blank record and lines that have as many cells as the table: one or two of
// them, which make no table, or, above a table of two columns, lines that are not all of the kinds that these have. It returns first if
// there are none.
//
//	Account,Savings
//	Opened,2019-04-02
//	,
//	month,interest
//	2024-01,12.10
func (l Layout) belowPairs(rows []row, first int) int {
	from := first
	for from < len(rows) && rows[from].width == listCells && listCells < l.Columns && rows[from].filled == listCells { // they have no unit
		from++
	}
	end := from
	withUnit := func(r row) bool { return l.Columns == listCells && r.width == listCells+1 && r.kinds[0] == word }
	for end < len(rows) && !rows[end].blank && !rows[end].broken && (rows[end].width == l.Columns || withUnit(rows[end])) {
		end++
	}
	head := end
	for head < len(rows) && rows[head].blank {
		head++
	}
	if end == head || len(rows)-head <= head-first || l.headerAt(rows, first, head) == 0 {
		return first
	}
	if l.Columns > narrow && end-from >= evidence && headsAll(rows[head:], l.Columns) &&
		(arePairs(rows[from:end]) || areSettings(rows[from:end])) {
		return head
	}
	if from > first || l.Columns > narrow && end-first >= evidence {
		return first
	}
	body := columnKinds(rows[head+1:], l.Columns)
	misfit := func(r row) bool {
		_, other := body.compare(r)
		return other > 0
	}
	if end-first > 1 && !slices.ContainsFunc(rows[first+1:end], misfit) {
		return first
	}
	return head
}

// arePairs reports whether the records have nothing but names with their values, each with as many: their names are words of which none
// comes twice, one of the values is no word, and no column has values of one kind, as those of a table have.
//
//	Customer,Acme,Invoice,2025-11
//	Street,Main St 5,Day,2025-02-03
//	City,Oslo,Terms,30 days
func arePairs(rows []row) bool {
	names, values := map[uint64]bool{}, 0
	for _, r := range rows {
		for i, k := range r.kinds {
			switch {
			case i%2 == 1 && k > word:
				values++
			case i%2 == 1:
			case k != word || names[r.texts[i]] || len(r.kinds)%2 == 1:
				return false
			default:
				names[r.texts[i]] = true
			}
		}
	}
	return values > 0 && columnKinds(rows, rows[0].width).typed() == 0
}

// areSettings reports whether the records are few, none of them names the columns of the others, and each begins with another word and ends
// with one: a name, its value and the unit.
//
//	Thickness,2.01,mm
//	Width,12.50,mm
//	Rate,5.00,mm/min
func areSettings(rows []row) bool {
	names := map[uint64]bool{}
	for _, r := range rows {
		if r.kinds[0] != word || names[r.texts[0]] || len(r.kinds) != columnsAbove || r.kinds[1] == word || r.kinds[columnsAbove-1] != word {
			return false
		}
		names[r.texts[0]] = true
	}
	return len(rows) <= maxPadded
}

// listsNames reports whether the record has names that end with a colon, and gaps or as many values: names with their values stand above
// tables.
//
//	Name:,Ann Lee,,Month:,May
func (r row) listsNames() bool {
	return r.colons > 0 && (r.filled < seen(r.width) || r.colons > 1 && 2*int(r.colons) >= r.filled)
}

// blankFollows reports whether one of the records is blank, and those before it have gaps.
func blankFollows(rows []row) bool {
	for _, r := range rows {
		if r.blank {
			return true
		}
		if r.filled == r.width {
			return false
		}
	}
	return false
}

// onlyTitles reports whether no record has more than a name and its value.
func onlyTitles(rows []row) bool {
	for _, r := range rows {
		if r.filled > unitCells {
			return false
		}
	}
	return true
}

// groups reports whether the record names groups of the columns that the records below it name, the nearest first: it
// has two names or more, with gaps for the columns that belong to the same group, or names for columns that have none
// below. Names for the first columns alone may as well be a name and its value, unless one is repeated, as merged cells are; and a
// sentence in the first column with one more cell may be a title and the unit. Days and numbers are names of groups if the names below
// come again under each.
func (r row) groups(below []row, width int) bool {
	title := (r.prose || r.paired) && r.filled == groupNames && r.kinds[0] != empty
	if r.blank || r.broken || r.colons > 0 || r.filled < groupNames || r.width > width || title || r.numbered || r.writeOn && !r.ruled {
		return false
	}
	gaps, alone, starts, numbers, merged := 0, 0, 0, 0, 0
	for i, k := range r.kinds {
		if k == number {
			numbers++
		}
		switch {
		case k == moment || numbers > int(r.yearish) || k == address:
			return k != address && r.repeatsNames(below)
		case k == empty:
			gaps++
			continue
		case i > 0 && r.texts[i] == r.texts[i-1]: // merged with the one before
			gaps++
			merged++
			continue
		}
		under := kindIn(below, i)
		if under == empty {
			alone++ // the only name of its column
			continue
		}
		if i+1 >= len(r.kinds) || r.kinds[i+1] == empty || r.texts[i+1] == r.texts[i] {
			starts++ // it spans columns
		}
	}
	if gaps == 0 || starts == 0 || merged > 0 && len(below) > 0 && r.leavesOut(below[0]) {
		return false
	}
	return starts+alone >= groupNames && (alone > 0 || merged >= groupNames || !r.isPrefix()) || len(below) > 0 && r.tellsApart(below[0])
}

// tellsApart reports whether the record has nothing but words, up to the last column and each above one, and tells names apart that come
// twice below.
//
//	,    ,    Temp,High,Low
//	Date,Time,Out, Temp,Temp
func (r row) tellsApart(names row) bool {
	n := len(r.kinds)
	if !onlyWords(r) || !onlyWords(names) || n != len(names.kinds) || n != names.filled || r.kinds[n-1] == empty {
		return false
	}
	twice := false
	for i, text := range names.texts {
		for j := range i {
			if names.texts[j] != text {
				continue
			}
			if r.kinds[i] == empty || r.kinds[j] == empty || r.texts[i] == r.texts[j] {
				return false
			}
			twice = true
		}
	}
	return twice
}

// repeatsNames reports whether the record's values stand above two names or more, which are the same under each.
//
//	,    2024-01-08,,    2024-01-09,
//	line,plan,      done,plan,      done
func (r row) repeatsNames(below []row) bool {
	first, last, each := -1, -1, 0
	for i, k := range r.kinds {
		if k <= word || i > 0 && r.texts[i] == r.texts[i-1] { // merged with the one before
			continue
		}
		switch {
		case first < 0:
			first = i
		case each == 0:
			each = i - first
		case i != last+each:
			return false
		}
		last = i
	}
	if each < narrow || len(below) == 0 || last+each != len(below[0].kinds) {
		return false
	}
	names := below[0]
	for i := first; i < len(names.kinds); i++ {
		if names.kinds[i] != word || i >= first+each && names.texts[i] != names.texts[i-each] {
			return false
		}
	}
	return true
}

// isPrefix reports whether the filled cells are the first ones, as those of a name with its value are.
func (r row) isPrefix() bool {
	return r.filled <= len(r.kinds) && !slices.Contains(r.kinds[:r.filled], empty)
}

// kindIn returns the kind of a column's first cell that is not empty.
func kindIn(rows []row, column int) kind {
	for _, r := range rows {
		if column < len(r.kinds) && r.kinds[column] != empty {
			return r.kinds[column]
		}
	}
	return empty
}
