package sheet

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// P6: in a table whose first column has numbers, records with a text there and fewer values sum up, whatever they are called; all rows stay.
func TestSumsOfAnyName(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		table := drawTable(rt, "part", 12)
		table.header = append([]string{"no"}, table.header...)
		records, skips := [][]string{table.header}, 0
		every := rapid.IntRange(5, 12).Draw(rt, "every")
		name := rapid.SampledFrom([]string{"For all of it", "Week", "Nach Abzug", "Vše", "Altogether in stock"}).Draw(rt, "name")
		sum := func(i int) []string { return table.total(fmt.Sprintf("%s %c", name, 'A'+i%26)) }
		for i := range table.rows {
			table.rows[i] = append([]string{fmt.Sprint(i + 1)}, table.rows[i]...)
			if records = append(records, table.rows[i]); (i+1)%every == 0 && i+1 < len(table.rows) && len(table.rows) >= 2*every+2 {
				records, skips = append(records, sum(i)), skips+1
			}
		}
		records, skips = append(records, sum(0)), skips+1
		delimiter := rapid.SampledFrom([]string{",", ";", "\t"}).Draw(rt, "delimiter")
		got, rejects, skipped := readTable(t, asText(records, delimiter))
		if !slices.Equal(got.header, table.header) || !slices.EqualFunc(got.rows, table.rows, slices.Equal) || rejects != 0 || skipped != skips {
			rt.Fatalf("got %q and %d rows, %d rejects, %d skips, want %d of\n%s", got.header, len(got.rows), rejects, skipped, skips, asText(records, "|"))
		}
	})
}
