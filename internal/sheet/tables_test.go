package sheet

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// readTables returns a line for each sheet of a file whose tables are sheets, and for each of its records that is not blank: where it
// is, what it is, and its cells.
func readTables(t *testing.T, content string, query map[string][]string) []string {
	t.Helper()
	options, err := ParseOptions(query)
	if err != nil {
		t.Fatal(err)
	}
	book := openTables(t, content, options)
	var lines []string
	for {
		s, err := book.Next()
		if errors.Is(err, io.EOF) {
			return lines
		}
		if err != nil {
			return append(lines, err.Error())
		}
		line := fmt.Sprintf("%d %q", s.Number(), s.Name())
		if s.LeftOut() {
			lines = append(lines, line+" left out")
			continue
		}
		lines = append(lines, line)
		for rec := range recordsOf(t, s) {
			kind := map[Kind]string{Header: "header", Row: "row", Reject: "reject", Skip: "skip"}[rec.Kind]
			if rec.Kind == Skip && rec.Reason == SkipBlank {
				continue
			}
			place := fmt.Sprint(rec.Line)
			if rec.Ref != "" {
				place = rec.Ref
			}
			lines = append(lines, place+" "+kind+" "+joined(rec.Cells))
		}
		for _, w := range s.Warnings() {
			lines = append(lines, fmt.Sprintf("%s %d", w.Code, w.Count))
		}
	}
}

func openTables(t testing.TB, content string, opt Options) *Book {
	t.Helper()
	book, err := Open(t.Context(), strings.NewReader(content), opt, DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := book.Close(); err != nil {
			t.Error(err)
		}
	})
	return book
}

func joined(cells [][]byte) string {
	texts := make([]string, len(cells))
	for i, cell := range cells {
		texts[i] = string(cell)
	}
	return strings.Join(texts, "|")
}

// belowOneAnother has three tables below one another, of other widths.
var belowOneAnother = [][]string{
	{"id", "part", "price"},
	{"1", "bolt", "0.20"},
	{"2", "nut", "0.10"},
	{"3", "washer", "0.05"},
	{"", "", ""},
	{"Suppliers", "", ""},
	{"supplier", "since", ""},
	{"Acme", "2001", ""},
	{"Bolts Ltd", "1987", ""},
	{"Nuts Inc", "1990", ""},
	{"", "", ""},
	{"place", "floor", "area"},
	{"hall", "0", "120.5"},
	{"loft", "3", "40.5"},
	{"shed", "0", "9.5"},
}

// aboveALarger is a table of few rows, with its title, for above others.
var aboveALarger = [][]string{
	{"Floors of May", "", "", ""}, {"", "", "", ""}, {"floor", "who", "since", "area"}, {"0", "Anna", "2001", "20.5"}, {"1", "Bob", "1987", "18.5"}, {"", ""}, {"Stock", ""},
}

// besideOneAnother has two tables beside one another, the second of which is longer, behind an empty column.
var besideOneAnother = [][]string{
	{"id", "part", "price", "", "town", "people"},
	{"1", "bolt", "0.20", "", "Oslo", "700"},
	{"2", "nut", "0.10", "", "Rome", "2800"},
	{"3", "washer", "0.05", "", "Bath", "90"},
	{"4", "screw", "0.15", "", "", ""},
	{"5", "nail", "0.02", "", "", ""},
	{"6", "hook", "0.32", "", "", ""},
	{"7", "ring", "0.52", "", "", ""},
	{"8", "pin", "0.01", "", "", ""},
}

// numbered returns so many lines that are equal but for their numbers.
func numbered(first, n int, text string) (lines []string) {
	for i := range n {
		lines = append(lines, fmt.Sprintf("%d %s", first+i, text))
	}
	return lines
}

