package table

import (
	"slices"

	"sheetdrop/internal/sheet/kind"
)

// belowPairs returns the index of the table's header below a blank record and lines that have as many cells as the table: names with their
// values; or one or two lines, which make no table; or, above a longer table of two columns, lines that are not all of the kinds that these
// have. It returns first if there are none.
//
//	Account,Savings
//	Opened,2019-04-02
//	,
//	month,interest
//	2024-01,12.10
func (l Layout) belowPairs(rows []row, first int) int {
	from, end := l.pairsAbove(rows, first)
	head := pastBlank(rows, end)
	if end == head || head == len(rows) || l.headerAt(rows, first, head) == 0 {
		return first
	}
	named := headsAll(rows[head:], l.Columns) && end-from >= min(l.Columns, evidence)
	if block := rows[from:end]; named && (areSettings(block) || arePairs(block)) {
		return head
	}
	if len(rows)-head <= head-first || from > first || l.Columns > narrow && end-first >= evidence {
		return first
	}
	if end-first > 1 && fitAll(rows[first+1:end], columnKinds(rows[head+1:], l.Columns)) {
		return first
	}
	return head
}

// pairsAbove returns where lines begin that have as many cells as the table, below pairs that have no unit, and the index behind the last
// of them.
func (l Layout) pairsAbove(rows []row, first int) (from, end int) {
	from = first
	for from < len(rows) && rows[from].width == listCells && listCells < l.Columns && rows[from].filled == listCells { // they have no unit
		from++
	}
	end = from
	withUnit := func(r row) bool { return l.Columns == listCells && r.width == listCells+1 && r.kinds[0] == kind.Word }
	for end < len(rows) && !rows[end].blank && !rows[end].broken && (rows[end].width == l.Columns || withUnit(rows[end])) {
		end++
	}
	return from, end
}

// fitAll reports whether no cell of the records is of another kind than the columns.
func fitAll(rows []row, body columns) bool {
	return !slices.ContainsFunc(rows, func(r row) bool {
		_, other := body.compare(r)
		return other > 0
	})
}

// listsNames reports whether the record has names that end with a colon, and gaps or as many values: names with their values stand above
// tables.
//
//	Name:,Ann Lee,,Month:,May
func (r row) listsNames() bool {
	return r.colons > 0 && (r.filled < seen(r.width) || r.colons > 1 && 2*int(r.colons) >= r.filled)
}

// belowForm returns the index of the table's header right below the lines of a form; first if there are none. These are names with their
// values, two or more to a line, and titles. The last line has a day behind a name, or is another one about the table.
//
//	Claim,,,
//	Name,R. Fox,Dept,HR
//	Date,2024-05-05,No.,88
//	What,When,Where,Amount
func (l Layout) belowForm(rows []row, first int) int {
	if l.Columns < formCells {
		return first
	}
	head := first
	isHeader := func(r row) bool { return sameTexts(r, rows[head]) }
	for head < len(rows) && head-first < maxForm && (rows[head].filled <= listCells || rows[head].isPairs() || rows[head].isAbout()) {
		head++
		if head < len(rows) && rows[head-1].isAbout() && hasEachTextOnce(rows[head]) && headsAll(rows[head:], l.Columns) {
			if slices.ContainsFunc(rows[first:head], isHeader) { // the lines are a page with the header, which comes again on the next one
				return first
			}
			return head
		}
	}
	return first
}

// isPairs reports whether the record has nothing but words in its first cells, each with a value behind it.
func (r row) isPairs() bool {
	if r.broken || r.filled < formCells || r.filled%2 == 1 || !r.isPrefix() {
		return false
	}
	for i := 0; i < r.filled; i += 2 {
		if r.kinds[i] != kind.Word {
			return false
		}
	}
	return hasEachTextOnce(r)
}

// isAbout reports whether the record says what holds for the table, and names no columns: it names a day, has a day and a number, or a
// value behind a name with a colon.
//
//	Cheque account,****1234,28/02/2025,,1820.44
//	Plate:,P1,1.3,Kinetic,Absorbance
func (r row) isAbout() bool {
	return r.namesDay() || slices.Contains(r.kinds, kind.Moment) && slices.Contains(r.kinds, kind.Number) || r.setting && r.typed() > 0
}

// namesDay reports whether the value of one of the record's names is a day.
func (r row) namesDay() bool {
	for i := 1; r.isPairs() && i < r.filled; i += 2 {
		if r.kinds[i] == kind.Moment {
			return true
		}
	}
	return false
}

// IsPair reports whether a cell is a name with its value: Printed: 2024-05-31.
func IsPair(cell []byte) bool { return gridRow([][]byte{cell}).paired }
