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

func (p *sniffTable) sheet(*sheet.Sheet) error {
	p.start = sheetStart{}
	return nil
}

func (p *sniffTable) record(_ *sheet.Sheet, rec *sheet.Record) error {
	p.start.add(rec)
	return nil
}

func (p *sniffTable) sheetEnd(s *sheet.Sheet, n task.Counts) error {
	if s.LeftOut() {
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
	p.out.printf("%s%s", dialectTable(s.Candidates()), columnTable(s.Columns()))
	printRejects(p.out, p.start.rejects, n.Rejected)
	p.out.printf("%s", hints(s.Columns(), s.Warnings()))
	return p.out.writeFull()
}

// textFacts prints what there is to decide of a text, and not of a workbook.
func (p *sniffTable) textFacts(encoding string, d sheet.Dialect) {
	o := p.options
	sure := fmt.Sprintf("by the content, confidence %.2f", p.book.EncodingConfidence())
	for _, fact := range []struct{ what, decided, option, otherwise string }{
		{"encoding", encoding, o.Encoding, sure},
		{"delimiter", signName(d.Delimiter), o.Delimiter, byContent},
		{"quote", signName(d.Quote), o.Quote, byContent},
		{"escape", signName(d.Escape), o.Escape, byContent},
		{"newline", signName(d.Newline), "", byContent},
	} {
		source := fact.otherwise
		if fact.option != "" {
			source = "by the option"
		}
		p.out.printf("  %-9s  %s, %s\n", fact.what, fact.decided, source)
	}
}

const byContent = "by the content"

func (p *sniffTable) end(*sheet.Refusal) error { return p.out.flush() }

// triedDialects are shown to say why the choice was made.
const triedDialects = 4

// dialectTable shows the best of the dialects that were tried, the choice first. One that was alone needs no reason.
func dialectTable(tried []sheet.Candidate) string {
	if len(tried) < 2 {
		return ""
	}
	var t table
	t.add("tried", "quote", "escape", "consistency", "types", "score")
	for _, c := range tried[:min(len(tried), triedDialects)] {
		t.add(signName(c.Delimiter), signName(c.Quote), signName(c.Escape), score(c.Consistency), score(c.Types), score(c.Score))
	}
	return t.String()
}

func score(x float64) string { return strconv.FormatFloat(x, 'f', 3, 64) }

func columnTable(columns []sheet.Column) string {
	var t table
	t.add("column", "name", "type", "format", "empty", "distinct", "least", "greatest")
	for i, c := range columns {
		t.add(strconv.Itoa(i+1), c.Name, string(c.Type), c.Format, fmt.Sprint(c.Nulls+c.Empty), fmt.Sprint(c.Distinct), c.Min, c.Max)
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
