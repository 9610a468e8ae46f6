package sheet

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"sheetdrop/internal/sheet/grid"
)

// rowAt is a worksheet's row with texts from a column on.
func rowAt(row, column int, cells ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, `<row r="%d">`, row)
	for i, cell := range cells {
		if cell != "" {
			fmt.Fprintf(&b, `<c r="%s" t="inlineStr"><is><t>%s</t></is></c>`, grid.Reference(column+i, int64(row)), cell)
		}
	}
	return b.String() + "</row>"
}

// A table has the columns that it has, wherever in the worksheet it stands, and whatever title stands above it further left.
func TestTableAnywhereInAWorksheet(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		top, left := rapid.IntRange(1, 9).Draw(rt, "top"), rapid.IntRange(1, 9).Draw(rt, "left")
		width, rows := rapid.IntRange(2, 7).Draw(rt, "width"), rapid.IntRange(3, 30).Draw(rt, "rows")
		sheet := ""
		if top > 2 && rapid.Bool().Draw(rt, "title") {
			sheet = rowAt(1, rapid.IntRange(1, left).Draw(rt, "title's column"), "Report of the year")
		}
		header := make([]string, width)
		for i := range header {
			header[i] = fmt.Sprintf("name%d", i+1)
		}
		sheet += rowAt(top, left, header...)
		want := []string{strings.Join(header, "|")}
		for n := range rows {
			cells := make([]string, width)
			for i := range cells {
				cells[i] = fmt.Sprint((n + 1) * (i + 3))
			}
			sheet += rowAt(top+1+n, left, cells...)
			want = append(want, strings.Join(cells, "|"))
		}
		var got []string
		for _, line := range read(t, pack(t, parts(sheet, nil)), Options{}, DefaultLimits())[1:] {
			if kind, cells, _ := strings.Cut(line, ": "); !strings.HasPrefix(kind, "skip") {
				got = append(got, cells)
			}
		}
		if !slices.Equal(got, want) {
			rt.Errorf("got %q, want %q", got, want)
		}
	})
}

// P5: what stands left of a table is not lost.
func TestCellsLeftOfTheTable(t *testing.T) {
	t.Parallel()
	sheet := rowAt(2, 3, "id", "name")
	for n := range headRows + 10 {
		sheet += rowAt(3+n, 3, fmt.Sprint(n), "x")
	}
	late := headRows + 13
	sheet += rowAt(late, 1, "note", "", "7", "y")
	got := read(t, pack(t, parts(sheet, nil)), Options{}, DefaultLimits())
	if want := fmt.Sprintf("reject %dC%d: 7|y !extra_cell 0 ", late, late); got[len(got)-1] != want || got[2] != "header 2C2: id|name" {
		t.Errorf("got %q, %q", got[2], got[len(got)-1])
	}
}
