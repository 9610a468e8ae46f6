package sheet

import (
	"context"
	"fmt"

	"sheetdrop/internal/sheet/dialect"
	"sheetdrop/internal/sheet/xlsx"
)

// xlsxRows reads a worksheet's rows as records.
type xlsxRows struct {
	ctx      context.Context
	rows     *xlsx.Rows
	ahead    ahead // rows that are read and not returned yet
	err      error // with which reading rows ended
	layout   dialect.Layout
	preamble int64     // rows up to this number are above the table
	below    int64     // rows from this number on are below it; 0 if there are none, or the end is not reached
	row      *xlsx.Row // the current one
	waiting  bool      // it has not been returned yet, because blank rows come first
	last     int64     // the highest row number so far
	blanks   *int64    // how many more blank rows may be returned
	warned   warnings
	source   []byte // memory for raw
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
		return shape{skip: SkipBlank}, nil
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
	skip := SkipReason("")
	switch {
	case row.No <= x.preamble:
		skip = SkipAbove
	case x.below > 0 && row.No >= x.below:
		skip = SkipBelow
	}
	return shape{skip: skip, broken: cut, size: size, width: width, values: len(row.Cells)}, nil
}

// isBlankBefore reports whether the current row follows a blank one that was not returned yet.
func (x *xlsxRows) isBlankBefore() bool {
	if x.row.Displaced || x.row.No <= x.last+1 || *x.blanks == 0 {
		return false
	}
	*x.blanks--
	return true
}

// place puts the row's values into their columns and records what is wrong with them. A value without a certain
// position is placed nowhere, and one that is not text is left out; raw has both. It returns the width up to the last
// non-empty value, and the bytes of text.
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
		switch {
		case c.Kind == xlsx.ErrorText: // of a formula: there is no value
			x.warned.add(ErrorValue, x.row.No, c.Column)
		case isText(c):
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

// isDisplaced reports whether the cell has no position, or one that is already used.
func isDisplaced(c *xlsx.Cell) bool { return c.Column == 0 || c.Fault == xlsx.DuplicateCell }

// isText reports whether the cell means what its text says.
func isText(c *xlsx.Cell) bool {
	return c.Kind != 0 && c.Fault != xlsx.InvalidEncoding && c.Fault != xlsx.MissingSharedString
}

// raw returns the row's texts with tabs between the columns, followed by one line for each text without a position,
// after its reference.
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
