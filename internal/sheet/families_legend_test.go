package sheet

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	_ "sheetdrop/internal/rapidseed"
)

// A legend of eight lines or more above a table that is ten times as long is no table, also if a line of it goes on in the next one.
func TestLegendAboveALongTable(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(8, 10).Draw(rt, "lines")
		table := drawTable(rt, "part", 10*n+5)
		goesOn := rapid.IntRange(1, n-1).Draw(rt, "goes on")
		records := [][]string{{"Parts of the year"}, {}}
		for i := range n {
			name := fmt.Sprintf("Key %c", 'A'+i)
			if i == goesOn {
				name = ""
			}
			records = append(records, []string{name, fmt.Sprintf("what it means, %d", i)})
		}
		records = append(records, nil, table.header)
		_, s := openFirst(t, asSheet(t, append(records, table.rows...)), Options{})
		rows := 0
		for rec := range recordsOf(t, s) {
			if rec.Kind == Row {
				rows++
			}
		}
		var names []string
		for _, c := range s.Columns() {
			names = append(names, c.Name)
		}
		if rows != len(table.rows) || !slices.Equal(names, table.header) {
			rt.Fatalf("%d rows of %d, %q", rows, len(table.rows), names)
		}
	})
}
