package table

import (
	"bytes"
	"iter"
	"slices"

	"sheetdrop/internal/sheet/kind"
	"sheetdrop/internal/sheet/words"
)

// amongLists returns the width of a table that stands among lists of names and values, as programs write the parts of a report. It is the
// first one with a header and three columns that has as many records as any table of two columns, and more than any with a header above
// it. Lists are no tables, however long they are; below the table only those whose values are of several kinds. The width is 0 if there is
// none.
//
//	Sample,S-1
//	Operator,Lee
//
//	Peak,Time,Area
//	1,2.31,659
//	2,4.58,312
//	3,5.44,396
func amongLists(rows []row) int {
	for at, run := range runsOf(rows) {
		width := run[0].width
		if width <= listCells || len(run) <= evidence || !columnKinds(run[1:], width).isUnlike(run[0]) {
			continue
		}
		if len(run) >= max(longestPairs(rows[:at], isList), longestPairs(rows[at:], isMixedList)) &&
			len(run) > longestPairs(rows[:at], lacksHeader) {
			return width
		}
	}
	return 0
}

// lacksHeader reports whether the first of the records, which have two cells, names no columns.
func lacksHeader(rows []row) bool {
	return isList(rows) || !columnKinds(rows[1:], listCells).isUnlike(rows[0])
}

// longestPairs returns how many records of two cells follow each other at most, lists aside.
func longestPairs(rows []row, isList func([]row) bool) (longest int) {
	for _, run := range runsOf(rows) {
		if run[0].width == listCells && !isList(run) {
			longest = max(longest, len(run))
		}
	}
	return longest
}

// runsOf returns the records that follow each other and have one width, with the index of the first.
func runsOf(rows []row) iter.Seq2[int, []row] {
	return func(yield func(int, []row) bool) {
		from := 0
		for i := range len(rows) + 1 {
			ends := i == len(rows) || rows[i].blank || rows[i].broken
			if i > from && (ends || rows[i].width != rows[from].width) {
				if !yield(from, rows[from:i]) {
					return
				}
				from = i
			}
			if ends {
				from = i + 1
			}
		}
	}
}

// takeList takes a table of two columns, whose header ends before row start, for a list of names with their values, which has no header.
// rows are all of the file, cells those of the rows from the header on, and sign says that a colon or an equals sign separates them. It
// returns the index of the first row of the table.
func (l *Layout) takeList(rows []row, start int, cells iter.Seq[[][]byte], sign bool) int {
	above := max(0, start-1)
	if l.Columns != narrow || l.Header != 1 || l.Blanks > 0 || len(rows)-above < evidence || len(rows)-above > maxAttributes && !sign {
		return start
	}
	for _, r := range rows[:above] {
		if !r.blank && !r.isTitle() {
			return start
		}
	}
	list := rows[above:]
	if !haveValues(list) {
		return start
	}
	if attributes, header := areAttributes(cells); header || !attributes && !list[0].beginsList(list, sign) {
		return start
	}
	l.Header, l.Preamble = 0, above
	return above
}

// beginsList reports whether the first of such records is none of names, as its second cell is a number or a day, but no year, or a colon
// or an equals sign stands behind each first cell.
//
//	max_users	100
//	cache	64MB
//	level	info
func (r row) beginsList(rows []row, sign bool) bool {
	isValue := (r.kinds[1] == kind.Number || r.kinds[1] == kind.Moment) && r.yearish == 0
	return isValue || sign || !slices.ContainsFunc(rows, func(r row) bool { return !r.blank && !r.setting })
}

// areAttributes reports whether half of the first cells are names of attributes, the first one, too; and whether the first record names
// columns, as another such name, or that of values, stands beside its name.
//
//	name,Widget
//	version,1.4
//	author,Ann
func areAttributes(records iter.Seq[[][]byte]) (are, header bool) {
	known, n, begins := 0, 0, false
	for cells := range records {
		if len(cells) == 0 || len(bytes.TrimSpace(cells[0])) == 0 {
			continue
		}
		isName := words.IsAttribute(bytes.TrimSpace(cells[0]))
		if n++; isName {
			known++
		}
		if n == 1 && len(cells) > 1 {
			second := bytes.TrimSpace(cells[1])
			begins, header = isName, words.IsNameOfValues(second) || isName && words.IsAttribute(second)
		}
	}
	return begins && share(known, n) >= attributesKnown, header
}

// listBelow returns the index of the title of a list below a blank record: names with their values, which lack half of the columns in which
// nearly all rows above have a value. It returns len(rows) if there is none. So programs of instruments write below a table how they have
// measured, and a spreadsheet pads all of it.
//
//	,1,2,3,4,5,6
//	A,8,9,7,9,8,7
//	B,7,8,8,6,9,8
//	C,9,9,6,8,7,9
//	,,,,,,
//	Instrument,,,,,,
//	Serial number,,1409101,,,,
//	Software,,X 3.5,,,,
func listBelow(rows []row, width int) int {
	for i := evidence; i+narrow < len(rows); i++ {
		if !rows[i-1].blank || rows[i].width != width || !rows[i].isTitle() || !areNamesWithValues(rows[i+1:nextBlank(rows, i)]) {
			continue
		}
		if body := columnKinds(rows[:i], width); body.n >= evidence && lackHalf(body.filledColumns(), rows[i+1:nextBlank(rows, i)]) {
			return i
		}
	}
	return len(rows)
}

// lackHalf reports whether each of the records lacks half of these columns, three or more.
func lackHalf(usual []bool, rows []row) bool {
	n := 0
	for _, is := range usual {
		if is {
			n++
		}
	}
	for _, r := range rows {
		if 2*missing(usual, r) < n {
			return false
		}
	}
	return n > listCells
}
