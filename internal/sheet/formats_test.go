package sheet

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// workbooks are the files that have the same workbook.
var workbooks = []string{"orders.xlsx", "orders.xlsb", "orders.fods", "orders.ods", "orders.xls", "orders.xml"}

// formatFile returns a file of testdata/formats, or the one that is made of another.
func formatFile(t testing.TB, name string) string {
	t.Helper()
	if name == "orders.xlsb" {
		return ordersXLSB(t)
	}
	content, err := os.ReadFile(filepath.Join("testdata", "formats", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// ordersSheets is what a person reads from orders.fods, and so from what a spreadsheet program makes of it.
func ordersSheets() []string {
	list := []string{"sheet 1 Orders visible=true", "header 1A1: no|code|day|at|clock|took|rate|price|paid|note"}
	notes := []string{"plain", "a & b", "two  spaces", "tabhere", "日本語 €", "line one\nline two", "<b>", "NULL", "x_x000D_y", "ok"}
	for i, note := range notes {
		day := time.Date(2024, 1, 1, 8+i, i*5, 0, 0, time.UTC).AddDate(0, 0, 37*i)
		clock := day.Format("15:04:05")
		list = append(list, fmt.Sprintf("row %dA%d: %d|%05d|%s|%sT%s|%s|%02d:%02d:00|%s|%v|%s|%s", i+2, i+2, i+1, i, day.Format(time.DateOnly),
			day.Format(time.DateOnly), clock, clock, 20+3*i, 5*i, fmt.Sprintf("0.%02d", 19+i)[:4-b2i(i == 1 || i == 11)], 1234.5+0.25*float64(i),
			strings.ToUpper(fmt.Sprint(i%3 != 0)), note))
	}
	list = append(list, "sheet 2 Groups visible=true", "header 1A1: group|n", "row 2A2: north|1", "row 3B3: NULL|2", "row 4A4: south|3", "row 5A5: south|3",
		"row 6A6: south|3", "sheet 3 Secret visible=false")
	return list
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// The same workbook has the same values in each format, those that a spreadsheet program writes.
func TestOneWorkbookInEachFormat(t *testing.T) {
	t.Parallel()
	want := ordersSheets()
	for _, name := range workbooks {
		got := read(t, formatFile(t, name), Options{}, DefaultLimits())
		if name == "orders.xml" { // in which the program does not say that a sheet is hidden
			got = append(got[:len(got)-3], want[len(want)-1])
		}
		if i := firstDifference(got, want); i >= 0 {
			t.Errorf("%s: line %d of %d and %d:\n got %q\nwant %q", name, i, len(got), len(want), at(got, i), at(want, i))
		}
	}
}

// firstDifference returns where two lists differ, -1 if they do not.
func firstDifference(a, b []string) int {
	for i := range max(len(a), len(b)) {
		if at(a, i) != at(b, i) {
			return i
		}
	}
	return -1
}

func at(list []string, i int) string {
	if i < len(list) {
		return list[i]
	}
	return "(nothing)"
}

// fill_down repeats the value of a merged range in each format that knows them.
func TestMergedRangesInEachFormat(t *testing.T) {
	t.Parallel()
	for _, name := range workbooks {
		got := read(t, formatFile(t, name), Options{Sheet: "Groups", FillDown: true}, DefaultLimits())
		if !slices.Contains(got, "row 3A3: north|2") {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// A page's tables are what it shows of them.
func TestTablesOfAPage(t *testing.T) {
	t.Parallel()
	page := `<html><head><meta charset="%s"><style>td {x: "<table>"}</style></head><body><table><tr><td>` +
		`<table><caption>List</caption><tr><th>id<th>name<th colspan=2>sizes<tr><td>1<td>J&uuml;rg&nbsp; <b>K</b>.<td>3<td>4</tr>` +
		`<tr><td rowspan="2">2<td>first<br>second<td>5<td>6<tr><td>x<td>7<td>8</table></td></tr></table>` +
		`<table border=1><tr><td>n</td></tr><tr><td>1</td></tr><tr><td><script>var x = "<td>no</td>"</script>2</td></tr></table>`
	want := []string{
		"sheet 1  visible=true", "header 1A1: id|name|sizes|sizes", "row 2A2: 1|Jürg K.|3|4", "row 3A3: 2|first\nsecond|5|6", "row 4B4: NULL|x|7|8",
		"sheet 2  visible=true", "header 1A1: n", "row 2A2: 1", "row 3A3: 2",
	}
	for _, encoding := range []string{"utf-8", "windows-1252"} {
		got := read(t, fmt.Sprintf(page, encoding), Options{}, DefaultLimits())
		if i := firstDifference(got, want); i >= 0 {
			t.Errorf("%s: line %d:\n got %q\nwant %q", encoding, i, at(got, i), at(want, i))
		}
	}
	got := read(t, formatFile(t, "orders.html"), Options{}, DefaultLimits())
	if len(got) < 12 || !strings.Contains(got[2], "1|00000|2024-01-01|2024-01-01 08:00|08:00|20:00|19%|1,234.50 €|FALSE|plain") {
		t.Errorf("%.5q", got)
	}
}

// Japanese pages say, or do not say, in which encoding they are.
func TestEncodingsOfPages(t *testing.T) {
	t.Parallel()
	page := `<html>%s<table><tr><th>品名<th>単価<tr><td>鉛筆（赤）<td>120<tr><td>消しゴム<td>80</table>`
	want := []string{"sheet 1  visible=true", "header 1A1: 品名|単価", "row 2A2: 鉛筆（赤）|120", "row 3A3: 消しゴム|80"}
	for name, content := range map[string]string{
		"said":          toCP932(t, fmt.Sprintf(page, `<meta http-equiv="Content-Type" content="text/html; charset=Shift_JIS">`)),
		"not said":      toCP932(t, fmt.Sprintf(page, "")),
		"wrongly said":  fmt.Sprintf(page, `<meta charset="iso-8859-1">`),
		"by its marker": "\xef\xbb\xbf" + fmt.Sprintf(page, ""),
	} {
		if got := read(t, content, Options{}, DefaultLimits()); !slices.Equal(got, want) {
			t.Errorf("%s: %q", name, got)
		}
	}
}
