package table

import (
	"maps"
	"slices"

	"sheetdrop/internal/sheet/kind"
)

// titledParts tells which of the texts that stand in one place are titles of parts of the table, and no rows.
type titledParts uint8

const (
	noTitles     titledParts = iota
	strongTitles             // those that are bold or coloured
	allTitles
	valueTitles // all years and days, where no row has a first cell
)

// titlesFirst finds titles of parts: two texts or more stand alone in the first column, each right above a fuller row. One of these tells
// them from rows:
//   - the first column has values otherwise;
//   - they are bold or coloured, as strong has it, and most rows with more cells are not; of two columns, all that are so are titles, and
//     each stands below a blank row, or no other row has a gap;
//   - all texts that stand alone are such, none comes twice, the first row below the header is one, and all other rows have a value in each
//     of two columns, or lack the first one;
//   - they stand at the beginnings of parts that blank rows separate, and nowhere else.
//
// names are the hashes of their texts. areStrong says whether they are bold or coloured as most rows are not.
//
//	number, day, price            code, item, price
//	Customer: Meyer               Paints
//	R-1001, 2024-01-31, 20.50     P1,   red,  4.50
//	R-1004, 2024-02-15, 18.50     P2,   blue, 4.80
//	Customer: Smith               Tape
//	R-1002, 2024-02-01, 11.00     T1,   wide, 2.10
func (c columns) titlesFirst(rows []row, strong []bool) (parts titledParts, names textSet, areStrong bool) {
	for len(rows) > 0 && rows[len(rows)-1].filled <= 1 { // notes
		rows = rows[:len(rows)-1]
	}
	first := pastBlank(rows, 0)
	if c.width < narrow || first == len(rows) {
		return noTitles, nil, false
	}
	looks := c.looksOfTitles(rows, first, strong)
	names = looks.names
	if c.width == narrow {
		if looks.areStrong(looks.bold) && headParts(rows[first:], strong[min(first, len(strong)):]) {
			return strongTitles, names, true
		}
		return noTitles, nil, false
	}
	distinct := len(names) == looks.titles
	maps.Copy(names, looks.ofParts)
	areStrong = looks.areStrong(looks.bold)
	switch {
	case looks.titles == 0 && looks.areStrong(looks.values):
		return strongTitles, names, true
	case looks.titles == 0 && looks.apart >= sectionTitles && looks.begun == 0:
		return valueTitles, names, false
	case looks.titles == 1 && c.isFullBut(rows):
		return allTitles, names, areStrong
	case looks.titles < sectionTitles:
		return noTitles, nil, false
	case columnKinds(c.fuller(rows), c.width).isFullOfValues(), looks.parents == looks.titles,
		looks.summed >= sectionTitles && 2*looks.summed >= looks.titles,
		rows[first].isTitle() && (looks.begun == 0 || c.allOthersAreFuller(rows, looks.titles, distinct) || distinct && c.beginFull(rows)),
		standApart(rows[first:]):
		return allTitles, names, areStrong
	case areStrong:
		return strongTitles, names, true
	}
	return noTitles, nil, false
}

// headParts reports whether all rows of two columns that are strong are texts alone, each first or below a blank row, or all others have
// two values.
func headParts(rows []row, strong []bool) bool {
	apart, full := true, true
	for i, r := range rows[:min(len(rows), len(strong))] {
		switch {
		case r.blank:
		case !strong[i]:
			full = full && r.filled > 1
		case !r.isTitle():
			return false
		default:
			apart = apart && (i == 0 || rows[i-1].blank)
		}
	}
	return apart || full
}

// standApart reports whether blank rows separate the parts, and a title stands at the beginning of each of them and nowhere else.
func standApart(rows []row) bool {
	begins := true
	for _, r := range rows {
		if !r.blank && r.isTitle() != begins {
			return false
		}
		begins = r.blank
	}
	return len(rows) > 0
}

// nests reports whether the first of the rows, below a title, is another one right above a fuller row, as of a county and of its parts.
func nests(rows []row) bool { return len(rows) > 1 && rows[0].isTitle() && rows[1].filled > 1 }

