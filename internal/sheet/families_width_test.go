package sheet

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Columns that are named, and in which no row has a value, are null in all rows, whatever stands above the names and below the rows.
func TestNamesBehindAllValues(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		table := drawTable(rt, "part", 5)
		want := drawnTable{header: slices.Clone(table.header)}
		for i := range rapid.IntRange(max(1, 5-len(table.header)), 6).Draw(rt, "more names") {
			want.header = append(want.header, fmt.Sprintf("further name %c", 'A'+i))
		}
		records := rapid.SampledFrom([][][]string{
			nil, {{"Parts of the mill"}}, {{"Parts of the mill"}, {}}, {{"Parts of the mill"}, {"as of May"}, {}},
		}).Draw(rt, "titles")
		skips := len(slices.DeleteFunc(slices.Clone(records), func(r []string) bool { return len(r) == 0 }))
		records = append(records, want.header)
		for _, row := range table.rows {
			records = append(records, row)
			want.rows = append(want.rows, append(slices.Clone(row), make([]string, len(want.header)-len(row))...))
		}
		if rapid.Bool().Draw(rt, "note") {
			records, skips = append(records, []string{}, []string{"Source: the mill"}), skips+1
		}
		expect(t, rt, records, want, 0, skips)
	})
}
