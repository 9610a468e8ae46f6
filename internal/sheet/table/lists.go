package table

import (
	"iter"

	"sheetdrop/internal/sheet/kind"
)

// belowEndedList returns the width of a table of four columns or more below a blank record and a list of names with their values, which
// have a delimiter behind them, as the table's header has not; 0 if there is none. Titles may stand above the list.
//
//	Account export;
//	Account;123456;
//	From;01.01.2024;
//	Balance;8200,00;
//
//	Day;Partner;Amount;Currency
//	02.01.2024;Dvorak;-1500,00;CZK
func belowEndedList(rows []row) int {
	first := 0
	for first < len(rows) && first < maxTitles && rows[first].filled <= 1 {
		first++
	}
	n := first
	var list []row
	for n < len(rows) && rows[n].width == listCells+1 && rows[n].filled == listCells && !rows[n].broken && !rows[n].lastText {
		r := rows[n]
		r.dropTrailing(r.width, 1)
		list = append(list, r)
		n++
	}
	head := pastBlank(rows, n)
	if len(list) < evidence || head == n || head == len(rows) || !rows[head].lastText || !isList(list) {
		return 0
	}
	return wideBelow(rows[head:], listCells+1).width
}

// amongLists returns the width of a table that stands among lists of names and values, as programs write the parts of a report: the first
// one that has a header, three columns or more, and as many records as the longest list. It is 0 if there is none. Lists whose values are
// not of one kind are no table, however long they are.
//
//	Sample,S-1
//	Operator,Lee
//
//	Peak,Time,Area
//	1,2.31,659
//	2,4.58,312
//	3,5.44,396
func amongLists(rows []row) int {
	for run := range runsOf(rows) {
		width := run[0].width
		if width > listCells && len(run) > evidence && columnKinds(run[1:], width).isUnlike(run[0]) && len(run) >= longestList(rows) {
			return width
		}
	}
	return 0
}

// longestList returns how many records of two cells follow each other at most, names with values of several kinds aside.
func longestList(rows []row) (longest int) {
	for run := range runsOf(rows) {
		if run[0].width == listCells && !isMixedList(run) {
			longest = max(longest, len(run))
		}
	}
	return longest
}

// runsOf returns the records that follow each other and have one width.
func runsOf(rows []row) iter.Seq[[]row] {
	return func(yield func([]row) bool) {
		from := 0
		for i := range len(rows) + 1 {
			ends := i == len(rows) || rows[i].blank || rows[i].broken
			if i > from && (ends || rows[i].width != rows[from].width) {
				if !yield(rows[from:i]) {
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

// isMixedList reports whether the records are names with values of several kinds.
func isMixedList(rows []row) bool {
	kinds := map[kind.Kind]int{}
	for _, r := range rows {
		kinds[r.kinds[1]]++
	}
	values := len(rows) - kinds[kind.Word] - kinds[kind.Empty]
	return isList(rows) && values > 0 && share(len(rows)-values, len(rows)) < columnOfKind && dominant(kinds) == kind.Word
}
