package sheet

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"
)

// P6: lines of names with their values, as wide as the table below a blank record, are no rows and no header: two names in a line of four
// cells, or a name, its value and the unit in a line of three.
func TestPairsAboveTheTable(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		lines, rows := rapid.IntRange(1, 6).Draw(rt, "lines"), rapid.IntRange(3, 30).Draw(rt, "rows")
		units, words := rapid.Bool().Draw(rt, "units"), []string{"Oslo", "2025-02-03", "Main St", "17", "30 days", "Lee"}
		table := drawnTable{header: []string{"No", "Item", "Weight", "State"}}
		for i := range rows {
			table.rows = append(table.rows, []string{fmt.Sprint(i + 1), fmt.Sprintf("item %d", i*7%5), fmt.Sprintf("%d.5", i), "new"})
		}
		var records [][]string
		for i := range lines {
			line := []string{fmt.Sprintf("Name %c", 'A'+i), words[i%6], fmt.Sprintf("Other %c", 'A'+i), words[(i+1)%6]}
			if units {
				line = []string{line[0], fmt.Sprintf("%d.0%d", i+1, i), []string{"mm", "kN", "mm/min"}[i%3]}
			}
			records = append(records, line)
		}
		if units {
			table.header = table.header[:3]
			for i, row := range table.rows {
				table.rows[i] = []string{fmt.Sprintf("0.%d", i), row[2], row[0]}
			}
		}
		records = append(records, make([]string, len(table.header)), table.header)
		records = append(records, table.rows...)
		expectTable(t, rt, asText(records, rapid.SampledFrom([]string{",", ";", "\t"}).Draw(rt, "delimiter")), asText(records, "|"), table, 0, lines)
	})
}

// P6: lines of a form right above the header, the last of which has a day behind a name for it, are no rows and no header.
func TestFormAboveTheHeader(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		lines, rows := rapid.IntRange(0, 5).Draw(rt, "lines"), rapid.IntRange(3, 30).Draw(rt, "rows")
		words := []string{"Oslo", "R. Fox", "Main St", "17", "HR", "Lee"}
		var records [][]string
		for i := range lines {
			records = append(records, []string{fmt.Sprintf("Name %c", 'A'+i), words[i%6], fmt.Sprintf("Other %c", 'A'+i), words[(i+1)%6]})
		}
		name := rapid.SampledFrom([]string{"Date", "From", "Datum", "Von:", "DATE", "Fecha"}).Draw(rt, "name")
		records = append(records, []string{name, "2025-02-03", "No.", rapid.SampledFrom(words).Draw(rt, "value")})
		table := drawnTable{header: []string{"What", "When", "Where", "Amount"}}
		for i := range rows {
			row := []string{fmt.Sprintf("item %d", i*7%5), fmt.Sprintf("2025-02-%02d", i%28+1), words[i%3], fmt.Sprintf("%d.5", i)}
			table.rows = append(table.rows, row)
		}
		records = append(append(records, table.header), table.rows...)
		expectTable(t, rt, asText(records, rapid.SampledFrom([]string{",", ";", "\t"}).Draw(rt, "delimiter")), asText(records, "|"), table, 0, lines+1)
	})
}

// P6: a last record with the gaps of the sums above it sums up, whatever it is called; all rows stay.
func TestLastSumLooksLikeOthers(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		table := drawTable(rt, "part", 12)
		table.header = append([]string{"branch"}, table.header...)
		records, skips := [][]string{table.header}, 0
		every := rapid.IntRange(3, 6).Draw(rt, "every")
		for i := range table.rows {
			branch := fmt.Sprintf("Branch %c", 'A'+i/every)
			table.rows[i] = append([]string{branch}, table.rows[i]...)
			if records = append(records, table.rows[i]); (i+1)%every == 0 || i+1 == len(table.rows) {
				records, skips = append(records, table.total(branch+" total")), skips+1
			}
		}
		name := rapid.SampledFrom([]string{"All branches", "Company", "Everything"}).Draw(rt, "name")
		records = append(records, table.total(name))
		expectTable(t, rt, asText(records, rapid.SampledFrom([]string{",", ";", "\t"}).Draw(rt, "delimiter")), asText(records, "|"), table, 0, skips+1)
	})
}
