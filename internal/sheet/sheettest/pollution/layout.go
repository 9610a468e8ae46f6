package pollution

import (
	"fmt"
	"slices"
	"strings"
)

func headers(t table) []Case {
	none := rfc4180.file("none", t)
	none.Content = rfc4180.join(rfc4180.lines(t)[1:])
	none.Want.Header, none.Dialect.HeaderRows = nil, 0
	doubled := rfc4180.file("doubled", t)
	lines := rfc4180.lines(t)
	doubled.Content = rfc4180.join(slices.Insert(lines, 0, lines[0]))
	some, twice := t, t
	some.header, twice.header = slices.Clone(t.header), slices.Clone(t.header)
	some.header[1] = ""
	if len(some.header) > 4 {
		some.header[len(some.header)-1] = ""
	}
	twice.header[len(twice.header)-1] = twice.header[1]
	list := []Case{none, doubled, rfc4180.file("empty cells", some), rfc4180.file("one name twice", twice)}
	repeated := rfc4180.file("repeated in the middle", t)
	lines = rfc4180.lines(t)
	repeated.Content = rfc4180.join(slices.Insert(lines, len(lines)/2, lines[0]))
	return append(list, repeated)
}

func headerRows(t table) []Case {
	groups, units := make([]string, len(t.header)), make([]string, len(t.header))
	span := min(4, (len(t.header)+1)/2) // columns of a group
	for i := range t.header {
		if i%span == 0 {
			groups[i] = []string{"Identity", "Place", "Values", "Other"}[i/span%4]
		}
		units[i] = []string{"text", "(m)", "(°C)", "code"}[i%4]
	}
	return []Case{
		headed(t, "groups above", groups, t.header),
		headed(t, "units below", t.header, units),
		headed(t, "three rows", groups, t.header, units),
	}
}

func headed(t table, name string, rows ...[]string) Case {
	c := rfc4180.file(name, t)
	var lines []string
	for _, row := range rows {
		lines = append(lines, rfc4180.line(row))
	}
	c.Content = rfc4180.join(append(lines, rfc4180.lines(t)[1:]...))
	c.Want.Header, c.Dialect.HeaderRows = rows, len(rows)
	return c
}

func preambles(t table) []Case {
	padding := strings.Repeat(",", len(t.header)-1)
	var list []Case
	for _, lines := range [][]string{
		{"Annual report of the statistical office"},
		{"Title: " + t.name, "Published 2024-03-01"},
		{"Annual report", "", "All figures in thousands"},
		{"# exported by the registry, version 2", "# do not edit"},
		{"Source,National Registry", "Date,2024-03-01", "Contact,data@example.org"},
		{"Report on the year" + padding, padding},
		{"Report" + padding, "As of 2024-03-01" + padding, padding},
		{"出力日時：2024年4月1日", "対象：全件", ""},
		{`"Report, ""final"" version"`, "One", "Two", "Three", "Four", "Five", "Six"},
	} {
		c := rfc4180.file(fmt.Sprintf("%q", lines), t)
		c.Content = rfc4180.join(append(slices.Clone(lines), rfc4180.lines(t)...))
		c.Dialect.PreambleRows = len(lines)
		list = append(list, c)
	}
	return list
}

func footers(t table) []Case {
	total := make([]string, len(t.header))
	total[0], total[max(1, len(total)-4)] = "Total", "12345.6"
	notes := [][]string{
		{"Source: National Registry, 2024"},
		{"", "Source: National Registry"},
		{"* provisional figures"},
		{"", "Notes", "1) figures are estimates", "2) see the annex, page 3"},
		{rfc4180.line(total)},
		{"Figures are provisional" + strings.Repeat(",", len(t.header)-1)},
		{"※数値は速報値です。"},
	}
	var list []Case
	for _, lines := range notes {
		c := rfc4180.file(fmt.Sprintf("%q", lines), t)
		c.Content = rfc4180.join(append(rfc4180.lines(t), lines...))
		list = append(list, c)
	}
	return list
}

func secondTables(t table) []Case {
	var list []Case
	n := len(t.header)
	widths := []int{n, max(2, n-4), n + 2, min(3, n-1)}
	slices.Sort(widths)
	for _, width := range slices.Compact(widths) {
		for _, blank := range []bool{false, true} {
			second := [][]string{row(width, "field %d")}
			for i := range 20 {
				second = append(second, row(width, fmt.Sprint(i)+"%d"))
			}
			lines := rfc4180.lines(t)
			if blank {
				lines = append(lines, "")
			}
			for _, r := range second {
				lines = append(lines, rfc4180.line(r))
			}
			c := rfc4180.file(fmt.Sprintf("%d columns, apart %v", width, blank), t)
			c.Content = rfc4180.join(lines)
			c.Want.Records = append(c.Want.Records, second...)
			list = append(list, c)
		}
	}
	return list
}

func row(width int, format string) []string {
	cells := make([]string, width)
	for i := range cells {
		cells[i] = fmt.Sprintf(format, i+1)
	}
	return cells
}

func blankLines(t table) []Case {
	var list []Case
	for _, blank := range []string{"", "   "} {
		lines := rfc4180.lines(t)
		for _, place := range []int{len(lines) - 1, len(lines) / 2, 1} {
			lines = slices.Insert(lines, place, blank, blank)
		}
		c := rfc4180.file(fmt.Sprintf("%q", blank), t)
		c.Content = rfc4180.join(lines)
		list = append(list, c)
	}
	first := rfc4180.file("before the header", t)
	first.Content = append([]byte("\r\n\r\n"), first.Content...)
	return append(list, first)
}

func smallFiles(t table) []Case {
	only, one, two := t, t, t
	only.records, one.records, two.records = nil, t.records[:1], t.records[:2]
	single := t
	single.header, single.records = t.header[1:2], nil
	for _, r := range t.records {
		single.records = append(single.records, r[1:2])
	}
	list := []Case{rfc4180.file("header alone", only), rfc4180.file("one record", one), rfc4180.file("two records", two)}
	c := rfc4180.file("one column", single.plain(","))
	return append(list, c)
}
