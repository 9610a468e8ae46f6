package sheet

import (
	"bytes"
	"slices"
	"strings"

	"sheetdrop/internal/sheet/charset"
)

// readCells decodes the record's cells, with an error for each that is not valid in the encoding. Such a cell is nil.
func (f *csvFile) readCells(rec *Record) {
	r := f.rec
	direct := r.ASCII || f.enc.Encoding.Direct(r.Raw)
	f.text = f.text[:0]
	cells := slices.Grow(rec.Cells[:0], len(r.Fields))[:len(r.Fields)]
	for i, field := range r.Fields {
		cell := r.Raw[field.Start:field.End:field.End]
		plain := direct || charset.IsASCII(cell)
		if !plain || field.Escaped || len(cell) > 1 && (cell[0] == '=' || cell[0] == '\'') {
			cell = f.readCell(rec, i, cell, plain)
		}
		cells[i] = cell
	}
	rec.Cells = cells
	if r.NUL {
		refuseNUL(rec)
	}
}

// readCell decodes cell i, which is UTF-8 already if it is plain.
func (f *csvFile) readCell(rec *Record, i int, cell []byte, plain bool) []byte {
	if !plain {
		f.doubt(i + 1)
		cell = f.decode(rec, i, cell)
	}
	if f.rec.Fields[i].Escaped && cell != nil {
		start := len(f.text)
		f.text = f.split.AppendText(f.text, cell)
		cell = f.text[start:len(f.text):len(f.text)]
	}
	if len(cell) > 1 && (cell[0] == '=' || cell[0] == '\'') {
		cell = f.unwrap(i+1, cell)
	}
	return cell
}

// unwrap returns the text of a cell that begins with an equals sign or an apostrophe, by which a spreadsheet is kept from reading it as a
// number: ="00123" and '00123.
func (f *csvFile) unwrap(column int, cell []byte) []byte {
	n := len(cell)
	switch {
	case cell[0] == '\'' && isMarkedNumber(cell[1:]):
		f.warned.add(TextApostrophe, f.no, column)
		return cell[1:]
	case n < len(`=""`) || cell[0] != '=' || cell[1] != '"' || cell[n-1] != '"' || bytes.IndexByte(cell[2:n-1], '"') >= 0:
		return cell
	}
	f.warned.add(TextFormula, f.no, column)
	return cell[2 : n-1 : n-1]
}

// isMarkedNumber reports whether a cell has digits and marks alone, as numbers, dates and telephone numbers have. A year's
// apostrophe has nothing but two digits behind it: '99.
func isMarkedNumber(cell []byte) bool {
	if len(cell) <= len("99") {
		return false
	}
	digits := 0
	for _, c := range cell {
		switch {
		case c >= '0' && c <= '9':
			digits++
		case strings.IndexByte(" +-./:,()", c) < 0:
			return false
		}
	}
	return digits > 0
}

// decode returns the text of cell i.
func (f *csvFile) decode(rec *Record, i int, cell []byte) []byte {
	start := len(f.text)
	text, bad := f.enc.Encoding.AppendText(f.text, cell)
	f.text = text
	if bad < 0 {
		return text[start:len(text):len(text)]
	}
	at := f.rec.Offset + f.enc.Encoding.Width(f.rec.Raw[:int(f.rec.Fields[i].Start)+bad])
	rec.fail(noText, i+1, f.enc.Encoding.Name(), at)
	return nil
}

func refuseNUL(rec *Record) {
	for i, cell := range rec.Cells {
		if bytes.IndexByte(cell, 0) >= 0 {
			rec.fail(hasNUL, i+1)
		}
	}
}
