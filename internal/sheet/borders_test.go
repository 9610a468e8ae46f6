package sheet

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// kinds are the first words of the brief form of records.
func kinds(records []string) string {
	var all []string
	for _, r := range records {
		kind, _, _ := strings.Cut(r, " ")
		all = append(all, kind)
	}
	return strings.Join(all, " ")
}

// The first record is a header as long as no more of its cells are like their columns than are not: half of them still make a header, one
// more makes a row, which would otherwise be lost as one.
func TestBorderOfTheHeader(t *testing.T) {
	t.Parallel()
	for first, want := range map[string]string{
		"id,n,v,2024": "header", // of four numbers one
		"id,n,10,20":  "header",
		"id,7,10,20":  "row",
		"5,7,10,20":   "row",
		"id,7,10":     "row", // of three numbers two
	} {
		width := strings.Count(first, ",") + 1
		below := strings.Join([]string{"1", "2", "3", "4"}[:width], ",")
		content := first + "\n" + strings.Repeat(below+"\n1"+below+"\n", 6)
		if got := kinds(read(t, content, Options{}, DefaultLimits())[:1]); got != want {
			t.Errorf("%s above numbers is a %s, want a %s", first, got, want)
		}
	}
}

// Up to forty notes below a table are its footer. More are records like others: none of them is taken away unseen.
func TestBorderOfTheFooter(t *testing.T) {
	t.Parallel()
	table := "id,n,v\n" + strings.Repeat("1,x,2.5\n2,y,3.5\n", 6)
	for n, want := range map[int]string{8: "skip", 40: "skip", 41: "reject"} {
		content := table + "\n"
		for i := range n {
			content += fmt.Sprintf("Note %d: this is what was meant.\n", i)
		}
		got := read(t, content, Options{}, DefaultLimits())
		if below := kinds(got[len(got)-n:]); below != strings.TrimSpace(strings.Repeat(want+" ", n)) {
			t.Errorf("%d notes below a table: %s, want each a %s", n, below, want)
		}
	}
}

// In a table of one column a value like the header's is a value. Of several columns, all of them together are the header once more.
func TestBorderOfTheRepeatedHeader(t *testing.T) {
	t.Parallel()
	for content, want := range map[string][]string{
		"Name\nAnn\nName\nBob\n":                            {"header 1: Name", "row 2: Ann", "row 3: Name", "row 4: Bob"},
		"Name,Age\nAnn,31\nName,Age\nBob,42\n":              {"header 1: Name|Age", "row 2: Ann|31", "skip 3:", "row 4: Bob|42"},
		"Name,Age\nAnn,31\nCy,5\nDi,8\nNAME, age\nBob,42\n": {"header 1: Name|Age", "row 2: Ann|31", "row 3: Cy|5", "row 4: Di|8", "skip 5:", "row 6: Bob|42"},
		"Name,Town\nAnn,Ulm\nName,Ulm\nBob,Ulm\n":           {"header 1: Name|Town", "row 2: Ann|Ulm", "row 3: Name|Ulm", "row 4: Bob|Ulm"},
	} {
		if got := read(t, content, Options{}, DefaultLimits()); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", content, got, want)
		}
	}
}

// The limit of a cell counts the bytes of its text, whatever the file needs for them: a katakana of half width is one byte in CP932, and
// three in the text.
func TestBorderOfTheCellLimit(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]string{6: "row", 7: "reject"} { // of 20 bytes
		for name, content := range map[string]string{
			"cp932": toCP932(t, "名,値\nﾔﾏﾀﾞ,東京\n"+strings.Repeat("ﾔ", n)+",1\n"),
			"utf-8": "名,値\nﾔﾏﾀﾞ,東京\n" + strings.Repeat("ﾔ", n) + ",1\n",
		} {
			got := read(t, content, Options{}, small)
			if last := kinds(got[len(got)-1:]); last != want {
				t.Errorf("%d characters of three bytes in %s: %q, want a %s", n, name, got, want)
			}
		}
	}
}

// What a column leaves open the others decide only where they agree; where one is of another mind nobody knows, and the
// column stays as safe as it was: a date is text, a number has the point.
func TestBorderOfWhatOtherColumnsShow(t *testing.T) {
	t.Parallel()
	dates := func(columns ...string) string {
		var b strings.Builder
		for i := range columns {
			fmt.Fprintf(&b, "c%d;", i)
		}
		b.WriteString("open\n")
		for range 3 {
			for _, c := range columns {
				b.WriteString(c + ";")
			}
			b.WriteString("01/02/2024\n")
		}
		return b.String()
	}
	const dayFirst, monthFirst = "31/01/2024", "01/31/2024"
	for content, want := range map[string]string{
		dates(dayFirst):                       "date DD/MM/YYYY",
		dates(monthFirst):                     "date MM/DD/YYYY",
		dates(dayFirst, dayFirst, monthFirst): "text ",
		dates(dayFirst, monthFirst):           "text ",
		dates():                               "text ",
		strings.ReplaceAll(dates("1,5"), "01/02/2024", "1,234"):               "decimal 0,0",
		strings.ReplaceAll(dates("1,5", "2,5", "3.5"), "01/02/2024", "1,234"): "integer #,##0",
		strings.ReplaceAll(dates("3.5"), "01/02/2024", "1,234"):               "integer #,##0",
		strings.ReplaceAll(dates(), "01/02/2024", "1.234"):                    "decimal 0.0",
		strings.ReplaceAll(dates("x"), "01/02/2024", "1,234"):                 "decimal 0,0",
		"a|open\nx|1,234\nx|2,345\n":                                          "integer #,##0",
	} {
		_, s := openFirst(t, content, Options{})
		for range recordsOf(t, s) {
		}
		columns := s.Columns()
		last := columns[len(columns)-1].Report
		if got := fmt.Sprint(last.Type, " ", last.Format); got != want {
			t.Errorf("%q: %s, want %s", content, got, want)
		}
	}
}
