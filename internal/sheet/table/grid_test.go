package table

import (
	"fmt"
	"slices"
	"testing"
)

// The long list below a summary is the table, whether or not anything is known of the looks of the rows.
func TestLongListBelowASummary(t *testing.T) {
	t.Parallel()
	rows := [][][]byte{
		text("Region", "Orders", "Amount"), text("North", "12", "4100"), text("South", "9", "3900"), text("East", "7", "2210"), nil,
		text("No", "Client", "Amount"),
	}
	for i := range 30 {
		rows = append(rows, text(fmt.Sprint(100+i), "Abel", fmt.Sprint(20+7*i)))
	}
	for _, strong := range [][]bool{nil, make([]bool, 3), make([]bool, len(rows))} {
		if l := DecideGrid(slices.Values(rows), Hints{}, Told{Strong: strong}); l.Preamble != 5 || l.Header != 1 {
			t.Errorf("with the looks of %d rows: the header has %d rows below %d, want 1 below 5", len(strong), l.Header, l.Preamble)
		}
	}
}

// The lines above the header of a worksheet are none of its rows where a later page has them once more.
func TestLinesOfLaterPages(t *testing.T) {
	t.Parallel()
	above := [][][]byte{text("Stock list by branch"), text("Printed", "2024-05-03 10:11"), text("Page"), nil}
	rows := append(slices.Clone(above), text("Quantity", "Cost", "Price", "Branch"))
	for i := range 12 {
		rows = append(rows, text(fmt.Sprint(600+i), fmt.Sprintf("%d.50", 20+7*i), fmt.Sprint(i), "North"))
	}
	rows = slices.Concat(rows, [][][]byte{nil}, rows)
	l := DecideGrid(slices.Values(rows), Hints{}, Told{})
	if l.Preamble != len(above) || l.Header != 1 {
		t.Fatalf("the header has %d rows below %d", l.Header, l.Preamble)
	}
	for _, cells := range above[:3] {
		if !l.Filter.Drops(cells) {
			t.Errorf("%s is a row", cells)
		}
	}
}

func text(cells ...string) (row [][]byte) {
	for _, cell := range cells {
		row = append(row, []byte(cell))
	}
	return row
}

// Rows whose cells have no places, as wrong references leave them, are no sums, where there is no table either.
func TestRowsWithoutCellsAreNoSums(t *testing.T) {
	t.Parallel()
	rows := [][][]byte{{nil, nil}, {[]byte("a"), []byte("12")}, {nil}, {nil, nil}, {[]byte("b")}}
	for _, columns := range []int{0, 3} {
		if i := (Layout{Columns: columns, grid: true}).BelowSums(slices.Values(rows), len(rows), Tail{}); i != len(rows) {
			t.Errorf("%d columns: what stands below begins at row %d", columns, i)
		}
	}
}
