package reading

import (
	"sheetdrop/cmd/sheetdrop/internal/report"
	"sheetdrop/cmd/sheetdrop/internal/terminal"
	"sheetdrop/cmd/sheetdrop/internal/words"
	"sheetdrop/internal/sheet"
	"sheetdrop/internal/task"
)

// previewPrinter prints the first rows and rejects of each sheet, and how many there are, for people.
type previewPrinter struct {
	out    *output
	name   string // the file's
	start  sheetStart
	counts task.Counts
}

// sheetStart keeps the first rows and rejects of a sheet.
type sheetStart struct {
	rows    [][]any
	rejects []report.Reject
}

func (f *sheetStart) add(rec *sheet.Record) {
	switch {
	case rec.Kind == sheet.Row && len(f.rows) < report.FirstRows:
		cells := make([]any, len(rec.Cells))
		for i, cell := range rec.Cells {
			cells[i] = string(cell)
		}
		f.rows = append(f.rows, cells)
	case rec.Kind == sheet.Reject && len(f.rejects) < report.FirstRejects:
		f.rejects = append(f.rejects, rejectOf(rec))
	}
}

func (p *previewPrinter) file(*sheet.Book, int64) error { return nil }

func (p *previewPrinter) sheet(*sheet.Sheet) error {
	p.start = sheetStart{}
	return nil
}

func (p *previewPrinter) record(_ *sheet.Sheet, rec *sheet.Record) error { //nolint:unparam // as a recordPrinter has it
	p.start.add(rec)
	return nil
}

func (p *previewPrinter) sheetEnd(s *sheet.Sheet, n task.Counts) error {
	p.counts.Add(n)
	title := sheetTitle(p.name, s)
	if s.LeftOut() {
		if s.Visible() {
			p.out.printf("%s: no table, not read\n\n", title)
		} else {
			p.out.printf("%s: hidden, not read\n\n", title)
		}
		return nil
	}
	p.out.printf("%s\n", title)
	if columns := columnsOf(s.Columns()); len(columns) > 0 {
		p.out.printf("%s", report.Rows(columns, p.start.rows, p.out.width))
		p.out.more(n.Loaded, len(p.start.rows))
	}
	printRejects(p.out, p.start.rejects, n.Rejected)
	p.out.printf("%s", report.Hints(columnsOf(s.Columns()), warningsOf(s.Warnings())))
	p.out.printf("\n")
	return p.out.writeFull()
}

func (p *previewPrinter) end(refusal *sheet.Refusal) error {
	if refusal == nil {
		p.out.printf("%s: %s\n", terminal.Printable(p.name), countsText(p.counts))
	}
	return p.out.flush()
}

func sheetTitle(file string, s *sheet.Sheet) string {
	if s.Name() == "" {
		return terminal.Printable(file)
	}
	return words.Sprintf("%s, sheet %s", terminal.Printable(file), terminal.Printable(s.Name()))
}

// printRejects prints the first rejects, and how many more there are, with the command that lists them.
func printRejects(out *output, first []report.Reject, all int64) {
	if len(first) == 0 {
		return
	}
	out.printf("%s", report.Rejects(first, out.width))
	if hidden := all - int64(len(first)); hidden > 0 {
		out.printf("  … %d more: sheetdrop parse FILE --format=ndjson lists all\n", hidden)
	}
}

func countsText(n task.Counts) string {
	rows := terminal.Plural(n.Read, "row")
	return words.Sprintf("%d %s read: %d accepted, %d rejected, %d skipped", n.Read, rows, n.Loaded, n.Rejected, n.Skipped)
}
