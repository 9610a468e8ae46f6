package table

import (
	"slices"

	"sheetdrop/internal/sheet/kind"
)

// namesGroupsOf reports whether the record names groups of columns that the next one names: all of its names are words, and this
// record has names for so few columns that it is no header alone; or the next one has years, and below it are none. rows are those below.
//
//	Contact,,Address,,          town,people,,homes,
//	first,last,street,town,zip  ,2014,2020,2014,2020
func (r row) namesGroupsOf(next row, rows []row, width int) bool {
	if next.blank || next.broken || next.width != width || r.width != width || !r.groups([]row{next}, width) {
		return false
	}
	rows = rows[unitRows(rows):]
	if next.calendar >= fewYears && next.numbers() == int(next.calendar) && len(rows) > 0 && rows[0].numbers() > int(rows[0].yearish) {
		return true
	}
	if r.groupsAllAlike(next) && columnKinds(rows, width).n >= bodyRecords && isFilled(rows) {
		return true
	}
	groups, below, all := r.countNamed(next)
	if !all || !onlyWords(next) {
		return false
	}
	body := columnKinds(rows, width)
	body.rows = rows
	begin := body.filledColumns()[0] || areFew(rows, width)
	if next.kinds[0] == kind.Empty && begin { // and so it is none of the rows
		return share(groups, below) <= groupsNamed || next.answersOf(r, body)
	}
	if next.answersOf(r, body) {
		return true
	}
	if share(groups, below) > groupsNamed && !r.completes(next) {
		return false
	}
	for i, text := range next.texts {
		if again, _ := body.holds(i, text, next); again && next.kinds[i] != kind.Empty {
			return false
		}
	}
	return body.n >= bodyRecords
}

// areFew reports whether the rows are three or fewer below units of their values, if these stand there, and all begin with a cell and have
// values.
//
//	Day,     Well A,    ,Well B,
//	,        Low,   High,Low,   High
//	,        m,     m,   m,     m
//	31.05.25,1.5,   2.5, 1.25,  2.25
func areFew(rows []row, width int) bool {
	for len(rows) > 0 && rows[0].first() != 0 && onlyWords(rows[0]) {
		rows = rows[1:]
	}
	isNone := func(r row) bool { return r.blank || r.width != width || r.kinds[0] == kind.Empty || r.typed() == 0 }
	return len(rows) > 0 && len(rows) <= evidence && !slices.ContainsFunc(rows, isNone)
}

// countNamed counts the names of the next record, and those of which the column has a name in this one, too. all is false if a column has
// neither.
func (r row) countNamed(next row) (groups, below int, all bool) {
	for i := range next.kinds {
		switch {
		case next.kinds[i] != kind.Empty:
			below++
			if r.kinds[i] != kind.Empty {
				groups++
			}
		case r.kinds[i] == kind.Empty:
			return 0, 0, false
		}
	}
	return groups, below, true
}

// isReplaced reports whether the header comes again below a record with other texts in the same columns: both are titles of parts.
//
//	A/C: BARK,,Bark Timber,
//	No,   Day,     Details,Open
//	71,   04/01/24,Boards, 240.00
//	A/C: KNOB,,Knobs & Co,
//	No,   Day,     Details,Open
func (r row) isReplaced(head row, rows []row) bool {
	for i := 1; i < len(rows); i++ {
		if sameTexts(rows[i], head) && !rows[i-1].blank && sameShape(rows[i-1], r) && !sameTexts(rows[i-1], r) {
			return true
		}
	}
	return false
}

// joinGroups removes the blank records between names of groups and the names of the columns that come again below each of them, so that
// both are the header.
//
//	,       Men,,  Women,
//	,       ,   ,  ,
//	Council,2011,2022,2011,2022
func joinGroups(rows []row, width int) []row {
	for i, r := range rows[:min(len(rows), maxPadded)] {
		if r.blank || r.broken || r.width != width || r.filled < groupNames || !onlyWords(r) {
			continue
		}
		next := i + 1
		for next < len(rows) && next <= i+maxTitles && rows[next].blank {
			next++
		}
		if next == i+1 || next >= len(rows) || rows[next].width != width || !r.groupsAllAlike(rows[next]) {
			continue
		}
		below := pastBlank(rows, next+1)
		if columnKinds(rows[below:], width).n < bodyRecords {
			return rows
		}
		return slices.Concat(rows[:i+1], rows[next:next+1], rows[below:])
	}
	return rows
}

// groupsAllAlike reports whether the next record has the same texts below each of the record's names, of which each stands above two or
// more. One of the two lacks the first cell.
//
//	year,North,,South,       ,       2023,2023,2024,2024
//	,    0,    1,0,  1       Station,1,   7,   1,   7
func (r row) groupsAllAlike(next row) bool {
	named := r.kinds[0] == kind.Empty && next.kinds[0] == kind.Word && next.filled == next.width
	if len(next.texts) != next.width || !named && (next.kinds[0] != kind.Empty || next.filled != next.width-1) {
		return false
	}
	return r.kinds[1] != kind.Empty && r.groupsAlike([]row{next}, next.width)
}

// answersOf reports whether the record has the answers to questions that the record above asks, as surveys are exported. It lacks the first
// cells, which the record above names and all rows have, and has a text in each other one. One question has three answers or more, or two
// that are the only texts of their columns. Where it has a first cell, too, there are two such questions.
//
//	Id,Day,    Rating,  Used,,,           Remarks
//	,  ,       Response,Mail,Phone,Chat,  Open text
//	81,2024-01-03,Good, Mail,,Chat,
func (r row) answersOf(above row, body columns) bool {
	first := r.first()
	if first == 0 {
		return r.filled == seen(r.width) && body.n >= evidence && r.choices(above, body) >= narrow
	}
	if first+r.filled != r.width || body.n < evidence || !isFilled(body.rows) ||
		slices.Contains(above.kinds[:first], kind.Empty) {
		return false
	}
	run, longest, said := 0, 0, 0
	for i, k := range above.kinds[first:] {
		if run++; k != kind.Empty && above.texts[first+i] != above.texts[first+i-1] { // it is not merged with the one before
			run, said = 1, 0
		}
		if longest = max(longest, run); body.saysOnly(first+i, r.texts[first+i]) {
			said++
		}
		if said >= narrow {
			return true
		}
	}
	return longest > narrow
}

// choices counts the names in the record above that stand above two cells or more of this one of which the first two are the only texts of
// their columns, and no row has both.
func (r row) choices(above row, body columns) (n int) {
	for i := range min(len(above.kinds), len(r.kinds)) - 1 {
		if above.kinds[i] == kind.Empty || above.kinds[i+1] != kind.Empty || r.texts[i] == r.texts[i+1] {
			continue
		}
		both := func(b row) bool { return i+1 < len(b.kinds) && b.kinds[i] != kind.Empty && b.kinds[i+1] != kind.Empty }
		if body.saysOnly(i, r.texts[i]) && body.saysOnly(i+1, r.texts[i+1]) && !slices.ContainsFunc(body.rows, both) {
			n++
		}
	}
	return n
}

// saysOnly reports whether one of the rows has this text in the column, and none has another one.
func (c columns) saysOnly(column int, text uint64) bool {
	found := false
	for _, b := range c.rows {
		switch {
		case b.blank || column >= len(b.kinds) || b.kinds[column] == kind.Empty:
		case b.texts[column] != text:
			return false
		default:
			found = true
		}
	}
	return found
}
