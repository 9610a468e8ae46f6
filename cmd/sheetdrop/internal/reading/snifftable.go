package reading

import (
	"strconv"

	"sheetdrop/cmd/sheetdrop/internal/report"
	"sheetdrop/cmd/sheetdrop/internal/terminal"
	"sheetdrop/cmd/sheetdrop/internal/words"
	"sheetdrop/internal/sheet"
	"sheetdrop/internal/task"
)

// sniffTable prints what was detected, and why, for people.
type sniffTable struct {
	out     *output
	name    string // the file's
	options sheet.Options
	book    *sheet.Book
	rejects []report.Reject // of the sheet
}

func (p *sniffTable) file(book *sheet.Book, bytes int64) error {
	p.book = book
	p.out.printf("%s: %s, %d bytes\n", terminal.Printable(p.name), book.Format(), bytes)
	return nil
}

func (p *sniffTable) sheet(*sheet.Sheet) error {
	p.rejects = nil
	return nil
}

func (p *sniffTable) reject(_ *sheet.Sheet, rec *sheet.Record) {
	p.rejects = append(p.rejects, rejectOf(rec))
}

func (p *sniffTable) sheetEnd(s *sheet.Sheet, n task.Counts) error {
	if s.LeftOut() {
		format := words.In("  sheet %s: hidden, not read\n")
		if s.Visible() {
			format = words.In("  sheet %s: no table, not read\n")
		}
		p.out.printf(format, terminal.Printable(s.Name()))
		return nil
	}
	if s.Name() != "" {
		p.out.printf("  sheet %s\n", terminal.Printable(s.Name()))
	}
	d := s.Dialect()
	if encoding := p.book.Encoding(); encoding != "" && d != (sheet.Dialect{}) { // JSON has none
		printTextDialect(p.out, p.options, encoding, p.book.EncodingConfidence(), d)
	}
	printHeaderLine(p.out, d)
	printFact(p.out, "records", countsText(n))
	p.out.printf("%s%s", candidateTable(s.Candidates()), columnTable(s.Columns(), p.out.width))
	printRejects(p.out, p.rejects, n.Rejected)
	p.out.printf("%s", report.Hints(columnsOf(s.Columns()), warningsOf(s.Warnings())))
	return p.out.writeFull()
}

func printHeaderLine(out *output, d sheet.Dialect) {
	below := ""
	if d.PreambleRows > 0 {
		below = words.Sprintf(" below %d of preamble", d.PreambleRows)
	}
	printFact(out, "header", words.Sprintf("%d %s%s", d.HeaderRows, terminal.Plural(int64(d.HeaderRows), "row"), below))
}

// factWidth is that of the names of facts, in English and in Japanese.
const factWidth = 10

func printFact(out *output, name, value string) {
	out.printf("  %s %s\n", terminal.Padded(words.In(name), factWidth), value)
}

// printTextDialect prints what has to be detected in a text, and not in a workbook.
func printTextDialect(out *output, o sheet.Options, encoding string, confidence float64, d sheet.Dialect) {
	byContent := words.In("by the content")
	detected := words.Sprintf("by the content, confidence %.2f", confidence)
	for _, fact := range []struct{ name, value, option, otherwise string }{
		{"encoding", encoding, o.Encoding, detected},
		{"delimiter", signName(d.Delimiter), o.Delimiter, byContent},
		{"quote", signName(d.Quote), o.Quote, byContent},
		{"escape", signName(d.Escape), o.Escape, byContent},
		{"newline", signName(d.Newline), "", byContent},
	} {
		source := fact.otherwise
		if fact.option != "" {
			source = words.In("by the option")
		}
		printFact(out, fact.name, fact.value+words.In(", ")+source)
	}
}

func (p *sniffTable) end(*sheet.Refusal) error { return p.out.flush() }

// shownCandidates is how many dialects that were tried are shown.
const shownCandidates = 4

// candidateTable shows the best of the dialects that were tried, the choice first. A single one is not shown.
func candidateTable(tried []sheet.Candidate) string {
	if len(tried) < 2 {
		return ""
	}
	var t terminal.Table
	t.Header("tried", "quote", "escape", "consistency", "types", "score")
	for _, c := range tried[:min(len(tried), shownCandidates)] {
		t.Add(signName(c.Delimiter), signName(c.Quote), signName(c.Escape), score(c.Consistency), score(c.Types), score(c.Score))
	}
	return t.String()
}

func score(x float64) string { return strconv.FormatFloat(x, 'f', 3, 64) }

func columnTable(columns []sheet.Column, width int) string {
	t := terminal.Table{UncutLast: true, Width: width}
	if width > 0 {
		t.Most = width / 4 // four of its columns have a text
	}
	t.Header("column", "name", "type", "format", "empty", "distinct", "least", "greatest")
	for i, c := range columns {
		empty, distinct := strconv.FormatInt(c.Nulls+c.Empty, 10), strconv.FormatInt(c.Distinct, 10)
		t.Add(strconv.Itoa(i+1), c.Name, string(c.Type), c.Format, empty, distinct, c.Min, c.Max)
	}
	return t.String()
}

// signName returns the name of a sign that is hard to see, and other signs unchanged.
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
	return terminal.Printable(sign)
}