func TestEachTableIsASheet(t *testing.T) {
	t.Parallel()
	all := map[string][]string{"tables": {"all"}}
	for name, c := range map[string]struct {
		content string
		query   map[string][]string
		want    []string
	}{
		"a smaller one above a larger one": {asText(slices.Concat(aboveALarger, belowOneAnother), ","), all, []string{
			`1 ""`, "1 skip Floors of May|||", "3 header floor|who|since|area", "4 row 0|Anna|2001|20.5", "5 row 1|Bob|1987|18.5",
			`2 "table 2"`, "7 skip Stock|", "8 header id|part|price", "9 row 1|bolt|0.20", "10 row 2|nut|0.10", "11 row 3|washer|0.05",
			`3 "table 3"`, "13 skip Suppliers|", "14 header supplier|since", "15 row Acme|2001", "16 row Bolts Ltd|1987", "17 row Nuts Inc|1990",
			`4 "table 4"`, "19 header place|floor|area", "20 row hall|0|120.5", "21 row loft|3|40.5", "22 row shed|0|9.5",
		}},
		"a smaller one above a larger one in a worksheet": {asSheet(t, slices.Concat(aboveALarger, belowOneAnother)), all, []string{
			`1 "S"`, "A1 skip Floors of May", "A3 header floor|who|since|area", "A4 row 0|Anna|2001|20.5", "A5 row 1|Bob|1987|18.5",
			`2 "S (table 2)"`, "A7 skip Stock", "A8 header id|part|price", "A9 row 1|bolt|0.2", "A10 row 2|nut|0.1", "A11 row 3|washer|0.05",
			`3 "S (table 3)"`, "A13 skip Suppliers", "A14 header supplier|since", "A15 row Acme|2001", "A16 row Bolts Ltd|1987", "A17 row Nuts Inc|1990",
			`4 "S (table 4)"`, "A19 header place|floor|area", "A20 row hall|0|120.5", "A21 row loft|3|40.5", "A22 row shed|0|9.5",
		}},
		"a smaller one of codes above a larger one": {"a,b,c\nx0,1,2\nx1,3,4\n\n" + "k,l,m,n\n" + strings.Repeat("y,5,6,7\n", 20), all, slices.Concat([]string{
			`1 ""`, "1 header a|b|c", "2 row x0|1|2", "3 row x1|3|4", `2 "table 2"`, "5 header k|l|m|n",
		}, numbered(6, 20, "row y|5|6|7"))},
		"short ones below a list, above a longer one": {"Site:,Quay,\nFrom:,May,\n\na,b,c,d,e\nx0,u,1,2,3\nx1,v,3,4,5\n\nf,g,h,i\ny0,2.5,1,2\ny1,3.5,1,3\n\nk,l,m,n\n" +
			strings.Repeat("z,5,6,7\n", 20), all, slices.Concat([]string{
			`1 ""`, "1 skip Site:|Quay|", "2 skip From:|May|", "4 header a|b|c|d|e", "5 row x0|u|1|2|3", "6 row x1|v|3|4|5",
			`2 "table 2"`, "8 header f|g|h|i", "9 row y0|2.5|1|2", "10 row y1|3.5|1|3", `3 "table 3"`, "12 header k|l|m|n",
		}, numbered(13, 20, "row z|5|6|7"))},
		"one between titles without blank lines": {"Report,\nTutors,\ntutor,mail,minutes\nIda,ida@x.org,64\nPer,per@x.org,61\nGuests,\ncame,name,town,minutes\n" +
			strings.Repeat("yes,Ann,Bath,59\n", 5), all, slices.Concat([]string{
			`1 ""`, "1 skip Report|", "2 skip Tutors|", "3 header tutor|mail|minutes", "4 row Ida|ida@x.org|64", "5 row Per|per@x.org|61",
			`2 "table 2"`, "6 skip Guests|", "7 header came|name|town|minutes",
		}, numbered(8, 5, "row yes|Ann|Bath|59"))},
		"one above another that is ten times as long": {"a,b,c\n" + strings.Repeat("x,1,k\n", 3) + "\nReadings\nCh1,Ch2,Ch3\n" + strings.Repeat("0.5,6.5,7\n", 30), nil,
			slices.Concat([]string{`1 ""`, "1 skip a|b|c"}, numbered(2, 3, "skip x|1|k"), []string{"6 skip Readings", "7 header Ch1|Ch2|Ch3"}, numbered(8, 30, "row 0.5|6.5|7"))},
		"one above another that is nine times as long": {"a,b,c\n" + strings.Repeat("x,1,k\n", 3) + "\nk,l,m,n\n" + strings.Repeat("y,5,6,7\n", 27), nil,
			slices.Concat([]string{`1 ""`, "1 header a|b|c"}, numbered(2, 3, "row x|1|k"), []string{"6 reject k|l|m|n"}, numbered(7, 27, "reject y|5|6|7"))},
		"one above a long one of fewer columns": {"a,b,c,d\n" + strings.Repeat("x,1,k,2\n", 3) + "\nk,l,m\n" + strings.Repeat("y,5,6\n", 30), nil,
			slices.Concat([]string{`1 ""`, "1 header a|b|c|d"}, numbered(2, 3, "row x|1|k|2"), []string{"6 reject k|l|m"}, numbered(7, 30, "reject y|5|6"))},
		"the same header above a long part": {"a,b,c\n" + strings.Repeat("x,1,k\n", 3) + "\na,b,c\n" + strings.Repeat("y,5,n\n", 30), nil,
			slices.Concat([]string{`1 ""`, "1 header a|b|c"}, numbered(2, 3, "row x|1|k"), []string{"6 skip a|b|c"}, numbered(7, 30, "row y|5|n"))},
		"two columns above a larger one": {"host,load\na1,12\na2,90\na3,44\n\nk,l,m,n\n" + strings.Repeat("y,5,6,7\n", 20), all, slices.Concat([]string{
			`1 ""`, "1 header host|load", "2 row a1|12", "3 row a2|90", "4 row a3|44", `2 "table 2"`, "6 header k|l|m|n",
		}, numbered(7, 20, "row y|5|6|7"))},
		"lines of names and values above a table": {"Author,Anna\nMonth,May\nPlace,Oslo\n\n" + "k,l,m,n\n" + strings.Repeat("y,5,6,7\n", 20), all, slices.Concat([]string{
			`1 ""`, "1 skip Author|Anna", "2 skip Month|May", "3 skip Place|Oslo", "5 header k|l|m|n",
		}, numbered(6, 20, "row y|5|6|7"))},
		"a text with one": {"id,n\n1,2\n2,3\n3,4\n", all, []string{`1 ""`, "1 header id|n", "2 row 1|2", "3 row 2|3", "4 row 3|4"}},
		"below one another in a text": {asText(belowOneAnother, ","), all, []string{
			`1 ""`, "1 header id|part|price", "2 row 1|bolt|0.20", "3 row 2|nut|0.10", "4 row 3|washer|0.05",
			`2 "table 2"`, "6 skip Suppliers|", "7 header supplier|since", "8 row Acme|2001", "9 row Bolts Ltd|1987", "10 row Nuts Inc|1990",
			`3 "table 3"`, "12 header place|floor|area", "13 row hall|0|120.5", "14 row loft|3|40.5", "15 row shed|0|9.5",
		}},
		"below one another in a worksheet": {asSheet(t, belowOneAnother), all, []string{
			`1 "S"`, "A1 header id|part|price", "A2 row 1|bolt|0.2", "A3 row 2|nut|0.1", "A4 row 3|washer|0.05",
			`2 "S (table 2)"`, "A6 skip Suppliers", "A7 header supplier|since", "A8 row Acme|2001", "A9 row Bolts Ltd|1987", "A10 row Nuts Inc|1990",
			`3 "S (table 3)"`, "A12 header place|floor|area", "A13 row hall|0|120.5", "A14 row loft|3|40.5", "A15 row shed|0|9.5",
		}},
		"beside one another in a text": {asText(besideOneAnother, ";"), all, []string{
			`1 ""`, "1 header id|part|price", "2 row 1|bolt|0.20", "3 row 2|nut|0.10", "4 row 3|washer|0.05", "5 row 4|screw|0.15",
			"6 row 5|nail|0.02", "7 row 6|hook|0.32", "8 row 7|ring|0.52", "9 row 8|pin|0.01",
			`2 "table 2"`, "1 header town|people", "2 row Oslo|700", "3 row Rome|2800", "4 row Bath|90",
		}},
		"beside one another in a worksheet": {asSheet(t, besideOneAnother), all, []string{
			`1 "S"`, "A1 header id|part|price", "A2 row 1|bolt|0.2", "A3 row 2|nut|0.1", "A4 row 3|washer|0.05", "A5 row 4|screw|0.15",
			"A6 row 5|nail|0.02", "A7 row 6|hook|0.32", "A8 row 7|ring|0.52", "A9 row 8|pin|0.01",
			`2 "S (table 2)"`, "E1 header town|people", "E2 row Oslo|700", "E3 row Rome|2800", "E4 row Bath|90",
		}},
		"one of a text": {asText(belowOneAnother, ","), map[string][]string{"tables": {"all"}, "sheet": {"table 2"}}, []string{
			`1 "" left out`,
			`2 "table 2"`, "6 skip Suppliers|", "7 header supplier|since", "8 row Acme|2001", "9 row Bolts Ltd|1987", "10 row Nuts Inc|1990",
			`3 "table 3" left out`,
		}},
		"one of a worksheet": {asSheet(t, belowOneAnother), map[string][]string{"tables": {"all"}, "sheet": {"S (table 3)"}, "skip": {"12"}, "header": {"0"}}, []string{
			`1 "S" left out`, `2 "S (table 2)" left out`,
			`3 "S (table 3)"`, "A12 skip place|floor|area", "A13 row hall|0|120.5", "A14 row loft|3|40.5", "A15 row shed|0|9.5",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := readTables(t, c.content, c.query); !slices.Equal(got, c.want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
			}
		})
	}
}

