package table

import (
	"slices"

	"sheetdrop/internal/sheet/kind"
)

// takeSpaced adds to the header of a worksheet, which ends before row start, the names below the names of groups, or the names of groups
// above names, that a blank row separates from it. It returns the first row below the header.
//
//	Canton,Men,  ,     Women,
//
//	,      0–19, 20–64,0–19, 20–64
//	Uri,   380,  1150, 350,  1060
func (l *Layout) takeSpaced(rows []row, start int) int {
	for l.Header > 0 && l.Header < maxHeader && start+1 < len(rows) && rows[start].blank &&
		rows[start-1].namesBelowBlank(rows[start+1], rows[start+2:], l.Columns) {
		l.Header, l.Blanks, start = l.Header+1, l.Blanks+1, start+2
	}
	top := start - l.Header - l.Blanks
	for l.Header > 0 && l.Header < maxHeader && top > 1 && rows[top-1].blank && rows[top-2].groupsAlike(rows[top:start], l.Columns) {
		l.Header, l.Blanks, top = l.Header+1, l.Blanks+1, top-2
		l.Preamble = top
	}
	return start
}

// namesBelowBlank reports whether the record names groups, and the next one, below a blank one, the columns of these and nothing else: it
// has no value for the first column, as all rows below have.
func (r row) namesBelowBlank(next row, rows []row, width int) bool {
	if next.broken || next.filled <= narrow || next.kinds[0] != kind.Empty || !r.groups([]row{next}, width) {
		return false
	}
	for i, k := range next.kinds {
		if k != kind.Empty && i < len(r.kinds) && r.kinds[i] != kind.Empty && !r.spans(i, next) {
			return false
		}
	}
	body := columnKinds(rows, width)
	lacksFirst := func(b row) bool { return b.filled > 1 && b.kinds[0] == kind.Empty }
	if body.n < bodyRecords || slices.ContainsFunc(rows[:min(len(rows), followersSeen)], lacksFirst) {
		return false
	}
	return body.isUnlike(next) && next.isWithoutValues() || r.groupsAlike([]row{next}, width)
}

// spans reports whether the i-th name of the record stands above several columns that the next one names, or is that of such a group.
func (r row) spans(i int, next row) bool {
	right := i+1 < len(next.kinds) && next.kinds[i+1] != kind.Empty &&
		(i+1 >= len(r.kinds) || r.kinds[i+1] == kind.Empty || r.texts[i+1] == r.texts[i])
	return right || i > 0 && r.texts[i-1] == r.texts[i]
}

// groupsAlike reports whether the record has nothing but names of two groups or more, and below each of them the same names, two at
// least, in the first of the rows below. Between groups may be an empty column, and before them columns that have names of their own.
//
//	,     Men,       ,            ,Women
//
//	Age,  Employed,Unemployed,    ,Employed,Unemployed
func (r row) groupsAlike(below []row, width int) bool {
	if r.blank || r.broken || r.colons > 0 || r.paired || r.width > width || len(below) == 0 {
		return false
	}
	next, starts := below[0], []int(nil)
	for i, k := range r.kinds {
		if k != kind.Empty && (i == 0 || r.texts[i] != r.texts[i-1]) && i+1 < len(next.kinds) &&
			next.kinds[i] != kind.Empty && next.kinds[i+1] != kind.Empty {
			starts = append(starts, i)
		}
	}
	if len(starts) < groupNames || starts[0] == 0 {
		return false
	}
	first := next.namesFrom(starts[0], starts[1])
	for n, start := range starts {
		end := len(next.kinds)
		if n+1 < len(starts) {
			end = starts[n+1]
		}
		if names := next.namesFrom(start, end); !slices.Equal(names, first) {
			return false
		}
	}
	return len(first) >= narrow && first[0] != first[1]
}

// namesFrom returns the hashes of the record's names in these columns, up to the first gap.
func (r row) namesFrom(from, to int) []uint64 {
	end := from
	for end < min(to, len(r.kinds)) && r.kinds[end] != kind.Empty {
		end++
	}
	return r.texts[from:end]
}

// takeYears takes the first row for names, and the one above for those of groups, where no header was found since they are years that come
// again below each group. It returns the first row below.
//
//	,    Power,    ,Heat
//	Hall,2022, 2023,2022,2023
func (l *Layout) takeYears(rows []row, start int) int {
	above := l.Preamble - 1
	if l.Header > 0 || above < 0 || start >= len(rows) || !rows[above].groupsAlike(rows[start:start+1], l.Columns) {
		return start
	}
	l.Preamble, l.Header = above, 2
	return start + 1
}
