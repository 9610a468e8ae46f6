package xls

import (
	"fmt"
	"io"

	"sheetdrop/internal/sheet/grid"
)

// Rows reads a worksheet's rows in file order.
type Rows struct {
	book    *Book
	records *records
	builder grid.Builder
	row     int           // that is being read, from 0; -1 at first
	offset  int64         // of the worksheet in the stream
	levels  map[int]uint8 // of the rows that have one, which are told of before their cells
	text    []byte        // memory for a cell's text
	err     error
}

// Rows starts reading the worksheet with that number.
func (b *Book) Rows(number int) (grid.Rows, error) {
	if number < 1 || number > len(b.sheets) || b.sheets[number-1].Kind != grid.Worksheet {
		return nil, fmt.Errorf("the workbook has no worksheet %d", number)
	}
	offset := b.sheets[number-1].offset
	builder := grid.Builder{Limits: b.options.Limits, Cells: &b.cells, FillDown: b.options.FillDown}
	r := &Rows{book: b, row: -1, offset: offset, builder: builder}
	if b.options.FillDown {
		if err := eachMerged(recordsFrom(b.stream, offset), r.builder.Expect); err != nil {
			return nil, b.src.blame(err)
		}
	}
	r.records = recordsFrom(b.stream, offset)
	if !r.records.next() || r.records.id != idBOF {
		return nil, b.src.blame(grid.Damaged("one of its sheets is not where it should be"))
	}
	return r, nil
}

// eachMerged yields a worksheet's merged ranges, which follow its cells.
func eachMerged(records *records, yield func(grid.Range)) error {
	n := 0
	for depth := 0; records.next(); {
		switch records.id {
		case idBOF:
			depth++
		case idEOF:
			if depth--; depth <= 0 {
				return nil
			}
		case idMerged:
			for at := 2; at+8 <= len(records.data); at += 8 {
				if n++; n > grid.MaxMerged {
					return grid.Damaged("a sheet has more than %d merged ranges", grid.MaxMerged)
				}
				yield(grid.Range{
					Top: int64(records.data.Short(at)) + 1, Bottom: int64(records.data.Short(at+2)) + 1,
					Left: records.data.Short(at+4) + 1, Right: records.data.Short(at+6) + 1,
				})
			}
		}
	}
	return errTruncated()
}

// Known implements grid.Informed. A list of merged cells that cannot be read is none: the cells are read all the same.
func (r *Rows) Known(merged bool) (known grid.Known, err error) {
	if !merged {
		return known, nil
	}
	err = eachMerged(recordsFrom(r.book.stream, r.offset), func(m grid.Range) { known.Merged = append(known.Merged, m) })
	if err != nil {
		known.Merged, err = nil, r.book.src.err
	}
	return known, err
}

// Next returns the next row, and io.EOF after the last one.
func (r *Rows) Next() (*grid.Row, error) {
	for r.err == nil {
		row, err := r.advance()
		if r.err == nil {
			r.err = err
		}
		if row != nil && err == nil {
			return row, nil
		}
	}
	return nil, r.err
}

// advance reads the next record, and returns the row that ends before it, nil if none does.
func (r *Rows) advance() (*grid.Row, error) {
	rec := r.records
	if !rec.next() {
		return nil, r.book.src.blame(errTruncated())
	}
	switch rec.id {
	case idEOF:
		r.err = io.EOF
		return r.endRow()
	case idBOF:
		if !rec.skipNested() {
			return nil, r.book.src.blame(errTruncated())
		}
		return nil, nil
	case idRow:
		r.readLevel()
		return nil, nil
	case idLabelSST, idNumber, idRK, idMulRK, idFormula, idBoolErr, idLabel, idRichText:
	default:
		return nil, nil
	}
	if len(rec.data) < 6 {
		return nil, errTruncated()
	}
	if no := rec.data.Short(0); no != r.row {
		row, err := r.endRow()
		r.row = no
		r.builder.Begin(int64(no) + 1)
		if row != nil || err != nil {
			rec.back = true
			return row, err
		}
	}
	return nil, r.readCells()
}

// endRow returns the row that was being read, nil if there was none or it is empty.
func (r *Rows) endRow() (*grid.Row, error) {
	if r.row < 0 {
		return nil, nil
	}
	row, err := r.builder.Finish()
	if row != nil {
		row.Level = r.levels[r.row]
	}
	return row, err
}

