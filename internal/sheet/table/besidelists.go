package table

import (
	"slices"

	"sheetdrop/internal/sheet/kind"
)

// titles reports whether the row, which stands right above the header, has a title for each of the two blocks, and nothing else.
//
//	Sales by month,     ,,Sales by rep
//	Month,         Units,,Rep,   Value
func (r row) titles(a, b block) bool {
	if b.from >= len(r.kinds) || r.kinds[a.from] != kind.Word || r.kinds[b.from] != kind.Word {
		return false
	}
	for i, text := range r.texts {
		inA, inB := a.from <= i && i < a.to, b.from <= i && i < b.to
		if r.kinds[i] != kind.Empty && !(inA && text == r.texts[a.from]) && !(inB && text == r.texts[b.from]) {
			return false
		}
	}
	return r.texts[a.from] != r.texts[b.from]
}

// isListOf reports whether the block has a name for each column and texts first.
func (b block) isListOf() bool {
	if !b.isHeaded() || b.to > len(b.head().kinds) || slices.Contains(b.head().kinds[b.from:b.to], kind.Empty) {
		return false
	}
	return b.to-b.from >= narrow && b.beginsWithTexts()
}

// isListAsWell reports whether the block and the table are lists of their own: both begin with texts, and have the same names behind the
// first one; or the header names the first column alone of each.
func (b block) isListAsWell(main block) bool {
	if b.hasNamesOf(main) && b.beginsWithTexts() && main.beginsWithTexts() {
		return true
	}
	return b.isTitledList() && main.isTitledList() || b.isOtherSideOf(main)
}

// isOtherSideOf reports whether the block and the table are the two sides of an account: each has a name and an amount, three or more, none
// of which comes twice, and the amounts have the same name.
//
//	Assets,EUR,,Liabilities,EUR
//	Stock, 310,,Capital,    500
//	Bank,  420,,Loans,      230
func (b block) isOtherSideOf(main block) bool {
	head := b.head()
	if b.to-b.from != narrow || main.to-main.from != narrow || !onlyWords(head) || !head.repeats(main.from+1, b.from+1) {
		return false
	}
	return b.isSide() && main.isSide()
}

// isSide reports whether the block is such a side.
func (b block) isSide() bool {
	names, amounts := textSet{}, 0
	for i, r := range b.below() {
		if !b.rows[b.header+i] {
			continue
		}
		if r.kinds[b.from] != kind.Word || names.again(r.texts[b.from]) ||
			b.from+1 < len(r.kinds) && r.kinds[b.from+1] != kind.Number && r.kinds[b.from+1] != kind.Empty {
			return false
		}
		if b.from+1 < len(r.kinds) && r.kinds[b.from+1] == kind.Number {
			amounts++
		}
	}
	return amounts >= evidence && amounts == len(names)
}

// hasNamesOf reports whether the block has as many names in the header as the table, two at least behind the first, which are the same.
//
//	Region,Orders,Amount,,Channel,Orders,Amount
func (b block) hasNamesOf(main block) bool {
	head := b.head()
	if b.to-b.from != main.to-main.from || b.to-b.from <= narrow {
		return false
	}
	isNamed := func(i int) bool { return i < len(head.kinds) && head.kinds[i] != kind.Empty }
	for i := range b.to - b.from {
		same := head.repeats(main.from+i, b.from+i)
		if i > 0 && !same || !isNamed(b.from+i) || !isNamed(main.from+i) {
			return false
		}
	}
	return true
}

