package pollution

import "strings"

// style is how records are written.
type style struct {
	delimiter, quote, escape, newline string
	all                               bool // every cell is quoted
}

var rfc4180 = style{delimiter: ",", quote: `"`, escape: `"`, newline: "\r\n"}

func (s style) dialect() Dialect {
	return Dialect{Encoding: "utf-8", Delimiter: s.delimiter, Quote: s.quote, Escape: s.escape, Newline: s.newline, HeaderRows: 1}
}

func (s style) cell(text string) string {
	if s.quote == "" {
		return text
	}
	if !s.all && !strings.ContainsAny(text, "\r\n"+s.quote+`"`) && !strings.Contains(text, s.delimiter[:1]) &&
		(s.escape == s.quote || !strings.Contains(text, s.escape)) {
		return text
	}
	if s.escape != s.quote {
		text = strings.ReplaceAll(text, s.escape, s.escape+s.escape)
	}
	return s.quote + strings.ReplaceAll(text, s.quote, s.escape+s.quote) + s.quote
}

func (s style) line(cells []string) string {
	out := make([]string, len(cells))
	for i, c := range cells {
		out[i] = s.cell(c)
	}
	return strings.Join(out, s.delimiter)
}

// lines writes the table, the header first; lines have no ends yet.
func (s style) lines(t table) []string {
	list := []string{s.line(t.header)}
	for _, rec := range t.records {
		list = append(list, s.line(rec))
	}
	return list
}

func (s style) join(lines []string) []byte {
	return []byte(strings.Join(lines, s.newline) + s.newline)
}

// file returns the table as it is, in the style.
func (s style) file(name string, t table) Case {
	return Case{Name: name, Content: s.join(s.lines(t)), Want: t.content(), Dialect: s.dialect()}
}
