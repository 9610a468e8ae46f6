package table

import (
	"bytes"
	"iter"
	"slices"

	"sheetdrop/internal/sheet/kind"
	"sheetdrop/internal/sheet/words"
)

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

// haveValues reports whether the records are names, none of them twice, with values of several kinds.
func haveValues(rows []row) bool {
	names := map[uint64]bool{}
	for _, r := range rows {
		if r.blank {
			continue
		}
		if r.broken || r.width != narrow || r.kinds[0] != kind.Word || names[r.texts[0]] {
			return false
		}
		names[r.texts[0]] = true
	}
	return rows[0].filled == narrow && columnKinds(rows[1:], narrow).typed() == 0
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
