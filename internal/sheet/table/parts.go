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
//   - they are bold or coloured, as strong has it, and most rows with more cells are not;
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
func (c columns) titlesFirst(rows []row, strong []bool) (parts titledParts, names map[uint64]bool, areStrong bool) {
	for len(rows) > 0 && rows[len(rows)-1].filled <= 1 { // notes
		rows = rows[:len(rows)-1]
	}
	first := slices.IndexFunc(rows, func(r row) bool { return !r.blank })
	if c.width <= narrow || first < 0 {
		return noTitles, nil, false
	}
	looks := c.looksOfTitles(rows, first, strong)
	names = looks.names
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
