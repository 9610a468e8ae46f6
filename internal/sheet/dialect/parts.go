package dialect

import (
	"maps"
	"slices"
)

// titledParts tells which texts that stand alone in the first column are titles of parts of the table, and no rows.
type titledParts uint8

const (
	noTitles     titledParts = iota
	strongTitles             // those that are bold or coloured
	allTitles
)

// titledParts finds titles of parts: two texts or more stand alone in the first column, each right above a fuller row, and what tells them
// from rows is one of these: the first column has values otherwise; or they are bold or coloured, as strong has it, and most rows with more
// cells are not; or all that stand alone are such, none comes twice, the first row below the header is one, and all other rows have a value
// in each of two columns. names are the hashes of their texts, and areStrong says whether they are bold or coloured as most rows are not.
//
//	number, day, price            code, item, price
//	Customer: Meyer               Paints
//	R-1001, 2024-01-31, 20.50     P1,   red,  4.50
//	R-1004, 2024-02-15, 18.50     P2,   blue, 4.80
//	Customer: Smith               Tape
//	R-1002, 2024-02-01, 11.00     T1,   wide, 2.10
func (c columns) titledParts(rows []row, strong []bool) (parts titledParts, names map[uint64]bool, areStrong bool) {
	for len(rows) > 0 && rows[len(rows)-1].filled <= 1 { // notes
		rows = rows[:len(rows)-1]
	}
	first := slices.IndexFunc(rows, func(r row) bool { return !r.blank })
	if c.width <= narrow || first < 0 {
		return noTitles, nil, false
	}
	values, looks := 0, titleLooks{strong: strong}
	names = map[uint64]bool{}
	ofParts := map[uint64]bool{} // without what a title ends with
	for i := range rows {
		switch r := &rows[i]; {
		case r.isTitle() && (r.width == c.width || i == first || r.width == 1 && rows[i-1].blank) &&
			(rows[i+1].filled > 1 || i == first && nests(rows[i+1:])):
			names[r.texts[0]] = true
			if r.part != 0 {
				ofParts[r.part] = true
			}
			looks.addTitle(i)
		case r.isValueAlone() && i+1 < len(rows) && rows[i+1].filled > 1 && looks.isStrong(i) && !c.beginAs(*r):
			values++
		case r.filled > 1 && !r.isSum():
			looks.addRow(i)
		}
	}
	distinct := len(names) == looks.titles
	maps.Copy(names, ofParts)
	areStrong = looks.areStrong(looks.bold)
	switch {
	case looks.titles == 0 && looks.areStrong(values):
		return strongTitles, names, true
	case looks.titles == 1 && c.isFullBut(rows):
		return allTitles, names, areStrong
	case looks.titles < sectionTitles:
		return noTitles, nil, false
	case columnKinds(c.fuller(rows), c.width).isFullOfValues(),
		rows[first].isTitle() && distinct && (c.allOthersAreFuller(rows, looks.titles) || c.beginFull(rows)):
		return allTitles, names, areStrong
	case areStrong:
		return strongTitles, names, true
	}
	return noTitles, nil, false
}

// longestLetter is how many bytes a letter has.
const longestLetter = 3

// nests reports whether the first of the rows, below a title, is another one right above a fuller row, as of a county and of its parts.
func nests(rows []row) bool { return len(rows) > 1 && rows[0].isTitle() && rows[1].filled > 1 }

// endInTotals reports whether two parts or more that begin with these titles end with a row that is named Total.
func endInTotals(rows []row, titles map[uint64]bool) bool {
	n, total := 0, false
	for _, r := range rows {
		switch {
		case r.blank:
			continue
		case total && r.isTitle() && titles[r.texts[0]]:
			n++
		}
		total = r.total && r.totalFirst && r.filled > 1
	}
	return n >= sectionTitles
}

// titleLooks counts the titles of parts, and tells whether they are bold or coloured, as strong has it of a worksheet's first rows, and
// most rows are not.
type titleLooks struct {
	strong []bool
	titles int
	bold   int // titles that are strong
	plain  int // rows that are not, less those that are
}

func (l *titleLooks) isStrong(i int) bool { return i < len(l.strong) && l.strong[i] }

func (l *titleLooks) addTitle(i int) {
	if l.titles++; l.isStrong(i) {
		l.bold++
	}
}

