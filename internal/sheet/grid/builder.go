package grid

import (
	"cmp"
	"fmt"
	"slices"
)

// Builder makes the rows of a worksheet from its cells, within the limits: a row's cells in the order of their columns, with
// faults where a value has no certain position or is too long. The zero value with Limits and Cells is ready for use.
type Builder struct {
	Limits   Limits
	Cells    *int64 // of all sheets so far
	FillDown bool   // repeat the value of a merged range in each row of its first column

	rows    [2]Row    // the current one, and the one before, which its reader may still look at
	texts   [2][]byte // memory for their text
	current int
	row     *Row // the current one
	bytes   int  // of the row's text
	inOrder bool // the cells' columns ascend
	seen    RowSet
	given   int64 // rows returned
	open    []span
	spans   int // bytes of the open ones' text
	merged  map[corner]int64
}

// corner is the first cell of a merged range of several rows.
type corner struct {
	row    int64
	column int
}

// span is a merged range of several rows.
type span struct {
	last  int64 // row
	value Cell
}

// Begin begins the row with that number. The row before stays as it was returned.
func (b *Builder) Begin(no int64) {
	b.current = 1 - b.current
	b.row = &b.rows[b.current]
	*b.row = Row{No: no, Cells: b.row.Cells[:0]}
	b.texts[b.current], b.bytes, b.inOrder = b.texts[b.current][:0], 0, true
}

// Add adds a cell, whose text it copies. The first of the row's faults stays.
func (b *Builder) Add(c Cell) {
	if len(c.Text) == 0 && c.Fault == "" && c.Warning == "" {
		return
	}
	n := len(b.row.Cells)
	if c.Column > b.Limits.Columns || n == b.Limits.Columns {
		b.fail(TooManyColumns)
		return
	}
	if len(c.Text) > b.Limits.CellBytes {
		c.Text = c.Text[:b.Limits.CellBytes]
		c.Flaw(CellTooLong)
	} else if c.Kind == Text {
		c.Flaw(TextFault(c.Text))
	}
	if b.bytes+len(c.Text) > b.Limits.RowBytes {
		b.fail(RecordTooLong)
		return
	}
	text := b.texts[b.current]
	start := len(text)
	text = append(text, c.Text...)
	b.texts[b.current], c.Text = text, text[start:len(text):len(text)]
	b.keep(c)
	if last, ok := b.merged[corner{b.row.No, c.Column}]; ok && len(c.Text) > 0 {
		b.Merge(c.Column, last)
	}
}

// Expect says before the first row that a range is merged.
func (b *Builder) Expect(m Range) {
	if b.FillDown && m.Bottom > m.Top {
		if b.merged == nil {
			b.merged = map[corner]int64{}
		}
		b.merged[corner{m.Top, m.Left}] = m.Bottom
	}
}

// Repeat adds the cell that was added last again, in the next columns.
func (b *Builder) Repeat(times int) {
	if len(b.row.Cells) == 0 {
		return
	}
	for c := b.row.Cells[len(b.row.Cells)-1]; times > 0 && b.row.Fault == ""; times-- {
		c.Column++
		if c.Column > b.Limits.Columns || len(b.row.Cells) == b.Limits.Columns {
			b.fail(TooManyColumns)
			return
		}
		if b.bytes+len(c.Text) > b.Limits.RowBytes {
			b.fail(RecordTooLong)
			return
		}
		b.keep(c)
	}
}

func (b *Builder) keep(c Cell) {
	b.bytes += len(c.Text)
	if n := len(b.row.Cells); n > 0 && c.Column <= b.row.Cells[n-1].Column {
		b.inOrder = false
	}
	b.row.Cells = append(b.row.Cells, c)
}

// Merge says that the cell that was added last, in that column, belongs to a range up to the row with that number.
func (b *Builder) Merge(column int, last int64) {
	n := len(b.row.Cells)
	if !b.FillDown || n == 0 || b.row.Cells[n-1].Column != column || last <= b.row.No {
		return
	}
	value := b.row.Cells[n-1]
	if b.spans+len(value.Text) > b.Limits.RowBytes || len(b.open) == b.Limits.Columns {
		return
	}
	value.Text = slices.Clone(value.Text)
	b.spans += len(value.Text)
	b.open = append(b.open, span{last, value})
}

func (b *Builder) fail(fault Code) {
	if b.row.Fault == "" {
		b.row.Fault = fault
	}
}

// fill adds the values of the ranges that began above.
func (b *Builder) fill() {
	own := len(b.row.Cells)
	b.open = slices.DeleteFunc(b.open, func(s span) bool {
		if b.row.No <= s.last {
			return false
		}
		b.spans -= len(s.value.Text)
		return true
	})
	for _, s := range b.open {
		if !slices.ContainsFunc(b.row.Cells[:own], func(c Cell) bool { return c.Column == s.value.Column }) {
			b.keep(s.value)
		}
	}
}

// Finish returns the row, or nil if nothing is in it. An *Error says that there are more rows or cells than allowed.
func (b *Builder) Finish() (*Row, error) {
	if len(b.open) > 0 {
		b.fill()
	}
	if b.row.IsEmpty() {
		return nil, nil
	}
	if !b.inOrder {
		slices.SortStableFunc(b.row.Cells, func(a, b Cell) int { return cmp.Compare(a.Column, b.Column) })
	}
	MarkDuplicates(b.row.Cells)
	return b.row, b.place()
}

// Again returns the row that was returned last once more, for the next row.
func (b *Builder) Again() (*Row, error) {
	b.row.No++
	return b.row, b.place()
}

// place checks that no other row has the number, and counts the row against the limits.
func (b *Builder) place() error {
	switch {
	case b.row.No > LastRow:
		b.row.Displaced = true
		b.fail(BadReference)
	case !b.seen.Add(b.row.No):
		b.row.Displaced = true
		b.fail(DuplicateRow)
	}
	if b.given++; b.given > b.Limits.Rows {
		return Refuse(TooManyRows, fmt.Sprintf("The sheet has more rows than the limit of %d.", b.Limits.Rows))
	}
	if *b.Cells += int64(len(b.row.Cells)); *b.Cells > b.Limits.Cells {
		return Refuse(TooManyCells, fmt.Sprintf("The workbook has more cells than the limit of %d.", b.Limits.Cells))
	}
	return nil
}
