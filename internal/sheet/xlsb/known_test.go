package xlsb

import (
	"errors"
	"io"
	"slices"
	"testing"

	"sheetdrop/internal/sheet/grid"
	"sheetdrop/internal/sheet/sheettest/biff12"
)

// What the workbook says of its sheets is known: their kinds, what is hidden, tables, filters, titles, frozen rows and merged cells.
func TestKnown(t *testing.T) {
	t.Parallel()
	rows := [][]biff12.Cell{{{Value: "a", Style: 1}, {Value: "b"}}, {{Value: 1.0}, {Value: 2.0, Style: 2}}, {{Value: 3.0}, {Value: 4.0}}}
	book := biff12.Book{
		Sheets: []biff12.Sheet{
			{Name: "Table", Rows: rows, Tables: []biff12.Table{{Area: biff12.Area{Top: 1, Bottom: 3, Left: 1, Right: 2}, Totals: 1}}},
			{Name: "Filter", Rows: rows, State: 1, Filter: biff12.Area{Top: 1, Bottom: 3, Left: 1, Right: 2}, Frozen: 2, Titles: [2]int{1, 2}},
			{Name: "Titles", Rows: rows, State: 2, Titles: [2]int{1, 2}, Frozen: 1},
			{Name: "Frozen", Rows: rows, Frozen: 1},
			{Name: "Merged", Rows: rows, Merged: []biff12.Area{{Top: 1, Bottom: 1, Left: 1, Right: 2}}},
		},
		Styles: []biff12.Style{{}, {Bold: true}, {Filled: true}},
	}
	b, err := openFiles(book.Files(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	want := []grid.Known{
		{Tables: []grid.Table{{Range: grid.Range{Left: 1, Right: 2, Top: 1, Bottom: 3}, Header: 1, Totals: 1}}},
		{HeaderEnd: 1}, {HeaderEnd: 2}, {HeaderEnd: 1},
		{Merged: []grid.Range{{Left: 1, Right: 2, Top: 1, Bottom: 1}}},
	}
	visibility := []grid.Visibility{grid.Visible, grid.Hidden, grid.VeryHidden, grid.Visible, grid.Visible}
	for i, s := range b.Sheets() {
		if s.Visibility != visibility[i] || s.Kind != grid.Worksheet || s.Name != book.Sheets[i].Name || s.Number != i+1 {
			t.Errorf("sheet %d: %+v", i+1, s)
		}
		known, strong := knownOf(t, b, i+1)
		if !slices.Equal(known.Tables, want[i].Tables) || !slices.Equal(known.Merged, want[i].Merged) || known.HeaderEnd != want[i].HeaderEnd {
			t.Errorf("%s: %+v, want %+v", s.Name, known, want[i])
		}
		if !slices.Equal(strong, []string{"A1", "B2"}) {
			t.Errorf("%s: %v are bold or coloured", s.Name, strong)
		}
	}
}

// knownOf reads a sheet, and returns what is known of it and which cells are bold or coloured.
func knownOf(t *testing.T, b *Book, number int) (known grid.Known, strong []string) {
	t.Helper()
	rows, err := b.Rows(number)
	for err == nil {
		var row *grid.Row
		if row, err = rows.Next(); err == nil {
			for _, c := range row.Cells {
				if c.Strong {
					strong = append(strong, grid.Reference(c.Column, row.No))
				}
			}
		}
	}
	if !errors.Is(err, io.EOF) {
		t.Fatal(err)
	}
	if known, err = rows.(grid.Informed).Known(true); err != nil {
		t.Fatal(err)
	}
	return known, strong
}

// A view that begins further down counts its frozen rows from there; a pane that is not frozen is none.
func TestFrozenRows(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		top, flags int
		rows       float64
		want       int64
	}{{0, 1, 2, 2}, {3, 3, 2, 5}, {0, 0, 2, 0}, {0, 1, 0, 0}, {0, 1, -4, 0}, {0, 1, 1e300, 0}} {
		var s biff12.Stream
		s.Record(idBeginView, uint16(0), 0, c.top, 0)
		s.Record(idPane, 0.0, c.rows, c.top+int(c.want), 0, 2, byte(c.flags))
		s.Record(idBeginData)
		s.Record(idEndData)
		b, err := openFiles(biff12.Replace(twoStrings(), sheetPart, s.Bytes()), Options{})
		if err != nil {
			t.Fatal(err)
		}
		if known, _ := knownOf(t, b, 1); known.HeaderEnd != c.want {
			t.Errorf("%+v: the header ends at %d", c, known.HeaderEnd)
		}
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	}
}

// Names whose formulas are something else than rows of the sheet tell nothing.
func TestNamesThatTellNothing(t *testing.T) {
	t.Parallel()
	columns := []byte{0x3B, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0x0F, 0, 0, 0, 1, 0}
	rows := []byte{0x3B, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0xFF, 0xFF}
	for name, c := range map[string]struct {
		flags, sheet int
		formula      []byte
		want         int64
	}{
		"rows":                {builtin, 0, rows, 3},
		"columns and rows":    {builtin, 0, slices.Concat([]byte{0x29, 31, 0}, columns, rows, []byte{0x10}), 3},
		"columns":             {builtin, 0, columns, 0},
		"somebody's own name": {0, 0, rows, 0},
		"no such sheet":       {builtin, 1, rows, 0},
		"of the workbook":     {builtin, -1, rows, 0},
		"cut off":             {builtin, 0, rows[:9], 0},
		"nothing":             {builtin, 0, nil, 0},
		"deleted":             {builtin, 0, append([]byte{0x3D}, rows[1:]...), 0},
	} {
		var s biff12.Stream
		s.Record(idBeginBook)
		s.Record(idSheet, 0, 1, "rId1", "S")
		s.Record(idName, c.flags, byte(0), c.sheet, "Print_Titles", len(c.formula), c.formula)
		b, err := openFiles(biff12.Replace(twoStrings(), workbookPart, s.Bytes()), Options{})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if known, _ := knownOf(t, b, 1); known.HeaderEnd != c.want {
			t.Errorf("%s: the header ends at %d, want %d", name, known.HeaderEnd, c.want)
		}
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	}
}