func (l *titleLooks) addRow(i int) {
	switch {
	case l.isStrong(i):
		l.plain--
	case i < len(l.strong):
		l.plain++
	}
}

// areStrong reports whether so many strong titles are enough.
func (l *titleLooks) areStrong(titles int) bool { return titles >= sectionTitles && l.plain > 0 }

// fuller returns the rows of the table's width that neither stand alone nor sum up.
func (c columns) fuller(rows []row) (list []row) {
	for i := range rows {
		if r := &rows[i]; r.width == c.width && r.filled > 1 && !r.isSum() && !r.isResult(c.kinds) {
			list = append(list, *r)
		}
	}
	return list
}

// beginAs reports whether a row with more cells begins with a value of the same length as the record, which has nothing but a day: it is
// then one of them, such as a Sunday.
func (c columns) beginAs(r row) bool {
	return r.kinds[0] == moment && slices.ContainsFunc(c.rows, func(other row) bool {
		return other.filled > 1 && other.kinds[0] == moment && other.key == r.key
	})
}

// isValueAlone reports whether the record has nothing but a year or a day in its first cell.
func (r row) isValueAlone() bool {
	return !r.broken && r.filled == 1 && (r.calendar == 1 && r.kinds[0] == number || r.kinds[0] == moment)
}

// endInSums reports whether each of two parts or more, that begin with titles, ends with a bold or coloured row of numbers with a name, as
// strong has it, and no other row of the part is: these are computed of the part, whatever they are called.
//
//	SCOOTERS
//	Sales,             310
//	Material,         -170
//	SCOOTERS' MARGIN,  140
func (c columns) endInSums(rows []row, strong []bool) bool {
	parts, plain, computed := 0, 0, false
	ends := func() bool { return plain > 0 && computed }
	for i, r := range rows[:min(len(rows), len(strong))] {
		switch {
		case r.blank || r.width != c.width:
		case r.isTitle() && strong[i]:
			if parts > 0 && !ends() {
				return false
			}
			parts, plain, computed = parts+1, 0, false
		case parts == 0:
			return false
		case !strong[i]:
			if plain++; computed {
				return false
			}
		case c.namesNumbers(r):
			computed = true
		default:
			return false
		}
	}
	return parts >= sectionTitles && ends()
}

// isFullOfValues reports whether the first column has values, and few cells are empty.
func (c columns) isFullOfValues() bool {
	return c.n > evidence && c.kinds[0] > word && share(c.filled, c.n*seen(c.width)) >= fullTable
}

// beginFull reports whether all rows that neither stand alone nor sum up, three or more, begin with a value and have no gap.
func (c columns) beginFull(rows []row) bool {
	fuller := c.fuller(rows)
	isOther := func(r row) bool { return r.filled < seen(c.width) || r.kinds[0] <= word }
	return len(fuller) >= evidence && !slices.ContainsFunc(fuller, isOther)
}

// isFullBut reports whether the first column has values, and no row has a gap but those that stand alone or sum up: a single text alone is
// no row then.
func (c columns) isFullBut(rows []row) bool {
	for len(rows) > 0 && rows[len(rows)-1].filled < seen(c.width) { // what is computed of them
		rows = rows[:len(rows)-1]
	}
	fuller := c.fuller(rows)
	gap := slices.ContainsFunc(fuller, func(r row) bool { return r.filled < seen(c.width) })
	return !gap && columnKinds(fuller, c.width).isFullOfValues()
}

// allOthersAreFuller reports whether all texts that stand alone in the first column are the titles, so many, and all other rows, two for
// each at least, have a value in each of two columns behind it.
func (c columns) allOthersAreFuller(rows []row, titles int) bool {
	others, least, filled := 0, titles*bodyRecords, make([]int, len(c.kinds))
	if c.areLetters() {
		least = titles
	}
	for _, r := range rows {
		switch {
		case r.isTitle() && !r.note:
			titles--
		case r.blank || r.isSum() || r.note || r.isResult(c.kinds) && r.filled < seen(c.width):
		case r.filled > 1:
			others++
			for i, k := range r.kinds[:min(len(r.kinds), len(filled))] {
				if k != empty {
					filled[i]++
				}
			}
		}
	}
	always := 0
	for _, n := range filled[1:] {
		if n == others {
			always++
		}
	}
	return titles == 0 && others >= least && always >= narrow
}