// readLevel reads how deep the row that the current record tells of is grouped.
func (r *Rows) readLevel() {
	const at, levelBits = 12, 7
	if data := r.records.data; len(data) > at && data[at]&levelBits > 0 {
		if r.levels == nil {
			r.levels = map[int]uint8{}
		}
		r.levels[data.Short(0)] = data[at] & levelBits
	}
}

// readCells adds the cells of the current record to the row.
func (r *Rows) readCells() error {
	rec := r.records
	column := rec.data.Short(2)
	if rec.id != idMulRK {
		style := rec.data.Short(4)
		c := grid.Cell{Column: column + 1, Strong: r.book.styles.Strong(style), Indent: r.book.styles.Indent(style)}
		err := r.convert(&c, style)
		r.book.styles.Show(&c, style)
		r.builder.Add(c)
		return err
	}
	for at := 4; at+8 <= len(rec.data); at += 6 {
		c := grid.Cell{Column: column + 1, Strong: r.book.styles.Strong(rec.data.Short(at))}
		r.setNumber(&c, grid.RK(rec.data.Long(at+2)), rec.data.Short(at))
		r.book.styles.Show(&c, rec.data.Short(at))
		r.builder.Add(c)
		column++
	}
	return nil
}

// convert sets the cell to the value of the current record.
func (r *Rows) convert(c *grid.Cell, style int) (err error) {
	rec := r.records
	switch rec.id {
	case idLabelSST:
		r.text, err = r.book.table.SetShared(c, r.text[:0], int64(rec.data.Long(6)))
	case idNumber:
		r.setNumber(c, rec.data.Double(6), style)
	case idRK:
		r.setNumber(c, grid.RK(rec.data.Long(6)), style)
	case idBoolErr:
		if len(rec.data) < 8 {
			return errTruncated()
		}
		if rec.data[7] != 0 {
			c.SetError(rec.data[6])
		} else {
			c.SetBoolean(rec.data[6])
		}
	case idFormula:
		return r.setResult(c, style)
	default:
		var ok bool
		if r.text, ok = r.book.appendText(r.text[:0], rec, 6, 2); !ok {
			return r.book.src.blame(errTruncated())
		}
		c.Kind, c.Text = grid.Text, r.text
	}
	return err
}

// setNumber sets the cell's value to a number, or to the date that it is displayed as.
func (r *Rows) setNumber(c *grid.Cell, value float64, style int) {
	r.text = c.SetDouble(r.text[:0], value, r.book.styles.Format(style), r.book.date1904)
}

// The results of formulas that are no numbers ([MS-XLS] 2.5.133).
const (
	resultText = iota
	resultBoolean
	resultError
	resultEmpty
)

// setResult sets the cell's value to the stored result of a formula.
func (r *Rows) setResult(c *grid.Cell, style int) error {
	rec := r.records
	if len(rec.data) < 14 {
		return errTruncated()
	}
	if rec.data.Short(12) != 0xFFFF {
		r.setNumber(c, rec.data.Double(6), style)
		return nil
	}
	switch rec.data[6] {
	case resultBoolean:
		c.SetBoolean(rec.data[8])
	case resultError:
		c.SetError(rec.data[8])
	case resultText:
		return r.setString(c)
	case resultEmpty: // a text without characters
	default:
		c.Warning = grid.NoCachedValue
	}
	return nil
}

// between is how many records may stand between a formula and its text: those of formulas that several cells share.
const between = 4

// setString sets the cell's value to the text that follows its formula.
func (r *Rows) setString(c *grid.Cell) error {
	for range between {
		if !r.records.next() {
			return r.book.src.blame(errTruncated())
		}
		switch r.records.id {
		case idString:
			var ok bool
			if r.text, ok = r.book.appendText(r.text[:0], r.records, 0, 2); !ok {
				return r.book.src.blame(errTruncated())
			}
			c.Kind, c.Text = grid.Text, r.text
			return nil
		case idFormula, idLabelSST, idNumber, idRK, idMulRK, idBoolErr, idEOF, idBOF:
			r.records.back = true
			c.Warning = grid.NoCachedValue
			return nil
		}
	}
	c.Warning = grid.NoCachedValue
	return nil
}
