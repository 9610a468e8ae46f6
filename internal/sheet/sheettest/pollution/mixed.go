package pollution

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/unicode"
)

// saidDelimiters begin with the line that tells spreadsheet programs the delimiter.
func saidDelimiters(t table) []Case {
	var list []Case
	for _, d := range []string{";", ",", "\t", "^"} {
		s := rfc4180
		s.delimiter = d
		c := s.file(fmt.Sprintf("%q", d), t)
		c.Content = append([]byte("sep="+d+s.newline), c.Content...)
		c.Dialect.PreambleRows = 1
		list = append(list, c)
	}
	return list
}

// comments are lines that begin with #. Between records they must be preserved, so that no reader loses any.
func comments(t table) []Case {
	first := rfc4180.file("first", t)
	first.Content = append([]byte("# made by hand\r\n#\r\n"), first.Content...)
	first.Dialect.PreambleRows = 2
	between := rfc4180.file("between records", t)
	lines := rfc4180.lines(t)
	between.Content = rfc4180.join(slices.Insert(lines, 6, "# checked up to here"))
	between.Want.Records = slices.Insert(between.Want.Records, 5, []string{"# checked up to here"})
	return []Case{first, between}
}

// paddings pad all cells of a column to one width; the spaces must be preserved.
func paddings(t table) []Case {
	var list []Case
	for _, d := range []string{";", "|", ","} {
		p := t.plain(d)
		widths := make([]int, len(p.header))
		rows := append([][]string{p.header}, p.records...)
		for _, rec := range rows {
			for i, cell := range rec {
				widths[i] = max(widths[i], len([]rune(cell))+1)
			}
		}
		padded := table{name: t.name}
		for _, rec := range rows {
			out := make([]string, len(rec))
			for i, cell := range rec {
				out[i] = cell + strings.Repeat(" ", widths[i]-len([]rune(cell)))
			}
			padded.records = append(padded.records, out)
		}
		padded.header, padded.records = padded.records[0], padded.records[1:]
		s := rfc4180
		s.delimiter = d
		list = append(list, s.file(fmt.Sprintf("%q", d), padded))
	}
	return list
}

// pages repeat the header on each page, below a blank line.
func pages(t table) []Case {
	c := rfc4180.file("of eight records", t)
	lines := rfc4180.lines(t)
	out := lines[:1:1]
	for i, line := range lines[1:] {
		if i > 0 && i%8 == 0 {
			out = append(out, "", lines[0])
		}
		out = append(out, line)
	}
	c.Content = rfc4180.join(out)
	return []Case{c}
}

// lastCharacters end with what old programs write at the end of a file.
func lastCharacters(t table) []Case {
	c := rfc4180.file("Ctrl+Z", t)
	c.Content = append(c.Content, '\x1a')
	return []Case{c}
}

// several are files with more than one defect, as reports have.
func several(t table) []Case {
	bank := rfc4180
	bank.delimiter, bank.all = ";", true
	lines := bank.lines(t)
	for i := range lines {
		lines[i] += ";"
	}
	statement := bank.file("statement", t)
	statement.Content = bank.join(append([]string{`"Account";"12345";`, `"From";"2024-01-01";`, ""}, lines...))
	statement.Dialect.PreambleRows = 3
	report := rfc4180
	report.delimiter, report.newline = "\t", "\n"
	tabs := report.file("report with a title, a blank line and notes", t)
	tabs.Content = report.join(
		slices.Concat([]string{"Report of the office", ""}, report.lines(t), []string{"", "Source: Registry", "* estimated"}),
	)
	tabs.Dialect.PreambleRows = 2
	padding := strings.Repeat(",", len(t.header)-1)
	sheet := rfc4180.file("sheet with padded lines", t)
	sheet.Content = rfc4180.join(
		slices.Concat([]string{"Report" + padding, "as of May" + padding}, rfc4180.lines(t), []string{"Note: final" + padding}),
	)
	sheet.Dialect.PreambleRows = 2
	long := rfc4180.file("more prose than the table is wide", t)
	var prose []string
	for i := range 12 {
		prose = append(prose, "This is line "+strings.Repeat("i", i+1)+" of what is to be known.")
	}
	long.Content = rfc4180.join(append(prose, rfc4180.lines(t)...))
	long.Dialect.PreambleRows = len(prose)
	return append([]Case{statement, tabs, sheet, long}, inEncodings(tabs, t)...)
}

// inEncodings writes the file in other encodings.
func inEncodings(c Case, t table) []Case {
	wide, local := c, c
	wide.Name += ", UTF-16"
	wide.Content = encode(unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), c.Content)
	wide.Dialect.Encoding = "utf-16le"
	local.Name += ", local"
	if t.isJapanese() {
		local.Dialect.Encoding, local.Content = "cp932", encode(japanese.ShiftJIS, c.Content)
		return []Case{wide, local}
	}
	text := strings.ReplaceAll(string(c.Content), "Łódź", "Lodz")
	local.Content = encode(charmap.Windows1252, []byte(text+"© Office\n"))
	local.Dialect.Encoding = "windows-1252"
	local.Want.Records = slices.Clone(c.Want.Records)
	for i, rec := range local.Want.Records {
		local.Want.Records[i] = slices.Clone(rec)
		for j := range rec {
			local.Want.Records[i][j] = strings.ReplaceAll(rec[j], "Łódź", "Lodz")
		}
	}
	return []Case{wide, local}
}

// large files are read by samples.
func large(t table) []Case {
	if t.name != "stations" && t.name != "orders" {
		return nil
	}
	many := t
	many.records = nil
	for len(many.records) < 12_000 {
		many.records = append(many.records, t.records...)
	}
	plain := rfc4180.file("as it is", many)
	footed := rfc4180.file("with a footer", many)
	footed.Content = append(footed.Content, "\r\nSource: Registry\r\n"...)
	titled := rfc4180.file("with a title", many)
	titled.Content = append([]byte("A title\r\n\r\n"), titled.Content...)
	titled.Dialect.PreambleRows = 2
	return []Case{plain, footed, titled}
}
