package dialect

import "slices"

// block is a group of columns between empty ones.
type block struct {
	from, to int // columns, to excluded
	cells    int
	rows     []bool // whether the row has a value there
	first    int    // row
	last     int
	count    int // rows
}

// blocks returns the groups of columns that are empty in no row with two values: titles may stand anywhere.
func blocks(rows []row, width int) []block {
	width = min(width, maxColumns)
	filled := make([]int, width)
	for _, r := range rows {
		if r.blank || r.broken || r.filled < narrow {
			continue
		}
		for i, k := range r.kinds[:min(len(r.kinds), width)] {
			if r.has(i, k) {
				filled[i]++
			}
		}
	}
	var list []block
	for i := 0; i < width; i++ {
		if filled[i] == 0 {
			continue
		}
		b := block{from: i, first: -1, rows: make([]bool, len(rows))}
		for i < width && filled[i] > 0 {
			b.cells += filled[i]
			i++
		}
		b.to = i
		b.look(rows)
		list = append(list, b)
	}
	return list
}

// has reports whether cell i holds anything, a word for nothing too.
func (r row) has(i int, k kind) bool { return k != empty || r.texts[i] != noText && r.texts[i] != 0 }

func (b *block) look(rows []row) {
	for n, r := range rows {
		for i := b.from; i < min(b.to, len(r.kinds)); i++ {
			if !r.has(i, r.kinds[i]) {
				continue
			}
			if b.first < 0 {
				b.first = n
			}
			b.last, b.rows[n] = n, true
			b.count++
			break
		}
	}
}

// isRun reports whether the block has a value in each row between its first and its last one.
func (b block) isRun() bool { return b.count == b.last-b.first+1 }

// beside returns the columns of the table, where something else stands beside it: notes, or another table. The rows begin with the table's
// header, of which there are so many rows, below the row above. ok is false if there is nothing, or it may be part of the table.
func beside(above row, rows []row, header, width int) (from, to int, ok bool) {
	list := blocks(rows, width)
	if len(list) < 2 {
		return 0, 0, false
	}
	if areTitledLists(list, above, rows, header) {
		return list[0].from, list[0].to, true
	}
	main := list[0]
	for _, b := range list {
		if b.cells > main.cells {
			main = b
		}
	}
	for _, b := range list { // of two lists that differ in their columns alone, the first one
		if b.from < main.from && b.count >= main.count && b.isKeyed(rows, header) && main.isKeyed(rows, header) {
			main = b
		}
	}
	if main.to-main.from < narrow || main.count < evidence {
		return 0, 0, false
	}
	from, to = main.from, main.to
	for i, b := range slices.Backward(list) { // what belongs to the table may stand on either side
		if b.from < from && !b.isBeside(main, main.from, rows, header, list[i+1].from-b.to) {
			from = b.from
		}
	}
	for i, b := range list {
		if b.to > to && !(above.titles(main, b) && b.isListOf(rows, header) && main.isListOf(rows, header)) &&
			!b.isBeside(main, from, rows, header, b.from-list[i-1].to) {
			to = b.to
		}
	}
	return from, to, from > list[0].from || to < list[len(list)-1].to
}

// isBeside reports whether the block is no part of the table: it has no name in the header, or its first name is that of the table's first
// column, or it begins with the table and ends long before it does; or both are full and have a text of its own first in each row, and they
// do not end together, or are two empty columns apart.
// gap is how many empty columns are between it and the next block towards the table, whose first column is from.
func (b block) isBeside(main block, from int, rows []row, header, gap int) bool {
	last := header - 1
	if header > 0 && last < len(rows) && !b.rows[last] {
		return share(b.count, main.count) < besideRows || !b.rows[min(header, len(rows)-1)]
	}
	if header > 0 && last < len(rows) && b.to-b.from >= narrow && rows[last].repeats(from, b.from) {
		return true
	}
	if header > 0 && last < len(rows) && b.isListAsWell(main, rows, header) {
		return true
	}
	if b.isLegend(rows, header) {
		return true
	}
	if b.first != main.first && b.isRun() && b.to-b.from >= narrow {
		return true
	}
	apart := gap > 1 || b.last != main.last
	if apart && header > 0 && b.first == main.first && b.isKeyed(rows, header) &&
		(main.isKeyed(rows, header) || main.last-b.last >= narrow && main.isNumbered(rows, header)) {
		return true
	}
	short := b.isRun() && main.last-b.last >= evidence && share(b.count, main.count) < besideRows
	return short && (b.to-b.from >= narrow || b.from >= main.to && b.count > narrow && b.first == main.first && b.hasOnlyWords(rows))
}

