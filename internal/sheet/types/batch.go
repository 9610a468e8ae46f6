package types

// batch is some rows. Their cells are held row by row, each in a short: as its text if that is short; else without a head, and the tail
// tells the place and the length of the text in long, or is one of the marks.
type batch struct {
	rows  []int64 // their numbers
	cells []short
	long  []byte
}

const (
	missing = iota // a cell that is not there
	blank          // an empty one

	lengthBits = 32
)

const (
	batchCells = 2048
	batchRows  = 1024
	batchBytes = 1 << 16 // of long, beyond the last text
)

func newBatch(columns int) batch {
	rows := max(1, min(batchRows, batchCells/max(1, columns)))
	return batch{rows: make([]int64, 0, rows), cells: make([]short, 0, rows*columns)}
}

func (b *batch) full() bool { return len(b.rows) == cap(b.rows) || len(b.long) > batchBytes }

func (b *batch) add(row int64, cells [][]byte) {
	b.rows = append(b.rows, row)
	start := len(b.cells)
	b.cells = b.cells[:start+len(cells)]
	held := b.cells[start:]
	for i, cell := range cells {
		if n := len(cell); n >= 1 && n <= 8 {
			held[i] = short{head: headOf(cell)}
		} else {
			held[i] = b.hold(cell)
		}
	}
}

func (b *batch) hold(cell []byte) short {
	switch n := len(cell); {
	case cell == nil:
		return short{tail: missing}
	case n == 0:
		return short{tail: blank}
	case n <= shortBytes:
		return makeShort(cell)
	default:
		start := len(b.long)
		b.long = append(b.long, cell...)
		return short{tail: uint64(start)<<lengthBits | uint64(n)}
	}
}

// look shows the columns their cells, and empties the batch.
func (b *batch) look(columns []column) {
	for i := range columns {
		b.show(&columns[i], i, len(columns))
	}
	b.rows, b.cells, b.long = b.rows[:0], b.cells[:0], b.long[:0]
	if cap(b.long) > 2*batchBytes {
		b.long = nil // one text was very long
	}
}

// show shows a column its cells, which stand in the batch from the place first on, a row of cells apart.
func (b *batch) show(c *column, first, row int) {
	for i, at := 0, first; at < len(b.cells); i, at = i+1, at+row {
		s := b.cells[at]
		recent := &c.recent[s.spread()&uint64(len(c.recent)-1)]
		switch {
		case s.head == 0:
			b.showOther(c, b.rows[i], s.tail)
		case *recent == s:
			c.values++
		case c.addShort(b.rows[i], s):
			*recent = s
		}
	}
}

// showOther shows a column a cell that is no short text.
func (b *batch) showOther(c *column, row int64, place uint64) {
	switch place {
	case missing:
		c.nulls++
	case blank:
		c.empty++
	default:
		start, length := place>>lengthBits, place&(1<<lengthBits-1)
		c.addLong(row, b.long[start:start+length])
	}
}
