package table

import (
	"iter"
	"slices"
	"sync"

	"sheetdrop/internal/sheet/kind"
	"sheetdrop/internal/sheet/sums"
)

// bottom is the rows below a header and what may stand below them, with their cells, which are added up. Of a worksheet it is the last
// ones.
type bottom struct {
	Layout
	rows  []row             // without blank ones
	apart []bool            // rows that stand below a blank one
	cells func() [][][]byte // of all rows
	Tail
}

// Tail is what is known of a worksheet's last rows beside their cells.
type Tail struct {
	Above   sums.Above // what stands in the columns of rows further above
	Strong  []bool     // rows that are bold or coloured
	HasSums bool       // some of the rows sum up others, as their numbers tell
}

// bottom returns the bottom of a table; cells returns the cells of rows.
func (l Layout) bottom(rows []row, cells func([]row) [][][]byte, t Tail) *bottom {
	b := &bottom{Layout: l, rows: make([]row, 0, len(rows)), Tail: Tail{Above: t.Above, HasSums: t.HasSums}}
	for i, r := range rows {
		if l.isBlank(r) {
			continue
		}
		b.rows, b.apart = append(b.rows, r), append(b.apart, i > 0 && l.isBlank(rows[i-1]))
		b.Strong = append(b.Strong, i < len(t.Strong) && t.Strong[i])
	}
	b.cells = sync.OnceValue(func() [][][]byte { return cells(b.rows) })
	return b
}

// isBlank reports whether the row has nothing: a worksheet's may have something beside the table.
func (l Layout) isBlank(r row) bool { return r.blank || l.grid && r.filled == 0 }

// BelowSums returns what Below does, by what the numbers of the rows add up to; at is what their words and gaps tell.
func (l Layout) BelowSums(grid iter.Seq[[][]byte], at int, t Tail) int {
	rows := l.lastRows(grid)
	b := l.bottom(rows, func(rows []row) (list [][][]byte) {
		no := int64(0)
		for cells := range grid {
			if no++; len(list) < len(rows) && rows[len(list)].line == no {
				list = append(list, slices.Clone(cells))
			}
		}
		return list
	}, t)
	first := slices.IndexFunc(b.rows, func(r row) bool { return r.line > int64(at) })
	if first < 0 && at < len(rows) {
		return at
	} else if first < 0 {
		first = len(b.rows)
	}
	if end := b.find(first); end < len(b.rows) {
		return int(b.rows[end].line - 1)
	}
	return len(rows)
}

// find returns the index of the first row below the table, by what the numbers add up to; at is what the words and gaps of the rows tell,
// their number if none stands below.
func (b *bottom) find(at int) int {
	if b.Columns < narrow {
		return at
	}
	at = b.pastAddends(at)
	if charges, ok := b.charges(at); ok {
		at = charges
	} else if sum, ok := b.sumOfAll(at); ok {
		at = sum
	}
	return b.pastLastRows(at)
}

// isRow reports whether a row is one of the table.
func (b *bottom) isRow(i int) bool {
	r := b.rows[i]
	return !r.broken && r.width == b.Columns && (b.Filter == nil || !b.Filter.drops(r) && !(b.grid && b.Filter.Drops(b.cells()[i])))
}

// cellsOfTable returns the cells of those of the rows that are of the table.
func (b *bottom) cellsOfTable(from, end int) iter.Seq[[][]byte] {
	return func(yield func([][]byte) bool) {
		for i := from; i < end; i++ {
			if b.isRow(i) && !yield(b.cells()[i]) {
				return
			}
		}
	}
}

// tableRows returns those of the rows that are of the table.
func (b *bottom) tableRows(from, end int) (rows []row) {
	for i := from; i < end; i++ {
		if b.isRow(i) {
			rows = append(rows, b.rows[i])
		}
	}
	return rows
}

// pastAddends returns the index of a sum below the table, if right above it are rows with few cells that it includes, and that are no taxes
// or the like.
//
//	Rent,       800,800,800,2400
//	Bonus,         ,   ,   , 500
//	Grand Total,   ,   ,   ,2900
func (b *bottom) pastAddends(at int) int {
	if at == 0 || at == len(b.rows) || b.apart[at] || b.Above.Rows() > 0 {
		return at
	}
	end := at
	for end < len(b.rows) && end < at+maxAddends && (end == at || !b.apart[end]) && b.isAddend(end) {
		end++
	}
	if end == at || end == len(b.rows) || b.apart[end] || !sums.IncludesAll(b.cells()[end], b.cells()[:end]) {
		return at
	}
	return end
}

