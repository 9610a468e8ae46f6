package table

import (
	"slices"

	"sheetdrop/internal/sheet/kind"
)

// preamble counts the records before the header.
func preamble(rows []row, columns int) int {
	first := pastBlank(rows, 0)
	if first == len(rows) {
		return 0
	}
	if n := headerAlone(rows); n > 0 {
		return n
	}
	if columns == 1 {
		return slices.IndexFunc(rows, func(r row) bool { return !r.comment })
	}
	table := tableStart(rows, columns)
	if table <= first {
		return 0
	}
	body := columnKinds(rows[table+1:], columns)
	nearly := nearlyHeader(rows[table-1], columns) && !rows[table-1].split &&
		(table < 2 || rows[table-2].comment || rows[table-2].width != rows[table-1].width)
	if body.isHeader(rows[table]) && (body.typed() > 0 || !nearly) {
		return table
	}
	if nearly {
		table--
	}
	if table == first {
		return 0
	}
	return table
}

// tableStart returns the index of the first record that looks like those of the table and is followed by others of its
// width.
func tableStart(rows []row, columns int) int {
	first := true
	for i, r := range rows {
		if r.sample > 0 {
			break
		}
		may := r.fills(columns) || r.isAmongAlike(rows[i+1:], columns)
		follows := hasFollowers(rows[i+1:], columns) || r.namesShorter(rows[i+1:], columns)
		if may && (first || follows && !isByChance(rows[i:], columns)) && !isLoneTitle(rows[i:], columns) {
			return i
		}
		first = first && r.blank
	}
	return 0
}

// headerAlone returns the index of a last record that names all columns, three or more, below padded titles or one of several words, or a
// blank one and names with their values: nothing was found to be exported. It is 0 if there is none.
//
//	Open tickets,,
//	,,
//	Ticket,Opened,Owner
func headerAlone(rows []row) int {
	i := len(rows) - 1
	for i > 0 && rows[i].blank {
		i--
	}
	if i < 1 || rows[i].width <= narrow || !rows[i].namesAllOf(rows[i].width) {
		return 0
	}
	most := listCells
	if above := rows[i-1]; !above.blank {
		most = 1
		if above.width != rows[i].width && (i > 1 || !above.prose || rows[i].spaced) { // a text with commas below others
			return 0
		}
	}
	if slices.ContainsFunc(rows[:i], func(r row) bool { return r.filled > most }) {
		return 0
	}
	return i
}

// namesShorter reports whether the record names all columns, four or more, above a record with values that lacks the last cell alone, or
// above several such records that lack more, and one that lacks none or the end.
func (r row) namesShorter(rows []row, columns int) bool {
	isNoShort := func(r row) bool { return r.width >= columns || r.typed() == 0 || !r.mayEndShort() }
	if columns <= severalColumns || !r.namesAllOf(columns) || r.colons > 0 || len(rows) == 0 || isNoShort(rows[0]) {
		return false
	}
	full := slices.IndexFunc(rows, isNoShort)
	if full < 0 {
		full = len(rows)
	}
	switch {
	case rows[0].width == columns-1:
		return true
	case full == len(rows) || rows[full].blank:
		return full >= evidence
	}
	return full >= narrow && rows[full].width == columns && rows[full].typed() > 0
}

// isAmongAlike reports whether the record has nothing but a value in its first cell, as another one among the records has, and the next one
// has no names: it is no title.
//
//	1000,     ,
//	1010,bolts,3
//	1020,     ,
//	1030,rods, 5
func (r row) isAmongAlike(rows []row, columns int) bool {
	alone := func(r row) bool { return r.filled == 1 && r.width == columns && r.kinds[0] > kind.Word }
	if columns <= narrow || !alone(r) || len(rows) == 0 || rows[0].blank || onlyWords(rows[0]) {
		return false
	}
	return slices.ContainsFunc(rows, func(other row) bool { return alone(other) && other.kinds[0] == r.kinds[0] })
}

// isByChance reports whether the first two of the records are as wide as the table by chance. Others of another width follow, and most of
// the records stand below these, with cells of other kinds.
func isByChance(rows []row, columns int) bool {
	n := 0
	for n < len(rows) && n < evidence && !rows[n].blank && rows[n].width == columns {
		n++
	}
	others := n
	for others < len(rows) && (rows[others].blank || rows[others].width != columns) {
		others++
	}
	if n != narrow || others-n < narrow || others == len(rows) {
		return false
	}
	body := columnKinds(rows[others+1:], columns)
	if body.n < manyRecords || body.typed() < narrow {
		return false
	}
	same, other := body.compare(rows[n-1])
	return same < other
}

// isLoneTitle reports whether the first of the records is as wide as the table by chance: narrower lines and a blank one follow, and then
// names of all columns above their values. If it has a value, as no header has, a spreadsheet may have padded these lines.
//
//	Spring term, 2024, North Campus, all rooms
//	Printed: 02/03/2024 08:15, by admin
//
//	Room,Period,Teacher,Fee
func isLoneTitle(rows []row, columns int) bool {
	if columns <= narrow {
		return isTitleOfTwo(rows)
	}
	head, blank, valued := 1, false, !onlyWords(rows[0])
	narrower := func(r row) bool { return r.width < columns || valued && r.lastFilled() < columns }
	for head < len(rows) && head <= maxForm && (rows[head].blank || narrower(rows[head]) && !rows[head].broken) {
		blank = rows[head].blank
		head++
	}
	return blank && head > narrow && head < len(rows) && headsAll(rows[head:], columns)
}

// isTitleOfTwo reports whether the first of the records is a title that a comma has split in two: a blank follows the comma, and below it
// stand names of two columns above their values, and other titles before them if it has few words.
//
//	Rainfall, monthly
//	Station North quay
//	Month,mm
//	Jan,81.2
func isTitleOfTwo(rows []row) bool {
	head := 1
	for head < len(rows) && head <= maxTitles && rows[head].width == 1 && !rows[head].blank {
		head++
	}
	title := rows[0].spaced && onlyWords(rows[0]) && (head > 1 || rows[0].split)
	return title && head < len(rows) && !rows[head].spaced && headsAll(rows[head:], narrow)
}

// hasFollowers reports whether the next record, or two of the next four, are as wide as the table.
func hasFollowers(rows []row, columns int) bool {
	n, same := 0, 0
	for _, r := range rows {
		if r.blank {
			continue
		}
		n++
		if r.width == columns {
			same++
		}
		if n == 1 && same == 1 || same == followersAlike {
			return true
		}
		if n == followersSeen {
			break
		}
	}
	return false
}

// fills reports whether the record may belong to the table: as wide, and with more content than a title in its first
// cell and the unit.
func (r row) fills(columns int) bool {
	return !r.blank && !r.comment && !r.isDrawn() && (!r.unit || r.filled > unitCells || columns <= narrow) && r.width == columns &&
		(columns <= narrow || r.filled > 1 || r.filled == 1 && r.kinds[0] == kind.Empty)
}

// nearlyHeader reports whether the record may be a header with a cell too few or too many, such as an empty one behind a last delimiter.
func nearlyHeader(r row, columns int) bool {
	off := max(r.width-columns, columns-r.width)
	near := r.width > 1 && off > 0 && off <= max(1, columns/headerSlack)
	return !r.blank && !r.comment && near && (share(r.filled, seen(r.width)) >= headerFilled || r.namesAllBut(columns))
}

// namesAllBut reports whether the record has words in so many columns, and one empty cell behind them.
func (r row) namesAllBut(columns int) bool {
	return r.width == columns+1 && r.filled == columns && onlyWords(r) && r.isPrefix()
}
