package reading

import (
	"sheetdrop/internal/sheet"
	"sheetdrop/internal/sheet/csv"
	"sheetdrop/internal/task"
)

// csvPrinter prints a sheet's accepted rows as CSV (RFC 4180) in UTF-8 under the columns' unique names. Cells are unchanged, formulas too.
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
	p.out.pending = csv.AppendRecord(p.out.pending, emptyAsNothing(rec.Cells))
	return p.out.writeFull()
}

func (p *csvPrinter) sheetEnd(s *sheet.Sheet, _ task.Counts) error {
	p.header(s) // of a sheet without rows
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
	p.out.pending = csv.AppendRecord(p.out.pending, names)
}

// emptyAsNothing replaces empty cells by nil, which is written without quotes: "" would disturb people who look at the file.
func emptyAsNothing(cells [][]byte) [][]byte {
	for i, cell := range cells {
		if len(cell) == 0 {
			cells[i] = nil
		}
	}
	return cells
}
