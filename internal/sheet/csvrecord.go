package sheet

import (
	"bytes"
	"fmt"

	"sheetdrop/internal/sheet/charset"
	"sheetdrop/internal/sheet/csv"
)

func (f *csvFile) nextRecord(rec *Record) (shape, error) {
	r, err := f.scanner.Next()
	if err != nil {
		return shape{}, err
	}
	f.rec = r
	f.no++
	rec.No, rec.Line, rec.Offset = f.no, r.Line, r.Offset
	if r.Fault != csv.NoFault {
		code, message := f.fault()
		rec.fail(code, r.FaultColumn, message)
	}
	f.dropTrailing()
	f.readCells(rec)
	skip := isBlank(r) || f.no <= f.layout.preamble || r.Offset >= f.layout.footer
	return shape{skip: skip, broken: r.Fault != csv.NoFault, size: len(r.Raw), width: r.Width}, nil
}

// dropTrailing leaves out the empty cell behind the last delimiter where all records have one.
func (f *csvFile) dropTrailing() {
	r := f.rec
	if !f.layout.trailing || r.Width != f.layout.columns+1 || len(r.Fields) != r.Width || r.Fields[r.Width-1] != (csv.Field{Start: int32(len(r.Raw)), End: int32(len(r.Raw))}) {
		return
	}
	r.Width--
	r.Fields = r.Fields[:r.Width]
}

// readCells makes the record's cells, with an error for each that is no text. Such a cell is nil.
func (f *csvFile) readCells(rec *Record) {
	r := f.rec
	direct := f.enc.Encoding.Direct(r.Raw)
	cells := rec.Cells
	f.text = f.text[:0]
	for i, field := range r.Fields {
		cell := r.Raw[field.Start:field.End:field.End]
		if !direct && !charset.IsASCII(cell) {
			cell = f.decode(rec, i, cell)
		}
		if field.Escaped && cell != nil {
			start := len(f.text)
			f.text = f.scanner.AppendText(f.text, cell)
			cell = f.text[start:len(f.text):len(f.text)]
		}
		cells = append(cells, cell)
	}
	rec.Cells = cells
	if r.NUL {
		refuseNUL(rec)
	}
}

// decode gives the text of cell i.
func (f *csvFile) decode(rec *Record, i int, cell []byte) []byte {
	start := len(f.text)
	text, bad := f.enc.Encoding.AppendText(f.text, cell)
	f.text = text
	if bad < 0 {
		return text[start:len(text):len(text)]
	}
	at := f.rec.Offset + f.enc.Encoding.Width(f.rec.Raw[:int(f.rec.Fields[i].Start)+bad])
	rec.fail(InvalidEncoding, i+1, fmt.Sprintf("The text is not %s at offset %d of the file.", f.enc.Encoding.Name(), at))
	return nil
}

func refuseNUL(rec *Record) {
	for i, cell := range rec.Cells {
		if bytes.IndexByte(cell, 0) >= 0 {
			rec.fail(InvalidCharacter, i+1, "The cell holds the character U+0000, which a database's text cannot.")
		}
	}
}

// fault says why the record could not be split.
func (f *csvFile) fault() (Code, string) {
	const goesOn = "; reading went on at the line below the quote."
	limit := f.scanner.RecordBytes
	switch f.rec.Fault {
	case csv.TooLong:
		return RecordTooLong, fmt.Sprintf("The record is longer than %d bytes, of which the first are kept; reading went on at the next line.", limit)
	case csv.OpenAtEnd:
		return UnbalancedQuote, "The quote that opens this cell is not closed before the file ends" + goesOn
	case csv.OpenAtLimit:
		return UnbalancedQuote, fmt.Sprintf("The quote that opens this cell is not closed within %d bytes", limit) + goesOn
	case csv.OpenAtQuote:
		return UnbalancedQuote, "The quote that opens this cell is not closed before another cell's quote opens" + goesOn
	default:
		return UnbalancedQuote, "The quote that opens this cell is not closed in its line, and the file has many such quotes" + goesOn
	}
}

// raw gives the record's bytes as they stand in the file.
func (f *csvFile) raw(*Record) []byte {
	f.source = f.enc.Encoding.AppendSource(f.source[:0], f.rec.Raw)
	return f.source
}

// isBlank reports whether the record is an empty line, or one of spaces. A quoted empty cell is not blank.
func isBlank(r *csv.Record) bool {
	return r.Width == 1 && r.Fault == csv.NoFault && len(bytes.Trim(r.Raw, " \t")) == 0
}
