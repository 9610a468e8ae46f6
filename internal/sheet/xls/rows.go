package xls

import (
	"fmt"
	"io"
	"math"

	"sheetdrop/internal/sheet/grid"
)

// Rows reads a worksheet's rows in file order.
type Rows struct {
	book    *Book
	records *records
	builder grid.Builder
	row     int // that is being read, from 0; -1 at first
	merged  map[place]int
	offset  int64  // of the worksheet in the stream
	text    []byte // memory for a cell's text
	err     error
}

// place is a cell's row and column, from 0.
type place struct{ row, column int }

// Rows starts reading the worksheet with that number.
func (b *Book) Rows(number int) (grid.Rows, error) {
	if number < 1 || number > len(b.sheets) || b.sheets[number-1].Kind != grid.Worksheet {
		return nil, fmt.Errorf("the workbook has no worksheet %d", number)
	}
	offset := b.sheets[number-1].offset
	builder := grid.Builder{Limits: b.options.Limits, Cells: &b.cells, FillDown: b.options.FillDown}
	r := &Rows{book: b, row: -1, offset: offset, builder: builder}
	if b.options.FillDown {
		r.merged = map[place]int{}
		err := eachMerged(recordsFrom(b.stream, offset), func(m grid.Range) {
			if m.Bottom > m.Top {
				r.merged[place{int(m.Top) - 1, m.Left - 1}] = int(m.Bottom) - 1
			}
		})
		if err != nil {
			return nil, b.src.blame(err)
		}
	}
	r.records = recordsFrom(b.stream, offset)
	if !r.records.next() || r.records.id != idBOF {
		return nil, b.src.blame(grid.Damaged("one of its sheets is not where it should be"))
	}
	return r, nil
}

// maxMerged is the maximum number of merged ranges of a sheet.
const maxMerged = 1 << 18

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
				if n++; n > maxMerged {
					return grid.Damaged("a sheet has more than %d merged ranges", maxMerged)
				}
				yield(grid.Range{
					Top: int64(records.field(at)) + 1, Bottom: int64(records.field(at+2)) + 1,
					Left: records.field(at+4) + 1, Right: records.field(at+6) + 1,
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
	case idLabelSST, idNumber, idRK, idMulRK, idFormula, idBoolErr, idLabel, idRichText:
	default:
		return nil, nil
	}
	if len(rec.data) < 6 {
		return nil, errTruncated()
	}
	if no := rec.field(0); no != r.row {
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
	return r.builder.Finish()
}

// readCells adds the cells of the current record to the row.
func (r *Rows) readCells() error {
	rec := r.records
	column := rec.field(2)
	if rec.id != idMulRK {
		style := rec.field(4)
		c := grid.Cell{Column: column + 1, Strong: r.book.isStrongStyle(style)}
		err := r.convert(&c, style)
		r.add(c, column)
		return err
	}
	for at := 4; at+8 <= len(rec.data); at += 6 {
		c := grid.Cell{Column: column + 1, Strong: r.book.isStrongStyle(rec.field(at))}
		r.setNumber(&c, rk(rec.long(at+2)), rec.field(at))
		r.add(c, column)
		column++
	}
	return nil
}

func (r *Rows) add(c grid.Cell, column int) {
	r.builder.Add(c)
	if last, ok := r.merged[place{r.row, column}]; ok && len(c.Text) > 0 {
		r.builder.Merge(column+1, int64(last)+1)
	}
}

// convert sets the cell to the value of the current record.
func (r *Rows) convert(c *grid.Cell, style int) error {
	rec := r.records
	switch rec.id {
	case idLabelSST:
		return r.share(c, int64(rec.long(6)))
	case idNumber:
		r.setNumber(c, math.Float64frombits(rec.double(6)), style)
	case idRK:
		r.setNumber(c, rk(rec.long(6)), style)
	case idBoolErr:
		if len(rec.data) < 8 {
			return errTruncated()
		}
		setBoolErr(c, rec.data[6], rec.data[7] != 0)
	case idFormula:
		return r.setResult(c, style)
	default:
		var ok bool
		if r.text, ok = r.book.appendText(r.text[:0], rec, 6, 2); !ok {
			return r.book.src.blame(errTruncated())
		}
		c.Kind, c.Text = grid.Text, r.text
	}
	return nil
}

// share sets the cell's value to a shared string.
func (r *Rows) share(c *grid.Cell, i int64) (err error) {
	c.Kind = grid.Text
	table := r.book.table
	if table == nil || i >= int64(table.Len()) {
		c.Text = fmt.Appendf(nil, "%d", i)
		c.Flaw(grid.MissingSharedString)
		return nil
	}
	c.Text, r.text, err = table.AppendTo(r.text[:0], int(i))
	return err
}

// setNumber sets the cell's value to a number, or to the date that it is displayed as.
func (r *Rows) setNumber(c *grid.Cell, value float64, style int) {
	if math.IsNaN(value) || math.IsInf(value, 0) {
		c.Kind, c.Text = grid.ErrorText, []byte("#NUM!")
		return
	}
	r.text = c.SetNumber(r.text[:0], value, r.book.format(style), r.book.date1904)
}

// rk returns the number that four bytes stand for ([MS-XLS] 2.5.217): an integer of 30 bits, or the upper bits of a double,
// either of them perhaps a hundred times as large.
func rk(bits uint32) float64 {
	value := math.Float64frombits(uint64(bits&^3) << 32)
	if bits&2 != 0 {
		value = float64(int32(bits) >> 2)
	}
	if bits&1 != 0 {
		value /= 100
	}
	return value
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
	if rec.field(12) != 0xFFFF {
		r.setNumber(c, math.Float64frombits(rec.double(6)), style)
		return nil
	}
	switch rec.data[6] {
	case resultBoolean:
		setBoolErr(c, rec.data[8], false)
	case resultError:
		setBoolErr(c, rec.data[8], true)
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

// errorTexts are the errors that a cell may show.
var errorTexts = map[byte]string{
	0x00: "#NULL!", 0x07: "#DIV/0!", 0x0F: "#VALUE!", 0x17: "#REF!", 0x1D: "#NAME?", 0x24: "#NUM!", 0x2A: "#N/A", 0x2B: "#GETTING_DATA",
}

// setBoolErr sets the cell's value to a boolean or an error.
func setBoolErr(c *grid.Cell, value byte, isError bool) {
	switch {
	case isError:
		c.Kind, c.Text = grid.ErrorText, []byte(errorTexts[value])
		if len(c.Text) == 0 {
			c.Text = []byte("#ERROR!")
		}
	case value > 1:
		c.Kind, c.Text = grid.Text, fmt.Appendf(nil, "%d", value)
		c.Flaw(grid.BadValue)
	default:
		c.Kind, c.Text = grid.Boolean, []byte([]string{"FALSE", "TRUE"}[value])
	}
}
