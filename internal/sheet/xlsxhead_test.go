package sheet

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// tableRows writes n rows of two texts and a number from a row on.
func tableRows(from, n int) string {
	var b strings.Builder
	for i := range n {
		no := from + i
		fmt.Fprintf(&b, `<row r="%d"><c r="A%d" t="str"><v>n%d</v></c><c r="B%d" t="str"><v>x</v></c><c r="C%d"><v>%d</v></c></row>`, no, no, i, no, no, i*7)
	}
	return b.String()
}

var eightNames = []string{"one", "two", "three", "four", "five", "six", "seven", "eight"}

// ragged writes n rows of four cells, some of six, and one with a cell in column stray if that is given.
func ragged(from, n, stray int) string {
	var b strings.Builder
	for i := range n {
		cells := []string{fmt.Sprint("n", i), "x", "y", "z"}
		if i%8 == 0 {
			cells = append(cells, "u", "v")
		}
		if stray > 0 && i == 3 {
			cells = append(cells, make([]string, stray-len(cells))...)
			cells[stray-1] = "note"
		}
		b.WriteString(text(from+i, cells...))
	}
	return b.String()
}

// People put titles and blank rows above their tables: these are no header, and no data.
func TestWhereTheTableStands(t *testing.T) {
	t.Parallel()
	header := func(no int) string { return text(no, "name", "kind", "price") }
	for name, c := range map[string]struct {
		rows             string
		opt              Options
		preamble, header int
		first            string // header or row
		skipped          int
	}{
		"header at once":              {rows: header(1) + tableRows(2, 5), header: 1, first: "header 1A1: name|kind|price"},
		"blank rows above":            {rows: header(3) + tableRows(4, 5), header: 1, preamble: 0, first: "header 3A3: name|kind|price", skipped: 2},
		"a title":                     {rows: text(1, "Prices") + header(2) + tableRows(3, 5), preamble: 1, header: 1, first: "header 2A2: name|kind|price", skipped: 1},
		"a title, a note, blanks":     {rows: text(2, "Prices") + text(3, "", "as of today") + header(6) + tableRows(7, 5), preamble: 5, header: 1, first: "header 6A6: name|kind|price", skipped: 5},
		"a title over a short table":  {rows: text(1, "Prices") + header(3) + tableRows(4, 1), preamble: 2, header: 1, first: "header 3A3: name|kind|price", skipped: 2},
		"two header rows":             {rows: text(1, "", "of the thing", "EUR") + header(2) + tableRows(3, 9), header: 2, first: "header 1B1: NULL|of the thing|EUR"},
		"no header":                   {rows: tableRows(1, 9), header: 0, first: "row 1A1: n0|x|0"},
		"a title over no header":      {rows: text(1, "Prices") + tableRows(3, 9), preamble: 2, header: 0, first: "row 3A3: n0|x|0", skipped: 2},
		"header of one name":          {rows: text(1, "name") + tableRows(2, 9), header: 1, first: "header 1A1: name"},
		"a stray cell":                {rows: text(1, "Prices") + text(2, "", "", "", "", "", "", "", "stray") + header(3) + tableRows(4, 25), preamble: 2, header: 1, first: "header 3A3: name|kind|price", skipped: 2},
		"last columns often empty":    {rows: text(1, "Prices") + text(2, eightNames[:6]...) + ragged(3, 25, 0), preamble: 1, header: 1, first: "header 2A2: one|two|three|four|five|six", skipped: 1},
		"last columns empty":          {rows: text(1, "Prices") + text(2, eightNames...) + tableRows(3, 25), preamble: 1, header: 1, first: "header 2A2: one|two|three|four|five|six|seven|eight", skipped: 1},
		"a stray cell far right":      {rows: text(1, "Prices") + text(2, eightNames[:6]...) + ragged(3, 25, 20), preamble: 1, header: 1, first: "header 2A2: one|two|three|four|five|six", skipped: 1},
		"a title over a sparse table": {rows: text(1, "Contacts") + text(3, "name", "phone", "fax", "mobile") + text(4, "Anna") + text(5, "Ben", "12") + text(6, "Carl", "", "", "34") + text(7, "Dora") + text(8, "Eva"), preamble: 2, header: 1, first: "header 3A3: name|phone|fax|mobile", skipped: 2},
		"out of order":                {rows: tableRows(3, 5) + header(2) + text(1, "Prices"), preamble: 1, header: 1, first: "header 2A2: name|kind|price", skipped: 1},
		"skip, told":                  {rows: header(1) + header(4) + tableRows(5, 5), opt: Options{Skip: new(2)}, preamble: 2, header: 1, first: "header 4A4: name|kind|price", skipped: 3},
		"nothing skipped, told":       {rows: text(1, "Prices") + header(2) + tableRows(3, 5), opt: Options{Skip: new(0)}, header: 1, first: "header 1A1: Prices"},
		"all skipped, told":           {rows: header(1) + tableRows(2, 2), opt: Options{Skip: new(9)}, preamble: 9, header: 1, skipped: 3},
		"no header, told":             {rows: header(1) + tableRows(2, 5), opt: Options{Header: new(0)}, header: 0, first: "row 1A1: name|kind|price"},
		"header of two, told":         {rows: header(1) + tableRows(2, 5), opt: Options{Header: new(2)}, header: 2, first: "header 1A1: name|kind|price"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, s := openFirst(t, pack(t, parts(c.rows, nil)), c.opt)
			first, skipped := "", 0
			for rec, err := s.Read(); err == nil; rec, err = s.Read() {
				if rec.Kind == Skip {
					skipped++
				} else if first == "" {
					first = brief(rec)
				}
			}
			d := s.Dialect()
			if d.PreambleRows != c.preamble || d.HeaderRows != c.header || first != c.first || skipped != c.skipped {
				t.Errorf("preamble %d, header %d, %q, %d skipped; want %d, %d, %q, %d",
					d.PreambleRows, d.HeaderRows, first, skipped, c.preamble, c.header, c.first, c.skipped)
			}
		})
	}
}

// What is held of the first rows is bounded, however wide they are, and the rows behind are read as they come.
func TestRowsBehindTheFirst(t *testing.T) {
	t.Parallel()
	wide := func(no int) string {
		cells := make([]string, 26)
		for i := range cells {
			cells[i] = strings.Repeat(fmt.Sprint(no), headMemory/60)
		}
		return text(no, cells...)
	}
	content := pack(t, parts(wide(1)+wide(2)+wide(3)+wide(4)+wide(5), nil))
	_, s := openFirst(t, content, Options{})
	if held := len(s.records.(*gridRows).ahead.rows); held != 3 {
		t.Errorf("%d rows of %d KiB are held", held, 26*headMemory/60>>10)
	}
	got := read(t, content, Options{}, DefaultLimits())
	var kinds []string
	for _, line := range got {
		kinds = append(kinds, strings.SplitN(line, ":", 2)[0])
	}
	if want := []string{"sheet 1 S visible=true", "header 1A1", "row 2A2", "row 3A3", "row 4A4", "row 5A5"}; !slices.Equal(kinds, want) {
		t.Errorf("got %q", kinds)
	}
}
