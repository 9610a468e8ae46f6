package xlsb

import (
	"errors"
	"io"

	"sheetdrop/internal/sheet/grid"
)

// Rows reads a worksheet's rows in file order, which is ascending in a well-formed workbook.
type Rows struct {
	book    *Book
	sheet   *sheet
	records *records
	builder grid.Builder
	viewTop int64 // how many rows are above those that the view begins with
	frozen  int64 // the last row that does not scroll; 0 if there is none
	inData  bool
	ended   bool // what follows are no cells
	inRow   bool
	level   uint8        // of the row
	column  uint32       // of the next cell, if it does not say which, from 0
	text    []byte       // memory for a cell's text
	behind  []grid.Range // merged ranges, which follow the cells
	err     error
}

func (b *Book) openRows(s *sheet) (*Rows, error) {
	if s.part == "" {
		return nil, grid.Damaged("one of its sheets refers to no part")
	}
	r := &Rows{book: b, sheet: s, builder: grid.Builder{Limits: b.options.Limits, Cells: &b.cells, FillDown: b.options.FillDown}}
	if b.options.FillDown {
		if err := b.eachMerged(s.part, r.builder.Expect); err != nil {
			return nil, err
		}
	}
	var err error
	r.records, err = b.records(s.part, false)
	return r, err
}

// Next returns the next row, and io.EOF after the last one. A *grid.Error says that the workbook turned out to be unreadable; any other
// error is that of the source or of the temporary file.
func (r *Rows) Next() (*grid.Row, error) {
	for r.err == nil {
		var row *grid.Row
		if row, r.err = r.advance(); row != nil && r.err == nil {
			return row, nil
		}
	}
	return nil, r.err
}

// advance reads the next record, and returns the row that ends before it, nil if none does. The part is read to its end, behind which its
// checksum is.
func (r *Rows) advance() (*grid.Row, error) {
	rec := r.records
	if err := rec.next(); err != nil {
		if errors.Is(err, io.EOF) && !r.ended {
			err = rec.damaged()
		}
		return nil, err
	}
	switch {
	case r.inData && rec.id == idRow:
		return r.beginRow()
	case r.inData && rec.id == idEndData:
		r.inData, r.ended = false, true
		return r.endRow()
	case r.inData:
		return nil, r.readCell()
	case r.ended && rec.id == idMerged:
		if area, ok := rec.area(0); ok && len(r.behind) < grid.MaxMerged {
			r.behind = append(r.behind, area)
		}
	case r.ended:
	case rec.id == idBeginData:
		r.inData = true
	case rec.id == idBeginView:
		r.viewTop = min(int64(rec.data.Long(6)), grid.LastRow)
	case rec.id == idPane:
		r.readPane()
	}
	return nil, nil
}

// beginRow begins a row, and returns the one before, nil if there is none or it is empty.
func (r *Rows) beginRow() (*grid.Row, error) {
	if len(r.records.data) < 4 {
		return nil, r.records.damaged()
	}
	row, err := r.endRow()
	r.builder.Begin(int64(r.records.data.Long(0)) + 1)
	r.inRow, r.level, r.column = true, 0, 0
	const at, levelBits = 11, 7
	if data := r.records.data; len(data) > at {
		r.level = data[at] & levelBits
	}
	return row, err
}

// endRow returns the row that was being read, nil if there was none or it is empty.
func (r *Rows) endRow() (*grid.Row, error) {
	if !r.inRow {
		return nil, nil
	}
	r.inRow = false
	row, err := r.builder.Finish()
	if row != nil {
		row.Level = r.level
	}
	return row, err
}

// stored is a cell as in the record.
type stored struct {
	kind   int // as the record's id, of those with a column
	column uint32
	style  int
	value  int // where in the record it begins
}

// parseCell returns the cell of the current record; ok is false if the record is none.
func (r *Rows) parseCell() (s stored, ok bool) {
	const styleBits = 0xFFFFFF
	rec := r.records
	switch s.kind = rec.id; {
	case s.kind >= idBlank && s.kind <= idErrorResult, s.kind == idRichText:
		s.column, s.style, s.value = rec.data.Long(0), int(rec.data.Long(4)&styleBits), 8
		return s, true
	case s.kind >= idShortBlank && s.kind <= idShortShared:
		s.kind -= idShortBlank - idBlank
		s.column, s.style, s.value = r.column, int(rec.data.Long(0)&styleBits), 4
		return s, true
	}
	return s, false
}

// valueBytes is the number of bytes of values that have always as many.
var valueBytes = [...]int{
	idRK: 4, idError: 1, idBoolean: 1, idReal: 8, idShared: 4, idNumberResult: 8, idBoolResult: 1, idErrorResult: 1, idRichText: 0,
}

// readCell adds the cell of the current record to the row.
func (r *Rows) readCell() error {
	s, ok := r.parseCell()
	if !ok {
		return nil
	}
	if !r.inRow || len(r.records.data) < s.value+valueBytes[s.kind] {
		return r.records.damaged()
	}
	c := grid.Cell{Column: int(s.column) + 1, Strong: r.book.styles.Strong(s.style), Indent: r.book.styles.Indent(s.style)}
	if r.column = s.column + 1; s.column >= grid.LastColumn {
		c.Column, r.column = 0, grid.LastColumn
	}
	if s.kind == idBlank {
		return nil
	}
	if err := r.convert(&c, s); err != nil {
		return err
	}
	r.book.styles.Show(&c, s.style)
	if c.Column == 0 {
		c.Flaw(grid.BadReference)
	}
	r.builder.Add(c)
	return nil
}

// convert sets the cell's value. The result of a formula stands where a value does.
func (r *Rows) convert(c *grid.Cell, s stored) (err error) {
	rec, at, ok := r.records, s.value, true
	switch s.kind {
	case idRK:
		r.setNumber(c, s.style, grid.RK(rec.data.Long(at)))
	case idReal, idNumberResult:
		r.setNumber(c, s.style, rec.data.Double(at))
	case idBoolean, idBoolResult:
		c.SetBoolean(rec.data[at])
	case idError, idErrorResult:
		c.SetError(rec.data[at])
	case idShared:
		r.text, err = r.book.table.SetShared(c, r.text[:0], int64(rec.data.Long(at)))
	case idText, idTextResult:
		r.text, _, ok = rec.appendText(r.text[:0], at, r.book.options.Limits.CellBytes)
		c.Kind, c.Text = grid.Text, r.text
	case idRichText:
		r.text, err = r.book.appendRich(r.text[:0], rec, at)
		c.Kind, c.Text = grid.Text, r.text
	}
	if !ok {
		err = rec.damaged()
	}
	return err
}

// setNumber sets the cell's value to a number, or to the date that it is displayed as.
func (r *Rows) setNumber(c *grid.Cell, style int, value float64) {
	r.text = c.SetDouble(r.text[:0], value, r.book.styles.Format(style), r.book.date1904)
}