// Tables of any width and length, below or beside one another, are each read as if they were alone.
func TestAnyTablesAreSheets(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		tables := []drawnTable{drawTable(rt, "part", 12), drawTable(rt, "place", 6)}
		var records [][]string
		if beside := rapid.Bool().Draw(rt, "beside"); beside {
			tables[1].rows = tables[1].rows[:min(len(tables[1].rows), len(tables[0].rows)/3)]
			for i, row := range append([][]string{tables[0].header}, tables[0].rows...) {
				next := make([]string, len(tables[1].header))
				if i == 0 {
					next = tables[1].header
				} else if i <= len(tables[1].rows) {
					next = tables[1].rows[i-1]
				}
				records = append(records, slices.Concat(row, []string{""}, next))
			}
		} else {
			width := 0
			for range rapid.IntRange(0, 2).Draw(rt, "more") {
				tables = append(tables, drawTable(rt, fmt.Sprintf("thing %d", len(tables)), 4))
			}
			for _, table := range tables {
				width = max(width, len(table.header))
			}
			for i, table := range tables {
				if i > 0 {
					records = append(records, nil)
				}
				records = append(append(records, table.header), table.rows...)
			}
			for i := range records {
				records[i] = append(slices.Clone(records[i]), make([]string, width-len(records[i]))...)
			}
		}
		for name, content := range map[string]string{"text": asText(records, ";"), "worksheet": asSheet(t, records)} {
			got := readTables(t, content, map[string][]string{"tables": {"all"}})
			var want []string
			for _, table := range tables {
				want = append(want, table.lines()...)
			}
			if places := withoutPlaces(got); !slices.Equal(places, want) {
				rt.Fatalf("%s: got\n%s\nwant\n%s\nof\n%s", name, strings.Join(places, "\n"), strings.Join(want, "\n"), asText(records, "|"))
			}
		}
	})
}

