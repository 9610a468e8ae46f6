package table

import (
	"bytes"
	"slices"
	"unicode"

	"sheetdrop/internal/sheet/kind"
)

// numberedTitles finds titles of parts that stand behind a number: two rows or more have nothing but a value in the first column and a text
// in another, each right above a fuller row. One of these tells them from rows:
//   - all are bold or coloured, as strong has it, and most rows with more cells are not; then a day may stand behind the title where others
//     have a value;
//   - all have a text in the second column, lack two columns that nearly all others have, and the number of the next row is a part of
//     theirs.
//
// fuller are the columns without these titles.
//
//	1,   Walls
//	1.1, Plaster, m2, 120
//	1.2, Paint,   m2, 118
//	2,   Floors
//	2.1, Oak,     m2, 64
func (c columns) numberedTitles(rows []row, strong []bool) (parts titledParts, fuller fullerColumns) {
	if c.width <= narrow {
		return noTitles, fuller
	}
	fuller.kinds = columnKinds(slices.DeleteFunc(slices.Clone(rows), func(r row) bool { return r.filled <= listCells }), c.width).kinds
	parents, strays, looks := 0, 0, titleLooks{strong: strong}
	standsApart := func(r *row) bool { return r.width != c.width || r.filled <= 1 || r.isSum() }
	isTitle := func(i int) bool {
		return (rows[i].isNumberedTitle() || rows[i].isDatedTitle(fuller.kinds)) && i+1 < len(rows) && rows[i+1].filled > 1
	}
	for i := range rows {
		switch r := &rows[i]; {
		case standsApart(r):
		case !isTitle(i):
			looks.addRow(i)
		case rows[i+1].isPartOf(*r) && (r.kinds[0] > kind.Word || r.outline != 0) && r.kinds[1] == kind.Word:
			looks.addTitle(i)
			parents++
		default:
			looks.addTitle(i)
			strays++
		}
	}
	if looks.bold == looks.titles && looks.areStrong(looks.bold) && !haveOwnDays(rows) {
		return strongTitles, fuller
	}
	if parents < sectionTitles || strays > 0 {
		return noTitles, fuller
	}
	var others []row
	for i := range rows {
		if !standsApart(&rows[i]) && !isTitle(i) {
			others = append(others, rows[i])
		}
	}
	fuller.usual = columnKinds(others, c.width).filledColumns()
	for _, r := range rows {
		if r.isNumberedTitle() && missing(fuller.usual, r) < sumLacks {
			return noTitles, fuller
		}
	}
	return allTitles, fuller
}

// haveOwnDays reports whether all records begin with days, of which none comes twice: a calendar has a row for each, holidays, too.
func haveOwnDays(rows []row) bool {
	days, length := textSet{}, int32(0)
	for _, r := range rows {
		if r.blank {
			continue
		}
		if len(r.kinds) == 0 || r.kinds[0] != kind.Moment || len(days) > 0 && r.key != length || days.again(r.texts[0]) {
			return false
		}
		length = r.key
	}
	return len(days) > evidence
}

// fullerColumns tells of the columns without the titles of parts behind numbers.
type fullerColumns struct {
	kinds []kind.Kind // of rows with more cells than a title
	usual []bool      // in which nearly all rows have a value
}

// isNumberedTitle reports whether the record has nothing but a value in its first cell and a text in another.
func (r row) isNumberedTitle() bool {
	if r.broken || r.filled != listCells || len(r.kinds) < listCells || r.isSum() {
		return false
	}
	return r.kinds[0] != kind.Empty && slices.Contains(r.kinds[1:], kind.Word)
}

// isDatedTitle reports whether the record has nothing but a text where the others have a value first, and a day behind it.
//
//	Time, Home,      Away
//	Day 1,2025-09-06,
//	13:00,Reds,      Blues
func (r row) isDatedTitle(kinds []kind.Kind) bool {
	return !r.broken && r.filled == listCells && len(r.kinds) >= listCells && r.kinds[0] == kind.Word &&
		kinds[0] > kind.Word && r.kinds[1] == kind.Moment &&
		kinds[1] == kind.Word && !r.isSum()
}

// isPartOf reports whether the number of the record is that of the other one with another number behind a point, as 1.2 is a part of 1, or
// its text is indented further.
func (r row) isPartOf(whole row) bool {
	return r.outer != 0 && r.outer == whole.outline || r.indent > whole.indent
}

// isNumberedTitle reports whether the record, if it is bold or coloured where that tells, is the title of a part behind its number.
func (p partTitles) isNumberedTitle(r row) bool {
	if p.numbered == strongTitles {
		return r.isNumberedTitle() || r.isDatedTitle(p.fuller.kinds)
	}
	return r.isNumberedTitle() && r.kinds[1] == kind.Word && missing(p.fuller.usual, r) >= sumLacks
}

// outlineOf returns the hashes of a number of parts, such as 1.2 or A.1.12, and of that of which it is a part; 0 for others.
func outlineOf(cell []byte) (number, outer uint32) {
	if i := bytes.IndexByte(cell, ' '); i > 0 { // 1.2 Plaster
		cell = cell[:i]
	}
	cell = bytes.TrimSuffix(cell, []byte("."))
	if len(cell) == 0 || len(cell) > longestOutline {
		return 0, 0
	}
	last := -1
	for i, c := range cell {
		switch {
		case c == '.' && i > 0 && i-1 != last:
			last = i
		case c == '.' || (c < '0' || c > '9') && (i > 0 || c < 'A' || c > 'Z'):
			return 0, 0
		}
	}
	if number = uint32(hash(cell)); last > 0 {
		outer = uint32(hash(cell[:last]))
	}
	return number, outer
}

// seriesOf returns the hash of the word before a number of parts that ends the cell, as in Table 1.2; 0 if there is no such number.
func seriesOf(cell []byte) uint32 {
	word, number, found := bytes.Cut(cell, []byte(" "))
	if !found || len(number) > longestOutline || bytes.ContainsFunc(word, func(r rune) bool { return !unicode.IsLetter(r) }) {
		return 0
	}
	if n := kind.LeadingDigits(number); n == 0 || len(bytes.Trim(number[n:], ".0123456789")) > 0 {
		return 0
	}
	return uint32(hash(word))
}
