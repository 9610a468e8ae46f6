package table

import (
	"cmp"
	"slices"

	"sheetdrop/internal/sheet/dialect"
	"sheetdrop/internal/sheet/kind"
)

// beside returns the columns of the table, where something else stands beside it: notes, or another table. ok is false if there is nothing,
// or it may be part of the table. Of two tables it is the one with most cells; leftmost says that it is the first one. The rows begin with
// the table's header, of which there are so many rows, below the row above. titled says that each of the tables has a title right above its
// names.
func beside(above row, rows []row, header, width int, leftmost bool) (from, to int, titled, ok bool) {
	list := blocks(rows, width, header)
	if len(list) < 2 {
		return 0, 0, false, false
	}
	if areTitledLists(list, above, rows, header) {
		return list[0].from, list[0].to, true, true
	}
	main := mainBlock(list)
	if b := list[0]; leftmost && header > 0 && (b.beginsAs(main) || main.outlasts(b)) {
		main = b
	}
	if main.to-main.from < narrow || main.count < evidence {
		return 0, 0, false, false
	}
	from, to = main.from, main.to
	for i, b := range slices.Backward(list) { // what belongs to the table may stand on either side
		if b.from < from && !b.isBeside(main, list[i+1].from-b.to) {
			from = b.from
		}
	}
	for i, b := range list {
		if b.from >= to && b.beginsAgain(from) { // another table, and what stands behind it is none of this one
			break
		}
		if b.to > to && !(above.titles(main, b) && b.isListOf() && main.isListOf()) &&
			!b.isBeside(main, b.from-list[i-1].to) {
			to = b.to
		}
	}
	return from, to, false, from > list[0].from || to < list[len(list)-1].to
}

// mainBlock returns the block with most cells, which is the table or the main part of it.
func mainBlock(list []block) block {
	return slices.MaxFunc(list, func(a, b block) int { return cmp.Compare(a.cells, b.cells) })
}

// isBeside reports whether the block is no part of the table. gap is how many empty columns are between it and the next block towards the
// table. One of these tells:
//   - it has no name in the header, and few rows in common with the table;
//   - both are lists, or one of them goes on further below (outlasts);
//   - both are full, with a first text of its own in each row, and do not end together, or are two empty columns apart;
//   - it begins with the table and ends long before it.
func (b block) isBeside(main block, gap int) bool {
	headed := b.isHeaded()
	if headed && !b.rows[b.header-1] {
		return share(b.rowsOf(main), main.count) < besideRows
	}
	if headed && (b.isListAsWell(main) || b.outlasts(main) || main.outlasts(b)) {
		return true
	}
	apart := gap > 1 || b.last != main.last
	if apart && headed && b.first == main.first && b.isKeyed() &&
		(main.isKeyed() || main.last-b.last >= narrow && main.isNumbered()) {
		return true
	}
	words := b.from >= main.to && b.count > narrow && b.first == main.first && b.hasOnlyWords()
	short := share(b.count, main.count)
	return b.isRun() && main.last-b.last >= narrow && (short <= besideRows && words || short < besideRows && b.to-b.from >= narrow)
}

// beginsAgain reports whether the first name of the block is that of the table's first column.
func (b block) beginsAgain(from int) bool {
	return b.isHeaded() && b.to-b.from >= narrow && b.head().repeats(from, b.from)
}

// beginsAs reports whether the block and another one that goes on further down are tables of their own: they begin with the same name, and
// each row of them has a value of its own below it.
//
//	Date,      Paid in,,Date,      Paid out
//	2024-01-02,500,    ,2024-01-03,40
//	2024-01-09,120,    ,2024-01-05,15
//	2024-01-16,75,     ,2024-01-12,230
//	,          ,       ,2024-01-20,9
func (b block) beginsAs(other block) bool {
	return b.last < other.last && other.beginsAgain(b.from) && b.isNumbered() && other.isNumbered()
}

// outlasts reports whether the block stands behind another one and goes on two rows or more below its end, and neither has a gap: no table
// has its first columns in some of its first rows alone.
//
//	Name,Team,,Day,    Visits
//	Ann, Red, ,Monday, 12
//	Bo,  Blue,,Tuesday,17
//	Cy,  Red, ,Monday, 9
//	,    ,    ,Friday, 21
//	,    ,    ,Monday, 14
func (b block) outlasts(other block) bool {
	return b.from > other.from && b.first == other.first && b.last-other.last >= narrow && other.isFull() && b.isFull()
}

// hasOnlyWords reports whether none of the block's cells is a value.
func (b block) hasOnlyWords() bool {
	return !slices.ContainsFunc(b.all, func(r row) bool {
		isValue := func(k kind.Kind) bool { return k > kind.Word }
		return len(r.kinds) > b.from && slices.ContainsFunc(r.kinds[b.from:min(b.to, len(r.kinds))], isValue)
	})
}

// block is a group of columns between empty ones.
type block struct {
	from, to int // columns, to excluded
	cells    int
	rows     []bool // whether the row has a value there
	first    int    // row
	last     int
	count    int   // rows
	all      []row // of the table and of what stands beside it, from the header on
	header   int   // so many of them are the header
}

// blocks returns the groups of columns that are empty in no row with two values: titles may stand anywhere. The rows begin with so many of
// a header.
func blocks(rows []row, width, header int) []block {
	width = min(width, dialect.MaxColumns)
	filled := make([]int, width)
	for _, r := range rows {
		if r.blank || r.broken || r.filled < narrow {
			continue
		}
		for i := range min(len(r.kinds), width) {
			if r.has(i) {
				filled[i]++
			}
		}
	}
	var list []block
	for i := 0; i < width; i++ {
		if filled[i] == 0 {
			continue
		}
		b := block{from: i, first: -1, rows: make([]bool, len(rows)), all: rows, header: header}
		for i < width && filled[i] > 0 {
			b.cells += filled[i]
			i++
		}
		b.to = i
		b.look()
		list = append(list, b)
	}
	return list
}

func (b *block) look() {
	for n, r := range b.all {
		for i := b.from; i < min(b.to, len(r.kinds)); i++ {
			if !r.has(i) {
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

// rowsOf counts the rows in which both blocks have a value.
func (b block) rowsOf(main block) (n int) {
	for i, filled := range b.rows {
		if filled && main.rows[i] {
			n++
		}
	}
	return n
}