// beginsWithTexts reports whether each of the block's rows below the header, two at least up to a blank one, has a text first.
func (b block) beginsWithTexts() bool {
	n := 0
	for i, r := range b.all[min(b.header, len(b.all)):] {
		if r.blank && n > 0 {
			break
		}
		if b.header+i < len(b.rows) && b.rows[b.header+i] && r.filled > 1 {
			if b.from >= len(r.kinds) || r.kinds[b.from] != kind.Word {
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
func (b block) isTitledList() bool {
	keys := textSet{}
	for i, r := range b.all[max(0, b.header-1):min(b.last+1, len(b.all))] {
		if len(r.kinds) <= b.from || r.kinds[b.from] == kind.Empty {
			return false
		}
		gaps := 0
		for c := b.from + 1; c < b.to; c++ {
			if c >= len(r.kinds) || r.kinds[c] == kind.Empty {
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
func (b block) isKeyed() bool {
	return b.hasKeys(func(k kind.Kind) bool { return k == kind.Word || k >= kind.Code })
}

// isNumbered is isKeyed of a block that may begin with any values, such as numbers of orders.
func (b block) isNumbered() bool {
	return b.hasKeys(func(k kind.Kind) bool { return k != kind.Empty })
}

func (b block) hasKeys(mayBeKey func(kind.Kind) bool) bool {
	if !b.isFull() {
		return false
	}
	keys := textSet{}
	return !slices.ContainsFunc(b.below(), func(r row) bool {
		return !mayBeKey(r.kinds[b.from]) || keys.again(r.texts[b.from])
	})
}

// isFull reports whether the block has two columns or more, and no gap in three rows or more below the header.
func (b block) isFull() bool {
	below := b.below()
	return b.to-b.from >= narrow && len(below) >= evidence && !slices.ContainsFunc(below, func(r row) bool {
		return r.blank || len(r.kinds) < b.to || slices.Contains(r.kinds[b.from:b.to], kind.Empty)
	})
}

// isHeaded reports whether there is a header, and head returns its last row.
func (b block) isHeaded() bool { return 0 < b.header && b.header <= len(b.all) }

func (b block) head() row { return b.all[b.header-1] }

// below returns the rows from the header to the block's last one.
func (b block) below() []row {
	end := min(b.last+1, len(b.all))
	return b.all[min(b.header, end):end]
}

// areTitledLists reports whether the blocks are lists that stand side by side, and the line right above the last row of the header names
// each. above is the one above the header.
//
//	Stock,      ,,Staff,
//	Part,Pieces,,Name, Hours
//	bolt,   120,,Ann,  38
func areTitledLists(list []block, above row, rows []row, header int) bool {
	if header == 0 || header > len(rows) {
		return false
	}
	title := above
	if header > 1 {
		title = rows[header-2]
	}
	return titlesEach(list, title) && areLists(list, rows, header) && (list[0].to-list[0].from >= narrow || !repeatNames(list, rows[header-1]))
}

// repeatNames reports whether a name comes twice behind the first ones of the blocks, as those of groups do.
func repeatNames(list []block, head row) bool {
	names := textSet{}
	for _, b := range list {
		if slices.ContainsFunc(head.texts[min(b.from+1, len(head.texts)):min(b.to, len(head.texts))], names.again) {
			return true
		}
	}
	return false
}

// titlesEach reports whether the record, which stands right above the last row of the header, has a title for each of the blocks, most of
// them of two columns or more, and nothing else. In merged cells it may stand above each column.
func titlesEach(list []block, r row) bool {
	cells, wide := 0, 0
	for i, b := range list {
		if b.to-b.from >= narrow {
			wide++
		}
		if b.from >= len(r.kinds) || r.kinds[b.from] != kind.Word ||
			i > 0 && r.repeats(list[0].from, b.from) {
			return false
		}
		for c := b.from; c < min(b.to, len(r.kinds)) && (c == b.from || r.repeats(b.from, c)); c++ {
			cells++
		}
	}
	return 2*wide > len(list) && r.filled == cells && onlyWords(r)
}

// areLists reports whether each of the blocks is a list of its own: all of its cells have a value in two rows or more below the header, and
// the first ones come once each. They do not all end together, or all begin with texts, or another one begins with the name of the first.
func areLists(list []block, rows []row, header int) bool {
	together, codes, again := true, false, false
	for i, b := range list {
		keys := textSet{}
		for _, r := range rows[min(header, len(rows)):min(b.last+1, len(rows))] {
			if len(r.kinds) < b.to || keys.again(r.texts[b.from]) || slices.Contains(r.kinds[b.from:b.to], kind.Empty) {
				return false
			}
			codes = codes || r.kinds[b.from] != kind.Word
		}
		if len(keys) < bodyRecords || !b.isNamed(rows[header-1]) {
			return false
		}
		together = together && b.last == list[0].last
		again = again || i > 0 && rows[header-1].repeats(list[0].from, b.from)
	}
	return !together || !codes || again
}

// isNamed reports whether the record has a name for each column of the block.
func (b block) isNamed(r row) bool {
	for i := b.from; i < b.to; i++ {
		if i >= len(r.kinds) || r.kinds[i] != kind.Word {
			return false
		}
	}
	return true
}
