package types

// Table observes the cells of a sheet's rows and determines the types of its columns. It is not safe for concurrent
// use.
type Table struct{ columns []column }

// usualColumns is the width beyond which tables do not cache recent values, to save 4 KiB per column, and keep only one
// example and misfit.
const usualColumns = 1024

// NewTable returns an empty Table with this many columns.
func NewTable(columns int) *Table {
	t := &Table{columns: make([]column, columns)}
	for i := range t.columns {
		t.columns[i] = newColumn()
		c := &t.columns[i]
		if columns > usualColumns {
			c.profile.examplesKept, c.misses.room = 1, 1
		} else {
			c.recent = new([1 << recentBits]short)
		}
	}
	return t
}

// Add adds the cells of a row, one for each column: nil for cells that the file does not have. They are UTF-8 without
// U+0000. A cell of white space counts as empty. Add does not retain cells.
func (t *Table) Add(row int64, cells [][]byte) {
	columns := t.columns
	for i, cell := range cells[:len(columns)] {
		c := &columns[i]
		var s short
		switch n := len(cell); {
		case n == 0:
			c.addEmpty(cell == nil)
			continue
		case n <= 8:
			s.head = headOf(cell)
		case n <= shortBytes:
			s.head, s.tail = word(cell), tailOf(cell)
		default:
			c.addLong(row, cell)
			continue
		}
		if c.recent == nil {
			c.addShort(row, s)
		} else if recent := &c.recent[s.place()]; *recent == s {
			c.values++
		} else if c.addShort(row, s) {
			*recent = s
		}
	}
}