// lines are those of a table as withoutPlaces returns them.
func (t drawnTable) lines() []string {
	lines := []string{"sheet", "header " + strings.Join(t.header, "|")}
	for _, row := range t.rows {
		lines = append(lines, "row "+strings.Join(row, "|"))
	}
	return lines
}

func withoutPlaces(lines []string) (texts []string) {
	for _, line := range lines {
		_, text, _ := strings.Cut(line, " ")
		if strings.HasPrefix(text, `"`) {
			text = "sheet"
		}
		texts = append(texts, text)
	}
	return texts
}

// The options found for a table read it alone, and in the same way.
func TestFoundOptionsOfTables(t *testing.T) {
	t.Parallel()
	for name, content := range map[string]string{
		"below, a text": asText(belowOneAnother, ","), "below, a worksheet": asSheet(t, belowOneAnother),
		"beside, a text": asText(besideOneAnother, ";"), "beside, a worksheet": asSheet(t, besideOneAnother),
	} {
		book := openTables(t, content, Options{Tables: allTables})
		for s := range sheetsOf(t, book) {
			want := placesOf(t, s)
			if s.Number() == 1 { // with its options all are read
				continue
			}
			var got []string
			for other := range sheetsOf(t, openTables(t, content, book.Found(s))) {
				if !other.LeftOut() {
					got = append(got, placesOf(t, other)...)
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s, %s: got\n%s\nwant\n%s", name, s.Name(), strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		}
	}
}

func sheetsOf(t *testing.T, book *Book) iter.Seq[*Sheet] {
	t.Helper()
	return func(yield func(*Sheet) bool) {
		for {
			s, err := book.Next()
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if !yield(s) {
				return
			}
		}
	}
}

// placesOf returns a line for each record of a sheet: where it is, what it is, and its cells.
func placesOf(t *testing.T, s *Sheet) (lines []string) {
	t.Helper()
	for rec := range recordsOf(t, s) {
		lines = append(lines, fmt.Sprint(rec.No, rec.Line, rec.Offset, rec.Ref, rec.Kind, joined(rec.Cells)))
	}
	return lines
}

// Of many tables a hundred are sheets; the others are rejected, and none of their records is lost.
func TestManyTables(t *testing.T) {
	t.Parallel()
	const n, rows = 120, 3
	var records [][]string
	for i := range n {
		if i > 0 {
			records = append(records, []string{"", "", ""})
		}
		records = append(records, []string{fmt.Sprintf("name %d", i), fmt.Sprintf("n%da", i), fmt.Sprintf("n%db", i)})
		for r := range rows {
			records = append(records, []string{fmt.Sprintf("word %c", 'a'+r), fmt.Sprint(10*i + r), fmt.Sprintf("%d.5", r)})
		}
	}
	for name, content := range map[string]string{"text": asText(records, ","), "worksheet": asSheet(t, records)} {
		kinds := map[string]int{}
		for _, line := range withoutPlaces(readTables(t, content, map[string][]string{"tables": {"all"}})) {
			kind, _, _ := strings.Cut(line, " ")
			kinds[kind]++
		}
		if kinds["sheet"] != maxTables || kinds["row"] != maxTables*rows || kinds["reject"] != (n-maxTables)*(rows+1) {
			t.Errorf("%s: %v", name, kinds)
		}
	}
}

// A table that is not there is refused, and so is another word than first and all.
func TestTablesThatAreNotThere(t *testing.T) {
	t.Parallel()
	for name, content := range map[string]string{"table 7": asText(belowOneAnother, ","), "S (table 7)": asSheet(t, belowOneAnother)} {
		lines := readTables(t, content, map[string][]string{"tables": {"all"}, "sheet": {name}})
		if last := lines[len(lines)-1]; !strings.HasPrefix(last, "no_such_sheet") {
			t.Errorf("%s: %s", name, last)
		}
	}
	if _, err := ParseOptions(map[string][]string{"tables": {"some"}}); err == nil {
		t.Error("tables=some is an option")
	}
	if o, err := ParseOptions(map[string][]string{"tables": {"First"}}); err != nil || o.Tables != "" {
		t.Error(o.Tables, err)
	}
}

// The tables of the files of an archive are numbered with its other sheets.
func TestTablesInAnArchive(t *testing.T) {
	t.Parallel()
	content := packAs(t, 8, map[string]string{"a.csv": asText(belowOneAnother, ","), "b.xlsx": asSheet(t, besideOneAnother), "c.csv": "x,y\n1,2\n3,4\n"},
		[]string{"a.csv", "b.xlsx", "c.csv"})
	var got []string
	for _, line := range readTables(t, content, map[string][]string{"tables": {"all"}}) {
		if strings.Contains(line, `"`) {
			got = append(got, line)
		}
	}
	want := []string{`1 "a.csv"`, `2 "a.csv: table 2"`, `3 "a.csv: table 3"`, `4 "b.xlsx: S"`, `5 "b.xlsx: S (table 2)"`, `6 "c.csv"`}
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	alone := readTables(t, content, map[string][]string{"tables": {"all"}, "sheet": {"b.xlsx: S (table 2)"}})
	if !slices.Contains(alone, "E2 row Oslo|700") || slices.Contains(alone, "2 row 1|bolt|0.20") {
		t.Errorf("got %q", alone)
	}
}

// A header of more columns than are looked at names them all, below titles and above rows of any of them.
func TestWideHeaders(t *testing.T) {
	t.Parallel()
	for _, columns := range []int{256, 257, 300, 1000} {
		records := [][]string{{"Measured values"}, nil, {"site"}}
		for i := 1; i < columns; i++ {
			records[2] = append(records[2], fmt.Sprintf("probe %d", i))
		}
		for r := range 8 {
			row := []string{fmt.Sprintf("site %c", 'a'+r)}
			for i := 1; i < columns; i++ {
				row = append(row, fmt.Sprintf("%d.5", r*i))
			}
			records = append(records, row)
		}
		for name, content := range map[string]string{"text": asText(records, ","), "worksheet": asSheet(t, records)} {
			got, rejects, skips := readTable(t, content)
			if !slices.Equal(got.header, records[2]) || !slices.EqualFunc(got.rows, records[3:], slices.Equal) || rejects != 0 || skips != 1 {
				t.Errorf("%d columns, %s: %d names, %d rows, %d rejects, %d skips", columns, name, len(got.header), len(got.rows), rejects, skips)
			}
		}
	}
}

// A letter's head above the items of an invoice, whose cells are merged as those of a table, is no table of its own.
func TestLetterheadIsNoTable(t *testing.T) {
	t.Parallel()
	book := drawnBook{
		told: []string{"merge B8:D8", "merge B9:D9", "merge B10:D10", "merge B11:D11"},
		rows: [][]string{
			{"Pike Joinery", "", "", "", "INVOICE"}, {"Unit 7, River Works"}, {"Shrewsbury", "", "", "", "Number", "PJ-31"},
			{"Phone 555 210", "", "", "", "Date", "=2025-02-11"}, {""}, {"Bill to:"}, {""},
			{"Qty", "Item", "", "", "Price", "Amount"}, {"2", "Oak shelf", "", "", "85", "170"}, {"1", "Window seat", "", "", "640", "640"},
			{"6.5", "Hours", "", "", "42", "273"},
		},
	}
	want := []string{`1 "Sheet1"`, "A8 header Qty|Item|Price|Amount", "A9 row 2|Oak shelf|85|170", "A10 row 1|Window seat|640|640", "A11 row 6.5|Hours|42|273"}
	lines := readTables(t, string(book.write(t)), map[string][]string{"tables": {allTables}})
	lines = slices.DeleteFunc(lines, func(line string) bool { return strings.Contains(line, " skip ") })
	if !slices.Equal(lines, want) {
		t.Errorf("got %q, want %q", lines, want)
	}
}