// isLegend reports whether the block has one column, in which two cells below the header or more explain what others mean, and no other
// has anything.
func (b block) isLegend(rows []row, header int) bool {
	n := 0
	for i, r := range rows[min(header, len(rows)):] {
		if header+i < len(b.rows) && b.rows[header+i] {
			if int(r.meaning) != b.from {
				return false
			}
			n++
		}
	}
	return b.from > 0 && b.to-b.from == 1 && n >= narrow
}

// hasOnlyWords reports whether none of the block's cells is a value.
func (b block) hasOnlyWords(rows []row) bool {
	return !slices.ContainsFunc(rows, func(r row) bool {
		return len(r.kinds) > b.from && slices.ContainsFunc(r.kinds[b.from:min(b.to, len(r.kinds))], func(k kind) bool { return k > word })
	})
}

// titles reports whether the row, which stands right above the header, has a title for each of the two blocks, and nothing else.
//
//	Sales by month,     ,,Sales by rep
//	Month,         Units,,Rep,   Value
func (r row) titles(a, b block) bool {
	if b.from >= len(r.kinds) || r.kinds[a.from] != word || r.kinds[b.from] != word {
		return false
	}
	for i, text := range r.texts {
		inA, inB := a.from <= i && i < a.to, b.from <= i && i < b.to
		if r.kinds[i] != empty && !(inA && text == r.texts[a.from]) && !(inB && text == r.texts[b.from]) {
			return false
		}
	}
	return r.texts[a.from] != r.texts[b.from]
}

// isListOf reports whether the block has a name for each column and texts first.
func (b block) isListOf(rows []row, header int) bool {
	if header == 0 || header > len(rows) || b.to > len(rows[header-1].kinds) || slices.Contains(rows[header-1].kinds[b.from:b.to], empty) {
		return false
	}
	return b.to-b.from >= narrow && b.beginsWithTexts(rows, header)
}

// isListAsWell reports whether the block and the table are lists of their own: both begin with texts, and have the same names behind the
// first one; or the header names the first column alone of each.
func (b block) isListAsWell(main block, rows []row, header int) bool {
	if b.hasNamesOf(main, rows[header-1]) && b.beginsWithTexts(rows, header) && main.beginsWithTexts(rows, header) {
		return true
	}
	return b.isTitledList(rows, header) && main.isTitledList(rows, header) || b.isOtherSideOf(main, rows, header)
}

// isOtherSideOf reports whether the block and the table are the two sides of an account: each has a name and an amount, three or more, none
// of which comes twice, and the amounts have the same name.
//
//	Assets,EUR,,Liabilities,EUR
//	Stock, 310,,Capital,    500
//	Bank,  420,,Loans,      230
func (b block) isOtherSideOf(main block, rows []row, header int) bool {
	head := rows[header-1]
	if b.to-b.from != narrow || main.to-main.from != narrow || !onlyWords(head) || !head.repeats(main.from+1, b.from+1) {
		return false
	}
	return b.isSide(rows, header) && main.isSide(rows, header)
}