// isAddend reports whether a row has nothing but a name and numbers, or only these, and none that usually stand below a table.
func (b *bottom) isAddend(i int) bool {
	r := b.rows[i]
	if r.broken || r.width != b.Columns || !r.isNameWithNumbers() || r.kinds[0] != kind.Empty && b.body.kinds[0] > kind.Word {
		return false
	}
	return sums.MayBeAdded(b.cells()[i])
}

// sumOfAll returns the index of the row that sums up all rows above it, if there is one among the last ones. Others may follow it: any two
// of a name and numbers if it is bold or coloured as no row above is.
func (b *bottom) sumOfAll(end int) (at int, ok bool) {
	others := 0
	for at = end - 1; at > 0 && at+b.Above.Rows() >= sums.LeastRows && at >= end-maxFooter; at-- {
		r, strong := b.rows[at], b.standsOut(at)
		if (strong || others == 0) && b.body.mayAddUp(r) && b.sumsUp(at, strong) {
			return at, true
		}
		if b.body.followsSum(r) {
			continue
		}
		if name, computed := r.nameAndNumbers(); !computed || name != 0 || others == maxOthers {
			return 0, false
		}
		others++
	}
	return 0, false
}

// followsSum reports whether the record may stand below the sum of all rows: it has nothing but a name and numbers. They have a value
// first, or it names a part of the sum, or it lacks what nearly all rows above the last ones of this kind have.
func (c columns) followsSum(r row) bool {
	if len(c.kinds) == 0 { // no columns are known
		return false
	}
	follows := func(r row) bool {
		return r.width == c.width && !r.broken && r.isNameWithNumbers()
	}
	above := c.rows
	for n := len(above); n > 0 && (above[n-1].filled <= 1 || above[n-1].filled < c.width && follows(above[n-1])); n = len(above) {
		above = above[:n-1]
	}
	hasShape := func(other row) bool { return !other.isSum() && sameShape(other, r) }
	if !follows(r) {
		return false
	}
	return c.kinds[0] > kind.Word || r.ofWhich || lacks(c.filledInOf(above, nearlyAlways), r) && !slices.ContainsFunc(above, hasShape)
}

// sumsUp reports whether a row sums up all rows above; strong says that it is bold or coloured as none of them is.
func (b *bottom) sumsUp(at int, strong bool) bool {
	r, c, above := b.rows[at], columnKinds(b.tableRows(0, at), b.Columns), b.Above.With(b.cellsOfTable(0, at))
	t := c.traitsOf(r, r.isSum(), strong)
	t.FirstFull = t.FirstFull && isFilled(b.rows[at+1:])
	return above.SummedUpBy(b.cells()[at], t)
}

// traitsOf returns what tells of a record below these columns, beside its numbers, that it may sum up all rows.
func (c columns) traitsOf(r row, named, strong bool) sums.Traits {
	valued := len(c.kinds) > 0 && c.kinds[0] > kind.Word
	return sums.Traits{Named: named, Strong: strong, Lacks: lacks(c.filledColumns(), r), ValueFirst: valued, FirstFull: isFilled(c.rows)}
}

// standsOut reports whether a row of a worksheet is bold or coloured, and no other one above with several values is.
func (b *bottom) standsOut(at int) bool {
	is := func(i int) bool { return i < len(b.Strong) && b.Strong[i] && b.rows[i].filled > 1 }
	for i := range at {
		if is(i) {
			return false
		}
	}
	return is(at)
}

// charges returns the index of what an invoice adds and takes off: three last rows or more with nothing but a name and an amount, all in
// the same columns, that lack the first cell, which all others have. The first of them is the sum of these, and the last one that of the
// charges.
//
//	A1,Shirt,   2,39.90,79.80
//	B7,Hat,     1,25.00,25.00
//	,  Goods,    ,     ,104.80
//	,  Rebate,   ,     ,-10.00
//	,  To pay,   ,     ,94.80
func (b *bottom) charges(end int) (at int, ok bool) {
	rows := b.rows[:end]
	for at = end; at > 0 && end-at <= maxFooter && rows[at-1].isCharge(b.Columns) && sameShape(rows[at-1], rows[end-1]); {
		at--
	}
	if end-at < evidence || b.Columns <= narrow || b.Above.Rows()+at < bodyRecords || !isFilled(rows[:at]) || !b.Above.Fills(0) {
		return 0, false
	}
	return at, b.Above.AreCharged(slices.Values(b.cells()[:end]), at, slices.Index(rows[at].kinds, kind.Number))
}

// isCharge reports whether the record lacks the first cell, and has a name and a number behind it.
func (r row) isCharge(width int) bool {
	return !r.broken && r.width == width && len(r.kinds) == width && r.isNameWithValue() && !r.has(0)
}
