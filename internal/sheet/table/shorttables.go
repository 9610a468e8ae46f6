package table

import (
	"slices"

	"sheetdrop/internal/sheet/kind"
)

// belowShortTables returns the index of the header of a table that stands below other parts, apart from them: one or more tables of two
// rows at most, each with a header of its own, and lists of names with their values. They may have any width. It is 0 if there is none: a
// longer table above comes first.
//
//	Site:,    North quay,      ,
//	From:,    01-01-2024,      ,
//
//	Well,Owner,  X,     Y,     Depth
//	W-17,Harbour,183740,373030,12.5
//
//	Well,Day,       Level,Remark
//	W-17,14-06-2024,275,
//	W-17,28-06-2024,276,
//	W-17,15-07-2024,274,
//
// Where none is longer, it is the last one, if it has the most columns, or stands below lists alone: a statement may have a single row.
// Below sums, and lists whose values are of several kinds, it is the longer one also without short tables above, and the tables may have
// titles.
func belowShortTables(rows []row) int {
	widest, last, lone, listed, summed, at := 0, 0, 0, 0, false, pastBlank(rows, 0)
	var pairs []row
	var heads []int
	for at < len(rows) && rows[at].sample == 0 {
		end := nextBlank(rows, at)
		head := belowTitlesOf(rows[:end], at)
		heads = append(heads, head)
		switch n := rowsNamedBy(rows, head); {
		case n >= evidence:
			if longer := muchLongerBelow(rows, head, n); longer > 0 || widest == 0 && !summed && !isMixedList(pairs) {
				return longer
			}
			return heads[slices.IndexFunc(heads, func(i int) bool { return sameTexts(rows[i], rows[head]) })] // of a table in parts, the first
		case n == 0 && head > at && end == head+1 && rows[head].filled >= severalColumns && rows[head].isPrefix() && onlyWords(rows[head]):
			widest = max(widest, rows[head].filled) // a part without rows
		case n == 0 && !isListOrTitle(rows[at:end]) || n > 0 && head > at && len(pairs) == 0:
			return 0
		case n > 0:
			if last = 0; widest > 0 && rows[head].filled > widest {
				last = head
			}
			if head == at {
				lone = 0
			}
			if widest == 0 && (n == 1 || head > at || rows[head].lastText) {
				lone = head
			}
			widest = max(widest, rows[head].filled)
		default:
			summed = summed || sumUp(rows[head+1:end])
			listed += namesWithValues(rows[at:end])
			if namesWithValues(rows[head:end]) > 0 {
				pairs = append(pairs, pairsOf(rows[head:end])...)
			}
		}
		at = pastBlank(rows, end)
	}
	switch {
	case at < len(rows):
		return 0
	case last == 0 && (listed >= narrow || summed) && widest > unitCells+1:
		return lone
	}
	return last
}

// muchLongerBelow returns the index of the header of a table that has ten times as many rows as the one that ends there, and as many
// columns or more, or a hundred times as many rows: that one says how something was measured, or sums up what is listed. Titles may stand
// right above it, and other tables between the two. It is 0 if there is none, and where the same header stands above both.
func muchLongerBelow(rows []row, first, above int) int {
	end, width := nextBlank(rows, first), rows[first].filled
	for at := pastBlank(rows, end); at < len(rows) && rows[at].sample == 0; at = pastBlank(rows, end) {
		end = nextBlank(rows, at)
		head := belowTitlesOf(rows[:end], at)
		if sameTexts(rows[head], rows[first]) {
			return 0
		}
		n := rowsNamedBy(rows, head)
		if n >= above*muchLonger && (rows[head].filled >= width || n >= above*muchLonger*muchLonger) {
			return head
		}
		above, width = max(above, n), max(width, rows[head].filled)
	}
	return 0
}

// belowTitlesOf returns the index of the first of the records from there on that is no title.
func belowTitlesOf(rows []row, at int) int {
	head := at
	for head+1 < len(rows) && head < at+maxTitles && rows[head].filled == 1 {
		head++
	}
	return head
}

// sumUp reports whether the records, two or more, are sums or balances by their names, and have one number each: they sum up what is listed
// below.
//
//	Description,                   ,Amount
//	Opening balance as of 1 January,,106.50
//	Total credits,                 ,182.00
//	Closing balance as of 1 March, ,288.50
func sumUp(rows []row) bool {
	return len(rows) >= narrow && !slices.ContainsFunc(rows, func(r row) bool {
		return r.filled != narrow || r.numbers() != 1 || !r.isSum() && !r.opens && !r.closes && !r.namesBalance
	})
}

// rowsNamedBy returns how many rows of one width stand below the record, or one blank record or the units of the columns further below, if
// it names each column that has a value in them; 0 if it does not.
func rowsNamedBy(rows []row, header int) int {
	head := rows[header]
	from := header + 1
	if from < len(rows) && rows[from].blank {
		from++
	}
	if from+1 < len(rows) && rows[from].bracketed && rows[from].filled > 1 { // the units
		from++
	}
	if head.filled < severalColumns || head.colons > 0 || head.broken || from >= len(rows) {
		return 0
	}
	if head.countsColumns() {
		return rowsOfPlate(rows[from:], head)
	}
	if !head.isWithoutValues() {
		return 0
	}
	width := rows[from].width
	end := from
	for end < len(rows) && !rows[end].blank && rows[end].width == width && !rows[end].broken {
		end++
	}
	if end-from < manyRecords && !onlyWords(head) {
		return 0
	}
	same, other := columnKinds(rows[from:end], width).compare(head)
	if end-from < bodyRecords {
		other = rows[from].typed()
	}
	if same > 0 || other == 0 {
		return 0
	}
	for _, r := range rows[from:end] {
		for i, k := range r.kinds {
			if k != kind.Empty && (i >= len(head.kinds) || head.kinds[i] == kind.Empty) {
				return 0
			}
		}
	}
	return end - from
}

// countsColumns reports whether the record numbers the columns behind a first one without a name, as the plates of laboratories do.
func (r row) countsColumns() bool {
	return r.filled > severalColumns && r.kinds[0] == kind.Empty && countsFrom(r, 1) == r.filled
}

// rowsOfPlate returns how many rows of a plate stand below the record that numbers its columns: each begins with a text and goes on with
// numbers, of which some may be missing. A last column may have no number, in which it says what was measured.
func rowsOfPlate(rows []row, head row) (n int) {
	for _, r := range rows {
		if r.width != rows[0].width || r.width < head.width || r.width > head.width+1 || r.broken || r.kinds[0] != kind.Word {
			break
		}
		n++
	}
	if columnKinds(rows[:n], rows[0].width).typed() == 0 {
		return 0
	}
	return n
}
