package sheet

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// The columns of a form whose cells are merged over several narrow ones are those of the table, whatever their widths and whatever stands
// above, and some cells may be empty.
func TestFormsOnNarrowColumns(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		table := drawTable(rt, "part", 4)
		spans := []int{}
		for range table.header {
			spans = append(spans, rapid.IntRange(1, 4).Draw(rt, "span"))
		}
		book := drawnBook{}
		for range rapid.IntRange(0, 2).Draw(rt, "titles") {
			book.rows = append(book.rows, []string{"A line above"}, []string{""})
		}
		above := len(book.rows)
		for i, row := range slices.Concat([][]string{table.header}, table.rows) {
			cells, no := []string{}, len(book.rows)+1
			for c, text := range row {
				if i > 0 && c > 0 && c < len(row)-1 && (i+c)%7 == 0 {
					text = ""
				}
				if spans[c] > 1 {
					book.told = append(book.told, fmt.Sprintf("merge %s%d:%s%d", column(len(cells)), no, column(len(cells)+spans[c]-1), no))
				}
				cells = append(append(cells, text), make([]string, spans[c]-1)...)
			}
			book.rows = append(book.rows, cells)
		}
		got, rejects, _ := readTable(t, string(book.write(t)))
		if !slices.Equal(got.header, table.header) || len(got.rows) != len(table.rows) || rejects != 0 {
			rt.Fatalf("%d above: got %q, %d rows, %d rejects; want %q, %d", above, got.header, len(got.rows), rejects, table.header, len(table.rows))
		}
	})
}
