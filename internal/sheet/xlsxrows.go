package sheet

import (
	"context"
	"fmt"

	"sheetdrop/internal/sheet/xlsx"
)

// xlsxRows are a worksheet's rows as records.
type xlsxRows struct {
	ctx      context.Context
	rows     *xlsx.Rows
	head     []*xlsx.Row // the first rows, as far as they are still to be given
	err      error       // how the reading of rows ended
	preamble int64       // rows up to this one stand above the table
	row      *xlsx.Row   // the one at hand
	waiting  bool        // it is still to be given, behind blank rows
	last     int64       // the highest number so far
	blanks   *int64      // blank rows that may still be given
	warned   warnings
	source   []byte // the memory of raw
}

func (x *xlsxRows) nextRecord(rec *Record) (shape, error) {
	if err := x.ctx.Err(); err != nil {
		return shape{}, fmt.Errorf("read the file: %w", err)
	}
	if !x.waiting {
		var err error
		if x.row, err = x.next(); err != nil {
			return shape{}, err
		}
	}
	rec.Offset = -1
	if x.waiting = x.isBlankBefore(); x.waiting {
		x.last++
		rec.No, rec.Ref = x.last, xlsx.Reference(1, x.last)
		return shape{skip: true}, nil
	}
	row := x.row
	rec.No = row.No
	if !row.Displaced {
		x.last = max(x.last, row.No)
	}
	if row.Fault != "" {
		rec.fail(rowFaults[row.Fault], 0)
	}
	width, size := x.place(rec)
	cut := row.Fault == xlsx.TooManyColumns || row.Fault == xlsx.RecordTooLong
	return shape{skip: row.No <= x.preamble, broken: cut, size: size, width: width, values: len(row.Cells)}, nil
}

// isBlankBefore reports whether the row at hand stands below a blank one that was not given yet.
func (x *xlsxRows) isBlankBefore() bool {
	if x.row.Displaced || x.row.No <= x.last+1 || *x.blanks == 0 {
		return false
	}
	*x.blanks--
	return true
}

// place puts the row's values at their columns, and notes what is wrong with them. A value without a sure place is put nowhere, and one that is
// no text is left out: raw has them. It returns the width up to the last value that is not empty, and the bytes of text.
func (x *xlsxRows) place(rec *Record) (width, size int) {
	first := 0
	for i := range x.row.Cells {
		c := &x.row.Cells[i]
		if c.Fault != "" {
			rec.fail(rowFaults[c.Fault], c.Column)
		}
		if c.Warning != "" {
			x.warned.add(Code(c.Warning), x.row.No, c.Column)
		}
		if isDisplaced(c) {
			continue
		}
		for len(rec.Cells) < c.Column {
			rec.Cells = append(rec.Cells, nil)
		}
		if isText(c) {
			rec.Cells[c.Column-1] = c.Text
		}
		size += len(c.Text)
		if len(c.Text) == 0 {
			continue
		}
		width = c.Column
		if first == 0 {
			first = c.Column
		}
	}
	rec.Ref = xlsx.Reference(max(1, first), x.row.No)
	return width, size
}

// isDisplaced reports whether the cell has no place, or one that is taken.
func isDisplaced(c *xlsx.Cell) bool { return c.Column == 0 || c.Fault == xlsx.DuplicateCell }

// isText reports whether the cell holds what its text says.
func isText(c *xlsx.Cell) bool {
	return c.Kind != 0 && c.Fault != xlsx.InvalidEncoding && c.Fault != xlsx.MissingSharedString
}

// raw returns the row's texts with tabs between the columns, and behind them in lines of their own those without a place, each behind its
// reference.
func (x *xlsxRows) raw(*Record) []byte {
	b, column := x.source[:0], 1
	for i := range x.row.Cells {
		c := &x.row.Cells[i]
		if isDisplaced(c) {
			continue
		}
		for ; column < c.Column; column++ {
			b = append(b, '\t')
		}
		b = append(b, c.Text...)
	}
	for i := range x.row.Cells {
		c := &x.row.Cells[i]
		if !isDisplaced(c) {
			continue
		}
		b = append(b, '\n')
		if c.Column > 0 {
			b = append(b, xlsx.Reference(c.Column, x.row.No)...)
		}
		b = append(append(b, '\t'), c.Text...)
	}
	x.source = b
	return b
}

func (x *xlsxRows) warnings() []Warning { return x.warned.list }