// isSide reports whether the block is such a side.
func (b block) isSide(rows []row, header int) bool {
	names, amounts := map[uint64]bool{}, 0
	for i, r := range rows[min(header, len(rows)):min(b.last+1, len(rows))] {
		if !b.rows[header+i] {
			continue
		}
		if r.kinds[b.from] != word || names[r.texts[b.from]] ||
			b.from+1 < len(r.kinds) && r.kinds[b.from+1] != number && r.kinds[b.from+1] != empty {
			return false
		}
		names[r.texts[b.from]] = true
		if b.from+1 < len(r.kinds) && r.kinds[b.from+1] == number {
			amounts++
		}
	}
	return amounts >= evidence && amounts == len(names)
}

// hasNamesOf reports whether the block has as many names in the header as the table, two at least behind the first, which are the same.
//
//	Region,Orders,Amount,,Channel,Orders,Amount
func (b block) hasNamesOf(main block, head row) bool {
	if b.to-b.from != main.to-main.from || b.to-b.from <= narrow {
		return false
	}
	for i := range b.to - b.from {
		same := head.repeats(main.from+i, b.from+i)
		if i > 0 && !same || b.from+i >= len(head.kinds) || head.kinds[b.from+i] == empty || head.kinds[main.from+i] == empty {
			return false
		}
	}
	return true
}

// beginsWithTexts reports whether each of the block's rows below the header, two at least up to a blank one, has a text first.
func (b block) beginsWithTexts(rows []row, header int) bool {
	n := 0
	for i, r := range rows[min(header, len(rows)):] {
		if r.blank && n > 0 {
			break
		}
		if header+i < len(b.rows) && b.rows[header+i] && r.filled > 1 {
			if b.from >= len(r.kinds) || r.kinds[b.from] != word {
				return false
			}
			n++
		}
	}
	return n >= bodyRecords
}

// isTitledList reports whether the block has two columns or more, of which the header names the first alone, and no cell of three rows or
// more is empty, nor does a first one come twice.
//
//	Departments,     ,,Countries,
//	D01,        Sales,,CH,       Switzerland
func (b block) isTitledList(rows []row, header int) bool {
	keys := map[uint64]bool{}
	for i, r := range rows[max(0, header-1):min(b.last+1, len(rows))] {
		if len(r.kinds) <= b.from || r.kinds[b.from] == empty {
			return false
		}
		gaps := 0
		for c := b.from + 1; c < b.to; c++ {
			if c >= len(r.kinds) || r.kinds[c] == empty {
				gaps++
			}
		}
		if i == 0 && gaps < b.to-b.from-1 || i > 0 && (gaps > 0 || keys[r.texts[b.from]]) {
			return false
		}
		keys[r.texts[b.from]] = i > 0
	}
	return b.to-b.from >= narrow && len(keys) > evidence
}

// isKeyed reports whether the block is a table for itself: two columns or more, and all of its cells in three rows or more below the header
// have a value, the first ones texts of which none comes twice.
func (b block) isKeyed(rows []row, header int) bool {
	return b.hasKeys(rows, header, func(k kind) bool { return k == word || k >= code })
}

// isNumbered is isKeyed of a block that may begin with any values, such as numbers of orders.
func (b block) isNumbered(rows []row, header int) bool {
	return b.hasKeys(rows, header, func(k kind) bool { return k != empty })
}

func (b block) hasKeys(rows []row, header int, mayBeKey func(kind) bool) bool {
	keys := map[uint64]bool{}
	for _, r := range rows[min(header, len(rows)):min(b.last+1, len(rows))] {
		if r.blank || len(r.kinds) < b.to || !mayBeKey(r.kinds[b.from]) || keys[r.texts[b.from]] {
			return false
		}
		keys[r.texts[b.from]] = true
		if slices.Contains(r.kinds[b.from:b.to], empty) {
			return false
		}
	}
	return b.to-b.from >= narrow && len(keys) >= evidence
}

// repeats reports whether two cells have the same text.
func (r row) repeats(a, b int) bool {
	return max(a, b) < len(r.texts) && r.kinds[a] != empty && r.texts[a] == r.texts[b]
}