// beginAs reports whether a row with more cells begins with a value of the same length as the record, which has nothing but a day: it is
// then one of them, such as a Sunday.
func (c columns) beginAs(r row) bool {
	return r.kinds[0] == kind.Moment && slices.ContainsFunc(c.rows, func(other row) bool {
		return other.filled > 1 && other.kinds[0] == kind.Moment && other.key == r.key
	})
}

// isValueAlone reports whether the record has nothing but a year or a day in its first cell.
func (r row) isValueAlone() bool {
	return !r.broken && r.filled == 1 && (r.calendar == 1 && r.kinds[0] == kind.Number || r.kinds[0] == kind.Moment)
}

// titleLooks counts the titles of parts, and tells whether they are bold or coloured, as strong has it of a worksheet's first rows, and
// most rows are not.
type titleLooks struct {
	strong []bool
	titles int
	bold   int // titles that are strong
	plain  int // rows that are not, less those that are
	values int // strong years and days that stand alone as titles do
	apart  int // years and days alone above rows without a first cell
	begun  int // rows with more cells that have a first one

	parents int // titles of which the next row is a part by its number or its indent: 1 Walls, above 1.1 Plaster

	summed int // sums of parts that name a title above

	names   textSet // the hashes of the titles, where they are looked at
	ofParts textSet // and of the parts, in small letters and without what they end with
}

// looksOfTitles looks for titles of parts among the rows, of which this is the first one that is not blank.
func (c columns) looksOfTitles(rows []row, first int, strong []bool) titleLooks {
	looks := titleLooks{strong: strong, names: textSet{}, ofParts: textSet{}}
	alone := rows[first].width == 1 && rows[first].isTitle() // so may others be
	nested := rows[first].isTitle() && nests(rows[first+1:])
	for i := range rows {
		switch r := &rows[i]; {
		case r.isTitle() && (r.width == c.width || i == first || r.width == 1 && (alone || rows[i-1].blank)) &&
			(rows[i+1].filled > 1 || nested && nests(rows[i+1:])):
			looks.names[r.texts[0]] = true
			looks.ofParts[r.part] = true
			looks.addTitle(i)
			if rows[i+1].isPartOf(*r) {
				looks.parents++
			}
		case r.isValueAlone() && i+1 < len(rows) && rows[i+1].filled > 1 && looks.isStrong(i) && !c.beginAs(*r):
			looks.values++
		case r.isValueAlone() && i+1 < len(rows) && rows[i+1].filled > 1 && rows[i+1].kinds[0] == kind.Empty:
			looks.apart++
		case r.partTotal && looks.ofParts[r.part]:
			looks.summed++
		case r.filled > 1 && !r.isSum():
			looks.addRow(i)
			if r.kinds[0] != kind.Empty {
				looks.begun++
			}
		}
	}
	return looks
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

// titlesAside finds titles of parts that stand alone behind empty first cells, all in one column: two rows or more, each right above a
// fuller one. Either all other rows have a first cell, and the column has values; or all titles are bold or coloured, as strong has it, and
// most rows with more cells are not.
//
//	Day,       All,   Single
//	,          Men
//	2021-12-31,41076, 19250
//	2022-12-31,41602, 19700
//	,          Women
//	2021-12-31,42161, 16470
func (c columns) titlesAside(rows []row, strong []bool) (parts titledParts, column int) {
	looks, keyed := titleLooks{strong: strong}, true
	for i, r := range rows {
		switch at := r.alone(); {
		case r.blank || r.width != c.width:
		case at > 0 && i+1 < len(rows) && rows[i+1].filled > 1:
			if looks.titles > 0 && at != column {
				return noTitles, 0
			}
			column = at
			looks.addTitle(i)
		case r.isSum() || r.filled == 1:
		default:
			keyed = keyed && r.kinds[0] != kind.Empty
			looks.addRow(i)
		}
	}
	switch {
	case c.width <= narrow || looks.titles < sectionTitles:
		return noTitles, 0
	case keyed && c.kinds[column] > kind.Word:
		return allTitles, column
	case looks.bold == looks.titles && looks.areStrong(looks.bold):
		return strongTitles, column
	}
	return noTitles, 0
}

// alone returns the place, behind the first cell, of the record's only value, if that is a text; otherwise 0.
func (r row) alone() int {
	if r.broken || r.filled != 1 {
		return 0
	}
	return max(0, slices.Index(r.kinds, kind.Word))
}
