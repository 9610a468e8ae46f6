package sheet

import (
	"fmt"
	"strings"
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
		expectTable(t, rt, asText(records, delimiter), asText(records, "|"), table, 0, skips)
	})
}

// P6: the last row of a text or worksheet that sums up all rows above, whatever it is called, is none of the table; where one of its numbers is
// another it stays, and so does one of small numbers, which may be sums by chance.
func TestSumsOfAllRows(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		width, n := rapid.IntRange(2, 6).Draw(rt, "numbers"), rapid.IntRange(3, 40).Draw(rt, "rows")
		table, sums := drawnTable{header: []string{"Place"}}, make([]int, width)
		for i := range width {
			table.header = append(table.header, fmt.Sprintf("Year %c", 'A'+i))
		}
		for r := range n {
			row := []string{fmt.Sprintf("place %d", r)}
			for i := range width {
				v := 1000 + rapid.IntRange(1, 99999).Draw(rt, "value")*10 + 7
				row, sums[i] = append(row, fmt.Sprint(v)), sums[i]+v
			}
			table.rows = append(table.rows, row)
		}
		last := []string{rapid.SampledFrom([]string{"Outcome", "Everywhere", "The island", ""}).Draw(rt, "name")}
		for _, sum := range sums {
			last = append(last, fmt.Sprint(sum))
		}
		want := 1
		switch rapid.IntRange(0, 2).Draw(rt, "last row") {
		case 1: // another number
			last[0], last[1], want = "place of its own", fmt.Sprint(sums[0]+1), 0
			table.rows = append(table.rows, last)
		case 2: // small numbers
			table.rows, want = [][]string{{"ash", "1", "1"}, {"elm", "1", "0"}, {"oak", "1", "1"}, {"yew", "3", "2"}}, 0
			table.header, last = table.header[:3], nil
		}
		records := append([][]string{table.header}, table.rows...)
		if want == 1 {
			records = append(records, last)
		}
		expectTable(t, rt, asSheet(t, records), asText(records, "|"), table, 0, want)
		expectTable(t, rt, asText(records, rapid.SampledFrom([]string{",", ";", "\t"}).Draw(rt, "delimiter")), asText(records, "|"), table, 0, want)
	})
}

// Words for sums in any cell of a table between empty columns are cells like others.
func TestWordsForSumsBetweenEmptyColumns(t *testing.T) {
	t.Parallel()
	text := ";key;en;de;\n" + strings.Repeat(";k1;Open;Öffnen;\n", 6) + ";k2;Sum;Summe;\n;k3;;Total;\n;k4;;Total;\n"
	if loaded, columns := loadedOf(t, text); loaded != 9 || len(columns) != 3 {
		t.Errorf("%d rows of columns %q", loaded, columns)
	}
}
