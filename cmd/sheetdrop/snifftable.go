package main

import (
	"fmt"
	"strconv"

	"sheetdrop/internal/sheet"
	"sheetdrop/internal/task"
)

// sniffTable prints for people what was found out, and from what.
type sniffTable struct {
	out     *output
	name    string // the file's
	options sheet.Options
	book    *sheet.Book
	start   sheetStart
}

func (p *sniffTable) file(book *sheet.Book, bytes int64) error {
	p.book = book
	p.out.printf("%s: %s, %d bytes\n", printable(p.name), book.Format(), bytes)
	return nil
}

// fact prints what was decided, and by whom.
func (p *sniffTable) fact(what, decided, option string) {
	source := "by the content"
	if option != "" {
		source = "by the option"
	}
	p.out.printf("  %-9s  %s, %s\n", what, decided, source)
}

func (p *sniffTable) sheet(*sheet.Sheet) error {
	p.start = sheetStart{}
	return nil
}

func (p *sniffTable) record(_ *sheet.Sheet, rec *sheet.Record) error {
	p.start.add(rec)
	return nil
}

func (p *sniffTable) sheetEnd(s *sheet.Sheet, n task.Counts) error {
	if !s.Visible() {
		p.out.printf("  sheet %s: hidden, not read\n", printable(s.Name()))
		return nil
	}
	if s.Name() != "" {
		p.out.printf("  sheet %s\n", printable(s.Name()))
	}
	d := s.Dialect()
	if encoding := p.book.Encoding(); encoding != "" {
		p.textFacts(encoding, d)
	}
	p.out.printf("  header     %d %s", d.HeaderRows, plural(d.HeaderRows, "row"))
	if d.PreambleRows > 0 {
		p.out.printf(" below %d of preamble", d.PreambleRows)
	}
	p.out.printf("\n  records    %s\n", countsText(n))
	p.out.printf("%s", columnTable(s.Columns()))
	printRejects(p.out, p.start.rejects, n.Rejected)
	return p.out.writeFull()
}

// textFacts prints what there is to decide of a text, and not of a workbook.
func (p *sniffTable) textFacts(encoding string, d sheet.Dialect) {
	p.fact("encoding", encoding, p.options.Encoding)
	p.fact("delimiter", signName(d.Delimiter), p.options.Delimiter)
	p.out.printf("  quote      %s\n  escape     %s\n  newline    %s\n", signName(d.Quote), signName(d.Escape), signName(d.Newline))
}

func (p *sniffTable) end(*sheet.Refusal) error { return p.out.flush() }

func columnTable(columns []sheet.Column) string {
	var t table
	t.add("column", "name", "type", "empty")
	for i, c := range columns {
		t.add(strconv.Itoa(i+1), c.Name, c.Type, fmt.Sprint(c.Nulls))
	}
	return t.String()
}

// signName is what people call a sign that cannot be seen well.
func signName(sign string) string {
	switch sign {
	case "":
		return "none"
	case ",":
		return "comma"
	case ";":
		return "semicolon"
	case "\t":
		return "tab"
	case " ":
		return "space"
	case "\r\n":
		return "CR LF"
	case "\n":
		return "LF"
	case "\r":
		return "CR"
	}
	return printable(sign)
}
