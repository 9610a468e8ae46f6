package pollution

import (
	"fmt"
	"strings"
)

func clean(t table) []Case { return []Case{rfc4180.file("RFC 4180", t)} }

func delimiters(t table) []Case {
	var list []Case
	for _, d := range []string{";", "\t", "|", ":", " ", "^", "~", "||", "::", "|~|", ", "} {
		s := rfc4180
		s.delimiter = d
		list = append(list, s.file(fmt.Sprintf("%q", d), t))
		if d != ", " {
			s.quote = ""
			list = append(list, s.unquoted(fmt.Sprintf("%q, nothing quoted", d), t))
		}
	}
	for i := range list {
		if strings.HasPrefix(list[i].Name, `", "`) {
			list[i].Dialect.Delimiter = "," // and spaces behind it
		}
	}
	return list
}

// unquoted writes a table that needs no quotes.
func (s style) unquoted(name string, t table) Case {
	c := s.file(name, t.plain(s.delimiter))
	c.Dialect.Quote, c.Dialect.Escape = "", ""
	return c
}

func quoting(t table) []Case {
	single, none := rfc4180, rfc4180
	single.quote, single.escape = "'", "'"
	none.quote = ""
	backticks := rfc4180
	backticks.quote, backticks.escape, backticks.all = "`", "`", true
	list := []Case{single.file("single quotes", t), backticks.file("all in backticks", t), none.unquoted("none", t)}
	for _, d := range []string{",", ";"} {
		all, singles := rfc4180, single
		all.all, singles.all, all.delimiter, singles.delimiter = true, true, d, d
		list = append(list, all.file(d+" all quoted", t), singles.file(d+" all in single quotes", t))
	}
	tabs := none
	tabs.delimiter = "\t"
	open := t.plain("\t")
	for i := range open.records { // quotes are text here
		open.records[i] = append([]string(nil), open.records[i]...)
		if i%3 == 0 {
			open.records[i][1] = `"` + open.records[i][1]
		}
		if i%4 == 0 {
			open.records[i][1] += ` 5"`
		}
	}
	c := tabs.file("tabs, quotes are text", open)
	c.Dialect.Quote, c.Dialect.Escape = "", ""
	return append(list, c)
}

func escapes(t table) []Case {
	back, all, semi := rfc4180, rfc4180, rfc4180
	back.escape = `\`
	all.escape, all.all = `\`, true
	semi.escape, semi.delimiter, semi.newline = `\`, ";", "\n"
	quoted := t
	quoted.records = nil
	for i, rec := range t.records {
		rec = append([]string(nil), rec...)
		if i%5 == 1 {
			rec[1] = `the "` + rec[1] + `", so called`
		}
		quoted.records = append(quoted.records, rec)
	}
	return []Case{back.file("backslash", quoted), all.file("backslash, all quoted", quoted), semi.file("backslash, semicolon", quoted)}
}

func newlines(t table) []Case {
	lf, cr := rfc4180, rfc4180
	lf.newline, cr.newline = "\n", "\r"
	list := []Case{lf.file("LF", t), cr.file("CR", t)}
	semi := lf
	semi.delimiter = ";"
	list = append(list, semi.file("LF, semicolon", t))
	var b strings.Builder
	for i, line := range rfc4180.lines(t) {
		b.WriteString(line + []string{"\r\n", "\n", "\r\n", "\n", "\r"}[i%5])
	}
	mixed := rfc4180.file("mixed", t)
	mixed.Content = []byte(b.String())
	return append(list, mixed)
}

func lastLineEnds(t table) []Case {
	none, doubled := rfc4180.file("none", t), rfc4180.file("doubled", t)
	none.Content = none.Content[:len(none.Content)-2]
	doubled.Content = append(doubled.Content, "\r\n"...)
	return []Case{none, doubled}
}

func trailingDelimiters(t table) []Case {
	var list []Case
	for _, d := range []string{",", ";"} {
		s := rfc4180
		s.delimiter = d
		lines := s.lines(t)
		for i := range lines {
			lines[i] += d
		}
		c := s.file(d+" in all records", t)
		c.Content = s.join(lines)
		list = append(list, c)
		lines = append([]string{s.line(t.header)}, lines[1:]...)
		c = s.file(d+" not in the header", t)
		c.Content = s.join(lines)
		list = append(list, c)
	}
	return list
}

func spaces(t table) []Case {
	var list []Case
	for _, d := range []string{",", ";"} {
		s := rfc4180
		s.delimiter = d
		quoted := s
		quoted.all = true
		for _, s := range []style{s, quoted} {
			name := map[bool]string{false: "some quoted", true: "all quoted"}[s.all]
			spaced := s
			spaced.delimiter = d + " "
			c := spaced.file(d+" "+name, t)
			lines := spaced.lines(t)
			lines[0] = s.line(t.header)
			c.Content = s.join(lines)
			c.Dialect.Delimiter = d
			list = append(list, c)
		}
	}
	return list
}