// areLetters reports whether all texts that stand alone in the first column are single letters, as those of a register are.
func (c columns) areLetters() bool {
	return !slices.ContainsFunc(c.rows, func(r row) bool { return r.isTitle() && !r.note && (!r.marks || r.key > longestLetter) })
}

// results returns the hashes of the names of what is computed of several parts: two parts or more end with sums that name their titles, and
// a record with a name such as Net income and numbers stands right below one of these, or below another such record, and nowhere else.
//
//	Income,      ,
//	Design,      1200.00
//	Total Income,1200.00
//	Gross Profit,1200.00
//	Expenses,    ,
//	Fuel,        96.40
//	Total Expenses,96.40
//	Net Income,  1103.60
func (c columns) results(rows []row, titles map[uint64]bool) map[uint64]bool {
	names, others, sums, below := map[uint64]bool{}, map[uint64]bool{}, 0, false
	for _, r := range rows {
		switch {
		case r.blank || r.width != c.width:
		case r.partTotal && titles[r.part]:
			sums, below = sums+1, true
		case !r.isResult(c.kinds):
			below = false
		case below:
			names[r.texts[0]] = true
		default:
			others[r.texts[0]] = true
		}
	}
	if sums < sectionTitles {
		return nil
	}
	maps.DeleteFunc(names, func(name uint64, _ bool) bool { return others[name] })
	return names
}

// isResult reports whether the record is named as what is computed of several parts, and has nothing else but numbers.
func (r row) isResult(kinds []kind) bool {
	return r.result && len(r.kinds) == len(kinds) && columns{kinds: kinds}.namesNumbers(r)
}

// HasParts reports whether parts of the table have titles.
func (a *Among) HasParts() bool {
	return a.parts != noTitles || a.numberedParts != noTitles || a.asideParts != noTitles
}

// HasStrongSums reports whether each of these parts ends with a row of numbers that looks like its title.
func (a *Among) HasStrongSums() bool { return a.strongSums }

// HasStrongTitles reports whether these are bold or coloured as most rows are not.
func (a *Among) HasStrongTitles() bool { return a.strong || a.numberedParts == strongTitles }

// TitleOf returns the title of a part of the table, if it is a row with these cells, which is strong if it is bold or coloured.
func (a *Among) TitleOf(cells [][]byte, strong bool) (title []byte, ok bool) {
	filled := 0
	for _, cell := range cells {
		if len(cell) > 0 {
			filled++
		}
	}
	if filled != 1 && filled != listCells || !a.parts.may(strong) && !a.asideParts.may(strong) && !a.numberedParts.may(strong) {
		return nil, false
	}
	r := gridRow(cells)
	if filled == listCells {
		r.fit(a.width)
	}
	if !a.isTitle(r, strong) {
		return nil, false
	}
	first := func(cell []byte) bool { return len(cell) > 0 }
	if filled == listCells { // the first one is its number, or when it is
		return cells[1+slices.IndexFunc(cells[1:], first)], true
	}
	return cells[slices.IndexFunc(cells, first)], true
}

// without returns the rows without the titles of parts, which tell nothing of the columns.
func (a *Among) without(rows []row, strong []bool) []row {
	if a == nil {
		return rows
	}
	list := make([]row, 0, len(rows))
	for i, r := range rows {
		if r.blank || !a.isTitle(r, i < len(strong) && strong[i]) {
			list = append(list, r)
		}
	}
	return list
}

// isTitle is TitleOf for a row of which more is known.
func (a *Among) isTitle(r row, strong bool) bool {
	switch {
	case r.filled == 1 && a.parts.may(strong) && r.kinds[0] != empty:
		return r.isTitle() || a.parts == strongTitles && r.isValueAlone()
	case r.filled == 1 && a.asideParts.may(strong):
		return r.alone() == a.asideColumn
	}
	return r.filled == listCells && a.numberedParts.may(strong) && r.kinds[0] != empty && a.isNumberedTitle(r)
}

// may reports whether a row that is strong, or not, may be such a title.
func (t titledParts) may(strong bool) bool { return t == allTitles || t == strongTitles && strong }
