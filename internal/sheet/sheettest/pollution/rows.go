package pollution

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// polluted writes the table with one line changed; want is the record expected there.
func polluted(s style, t table, name string, place int, line string, want []string) Case {
	c := s.file(fmt.Sprintf("%s, record %d", name, place+1), t)
	lines := s.lines(t)
	lines[place+1] = line
	c.Content = s.join(lines)
	if place < 0 {
		c.Want.Header[0] = want
	} else {
		c.Want.Records[place] = want
	}
	return c
}

// bare reports whether cells i and i+1 are written without quotes.
func bare(cells []string, i int) bool {
	return i+1 < len(cells) && rfc4180.cell(cells[i]) == cells[i] && rfc4180.cell(cells[i+1]) == cells[i+1]
}

// record returns the record at the index, or the header at -1.
func (t table) record(place int) []string {
	if place < 0 {
		return slices.Clone(t.header)
	}
	return slices.Clone(t.records[place])
}

func rowWidths(t table) []Case {
	var list []Case
	for _, place := range append([]int{-1}, t.places...) {
		rec := t.record(place)
		for _, i := range slices.Compact([]int{0, len(rec) / 2, len(rec) - 2}) {
			if bare(rec, i) {
				merged := slices.Replace(slices.Clone(rec), i, i+2, rec[i]+rec[i+1])
				list = append(list, polluted(rfc4180, t, fmt.Sprint("delimiter lost at ", i), place, rfc4180.line(merged), merged))
			}
			more := slices.Insert(slices.Clone(rec), i, "")
			list = append(list, polluted(rfc4180, t, fmt.Sprint("delimiter more at ", i), place, rfc4180.line(more), more))
			if place >= 0 {
				cut := rec[:i+1]
				list = append(list, polluted(rfc4180, t, fmt.Sprint("cut behind ", i), place, rfc4180.line(cut), cut))
			}
		}
		if place >= 0 {
			longer := append(slices.Clone(rec), "x", "y")
			list = append(list, polluted(rfc4180, t, "two cells more", place, rfc4180.line(longer), longer))
		}
	}
	return list
}

func rowDelimiters(t table) []Case {
	t = t.plain(";").plain("|")
	var list []Case
	for _, place := range t.places {
		for _, d := range []string{";", "\t", "|", ", "} {
			s := rfc4180
			s.delimiter = d
			list = append(list, polluted(rfc4180, t, fmt.Sprintf("%q", d), place, s.line(t.records[place]), t.records[place]))
		}
	}
	return list
}

func rowQuotes(t table) []Case {
	all := rfc4180
	all.all = true
	p := t.plain("'")
	list := headerQuotes(p)
	for _, place := range t.places {
		for _, i := range []int{0, 2, 5} {
			rec := t.record(place)
			if !bare(rec, i) || rec[i] == "" {
				continue
			}
			_, n := utf8.DecodeRuneInString(rec[i])
			for _, split := range slices.Compact([]int{0, n, len(rec[i])}) {
				text := rec[i][:split] + `"` + rec[i][split:]
				want := slices.Clone(rec)
				want[i] = text
				line := strings.Split(rfc4180.line(rec), ",") // the cells before i are bare
				line[i] = text
				if bareBefore(rec, i) {
					list = append(list, polluted(rfc4180, t, fmt.Sprintf("quote at %d in cell %d", split, i), place, strings.Join(line, ","), want))
				}
			}
		}
		rec := p.record(place)
		list = append(list,
			polluted(rfc4180, p, "row all quoted", place, all.line(rec), rec),
			polluted(all, p, "row not quoted", place, rfc4180.line(rec), rec),
			polluted(all, p, "row in single quotes", place, withQuotes(rec, "'"), rec),
			polluted(all, p, "closing quote lost", place, strings.Replace(all.line(rec), `","`, `,"`, 1), prefixFirst(rec, `"`)),
			polluted(all, p, "opening quote lost", place, strings.TrimPrefix(all.line(rec), `"`), suffixFirst(rec, `"`)),
		)
	}
	return list
}

// headerQuotes have a stray quote in the header.
func headerQuotes(t table) []Case {
	var list []Case
	for _, i := range []int{0, len(t.header) - 1} {
		for _, at := range []int{0, len(t.header[i])} {
			want := slices.Clone(t.header)
			want[i] = want[i][:at] + `"` + want[i][at:]
			list = append(list, polluted(rfc4180, t, fmt.Sprintf("quote at %d in cell %d", at, i), -1, strings.Join(want, ","), want))
		}
	}
	return list
}

func bareBefore(rec []string, n int) bool {
	for i := range n {
		if !bare(rec, i) {
			return false
		}
	}
	return true
}

func withQuotes(rec []string, quote string) string {
	return quote + strings.Join(rec, quote+","+quote) + quote
}

func prefixFirst(rec []string, s string) []string {
	rec = slices.Clone(rec)
	rec[0] = s + rec[0]
	return rec
}

func suffixFirst(rec []string, s string) []string {
	rec = slices.Clone(rec)
	rec[0] += s
	return rec
}

func rowEscapes(t table) []Case {
	var list []Case
	for _, place := range t.places {
		rec := t.record(place)
		rec[1] = `the "old" name`
		line := rfc4180.line(rec)
		list = append(list,
			polluted(rfc4180, t, "backslash", place, strings.Replace(line, `"the ""old"" name"`, `"the \"old\" name"`, 1), rec),
			polluted(rfc4180, t, "no escape", place, strings.Replace(line, `"the ""old"" name"`, `"the "old" name"`, 1), rec),
		)
	}
	return list
}

func rowNewlines(t table) []Case {
	var list []Case
	for _, place := range t.places {
		for _, end := range []string{"\n", "\r", "\r\n\r\n"} {
			var b strings.Builder
			for i, line := range rfc4180.lines(t) {
				b.WriteString(line)
				if i == place+1 {
					b.WriteString(end)
				} else {
					b.WriteString("\r\n")
				}
			}
			c := rfc4180.file(fmt.Sprintf("%q behind record %d", end, place+1), t)
			c.Content = []byte(b.String())
			list = append(list, c)
		}
	}
	return list
}

func doubledRows(t table) []Case {
	var list []Case
	for _, place := range t.places {
		doubled := t
		doubled.records = slices.Insert(slices.Clone(t.records), place, t.records[place])
		list = append(list, rfc4180.file(fmt.Sprint("record ", place+1), doubled))
	}
	return list
}
