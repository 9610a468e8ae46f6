package table

import (
	"iter"

	"sheetdrop/internal/sheet/kind"
)

// amongLists returns the width of a table that stands among lists of names and values, as programs write the parts of a report: the first
// one that has a header, three columns or more, and as many records as any other table of two columns. It is 0 if there is none. Lists are no
// tables, however long they are; below the table only those whose values are of several kinds.
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
		if len(run) >= max(longestPairs(rows[:at], isList), longestPairs(rows[at:], isMixedList)) {
			return width
		}
	}
	return 0
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

// isList reports whether the records are names with their values, as they stand above tables: two cells, of which the
// first ones are different words, and the others are not all of one kind, or have no header. A value may go on in further lines, without a
// name.
func isList(rows []row) bool {
	names, kinds, more := map[uint64]bool{}, map[kind.Kind]int{}, 0
	for _, r := range rows {
		switch {
		case r.width != listCells || r.kinds[0] > kind.Word || names[r.texts[0]]:
			return false
		case r.kinds[0] == kind.Empty:
			more++
			continue
		}
		names[r.texts[0]] = true
		kinds[r.kinds[1]]++
	}
	return share(more, len(rows)) <= withoutName && (dominant(kinds) == kind.Word || kinds[rows[0].kinds[1]] == len(rows))
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
