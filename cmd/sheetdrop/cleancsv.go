package main

import (
	"bytes"
	"slices"

	"sheetdrop/internal/sheet"
	"sheetdrop/internal/task"
)

// csvPrinter prints a sheet's accepted rows as CSV (RFC 4180) in UTF-8 under the columns' unique names. Cells are as they are in the
// file, formulas too.
type csvPrinter struct {
	out    *output
	headed bool
}

func (p *csvPrinter) file(*sheet.Book, int64) error { return nil }

func (p *csvPrinter) sheet(*sheet.Sheet) error { return nil }

func (p *csvPrinter) record(s *sheet.Sheet, rec *sheet.Record) error {
	if rec.Kind != sheet.Row {
		return nil
	}
	p.header(s)
	p.out.pending = appendCSV(p.out.pending, rec.Cells)
	return p.out.writeFull()
}

func (p *csvPrinter) sheetEnd(s *sheet.Sheet, _ task.Counts) error {
	p.header(s) // which has no rows perhaps
	return nil
}

func (p *csvPrinter) end(*sheet.Refusal) error { return p.out.flush() }

func (p *csvPrinter) header(s *sheet.Sheet) {
	if p.headed || len(s.Columns()) == 0 {
		return
	}
	p.headed = true
	names := make([][]byte, len(s.Columns()))
	for i, c := range s.Columns() {
		names[i] = []byte(c.Name)
	}
	p.out.pending = appendCSV(p.out.pending, names)
}

func appendCSV(dst []byte, cells [][]byte) []byte {
	blank := !slices.ContainsFunc(cells, func(cell []byte) bool { return len(bytes.TrimSpace(cell)) > 0 })
	for i, cell := range cells {
		dst = appendComma(dst, i)
		if needsQuotes(cell) || blank && i == 0 { // a quoted cell makes a row of what would be a blank line
			dst = appendQuoted(dst, cell)
		} else {
			dst = append(dst, cell...)
		}
	}
	return append(dst, "\r\n"...)
}

// needsQuotes reports whether the cell would be read as something else. That goes beyond RFC 4180 for readers that guess the delimiter,
// strip spaces or look for a byte order mark.
func needsQuotes(cell []byte) bool {
	if len(cell) == 0 {
		return false
	}
	first, last := cell[0], cell[len(cell)-1]
	return first == ' ' || last == ' ' || bytes.ContainsAny(cell, ",;\t|\"\r\n") || bytes.HasPrefix(cell, []byte("\ufeff"))
}

func appendQuoted(dst, cell []byte) []byte {
	dst = append(dst, '"')
	for {
		i := bytes.IndexByte(cell, '"')
		if i < 0 {
			break
		}
		dst = append(append(dst, cell[:i+1]...), '"')
		cell = cell[i+1:]
	}
	return append(append(dst, cell...), '"')
}
