package main

import (
	"fmt"

	"sheetdrop/internal/sheet"
	"sheetdrop/internal/task"
)

// previewPrinter prints for people: of each sheet the first rows and rejects, and how many there are.
type previewPrinter struct {
	out    *output
	name   string // the file's
	start  sheetStart
	counts task.Counts
}

// sheetStart is the first of what a sheet has.
type sheetStart struct {
	rows    [][]any
	rejects [][]reject // by record
}

func (f *sheetStart) add(rec *sheet.Record) {
	switch {
	case rec.Kind == sheet.Row && len(f.rows) < previewRows:
		cells := make([]any, len(rec.Cells))
		for i, cell := range rec.Cells {
			cells[i] = string(cell)
		}
		f.rows = append(f.rows, cells)
	case rec.Kind == sheet.Reject && len(f.rejects) < previewRejects:
		f.rejects = append(f.rejects, rejectsOf(rec))
	}
}

// rejectsOf returns what is wrong with a record as the API does.
func rejectsOf(rec *sheet.Record) []reject {
	list := make([]reject, len(rec.Errors))
	for i, e := range rec.Errors {
		list[i] = reject{RowNo: rec.No, Code: string(e.Code), Message: e.Message, MessageJA: e.MessageJA, ColumnName: new(e.ColumnName)}
		if rec.Ref != "" {
			list[i].CellRef = new(rec.Ref)
		} else {
			list[i].Line = new(rec.Line)
		}
	}
	return list
}

func (p *previewPrinter) file(*sheet.Book, int64) error { return nil }

func (p *previewPrinter) sheet(*sheet.Sheet) error {
	p.start = sheetStart{}
	return nil
}

func (p *previewPrinter) record(_ *sheet.Sheet, rec *sheet.Record) error {
	p.start.add(rec)
	return nil
}

func (p *previewPrinter) sheetEnd(s *sheet.Sheet, n task.Counts) error {
	p.counts.Add(n)
	title := sheetTitle(p.name, s)
	if s.LeftOut() {
		p.out.printf("%s: hidden, not read\n\n", title)
		return nil
	}
	p.out.printf("%s\n", title)
	if len(p.start.rows) > 0 {
		page := rowPage{Rows: p.start.rows}
		for _, c := range s.Columns() {
			page.Columns = append(page.Columns, rowColumn{c.Name, string(c.Type)})
		}
		p.out.printf("%s", rowTable(page))
		p.out.more(n.Loaded, len(p.start.rows))
	}
	printRejects(p.out, p.start.rejects, n.Rejected)
	p.out.printf("%s", hints(s.Columns(), s.Warnings()))
	p.out.printf("\n")
	return p.out.writeFull()
}

func (p *previewPrinter) end(refusal *sheet.Refusal) error {
	if refusal == nil {
		p.out.printf("%s: %s\n", printable(p.name), countsText(p.counts))
	}
	return p.out.flush()
}

func sheetTitle(file string, s *sheet.Sheet) string {
	if s.Name() == "" {
		return printable(file)
	}
	return printable(file) + ", sheet " + printable(s.Name())
}

func printRejects(out *output, first [][]reject, all int64) {
	if len(first) == 0 {
		return
	}
	out.printf("  could not be read:\n%s", rejectTable(first))
	out.more(all, len(first))
}

func countsText(n task.Counts) string {
	return fmt.Sprintf("%d %s read: %d accepted, %d rejected, %d skipped", n.Read, plural(int(n.Read), "row"), n.Loaded, n.Rejected, n.Skipped)
}
