package sheet

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// P6: titles that stand alone, without delimiters, above the header once more are no rows and no rejects, and all rows of all parts stay.
func TestTitlesAloneAboveTheHeaderAgain(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		table := drawTable(rt, "part", 6)
		every := rapid.IntRange(2, 5).Draw(rt, "every")
		delimiter := rapid.SampledFrom([]string{",", ";", "\t"}).Draw(rt, "delimiter")
		blank := rapid.Bool().Draw(rt, "blank")
		var b strings.Builder
		for i, row := range table.rows {
			if i%every == 0 && len(table.rows)-i >= every {
				if i > 0 && blank {
					b.WriteString("\n")
				}
				fmt.Fprintf(&b, "Site %c\n%s\n", 'A'+i/every, strings.Join(table.header, delimiter))
			}
			b.WriteString(strings.Join(row, delimiter) + "\n")
		}
		got, rejects, _ := readTable(t, b.String())
		if !slices.Equal(got.header, table.header) || !slices.EqualFunc(got.rows, table.rows, slices.Equal) || rejects != 0 {
			rt.Fatalf("got %q and %d rows of %d, %d rejects, of\n%s", got.header, len(got.rows), len(table.rows), rejects, b.String())
		}
	})
}

// P6: what is computed of several parts, right below the sum of one, is no row; an account that has such a name in a part is one.
func TestResultsOfParts(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		columns, parts := rapid.IntRange(2, 5).Draw(rt, "columns"), rapid.IntRange(2, 4).Draw(rt, "parts")
		numbers := func(n int) []string {
			cells := make([]string, columns)
			for i := range cells {
				cells[i] = fmt.Sprintf("%d.50", 100*n+i)
			}
			return cells
		}
		named := func(name string, n int) []string { return append([]string{name}, numbers(n)...) }
		table := drawnTable{header: append([]string{"Account"}, numbers(0)...)}
		for i := range columns {
			table.header[i+1] = fmt.Sprintf("Month %c", 'A'+i)
		}
		records, n, skips := [][]string{table.header}, 0, 0
		for p := range parts {
			title := fmt.Sprintf("Kind%c", 'A'+p)
			records, skips = append(records, table.lone(title)), skips+3
			for i := range rapid.IntRange(2, 5).Draw(rt, "rows") {
				name := fmt.Sprintf("thing %d", n)
				if i == 1 {
					name = fmt.Sprintf("Loss of %d", n)
				}
				n++
				table.rows = append(table.rows, named(name, n))
				records = append(records, table.rows[len(table.rows)-1])
			}
			records = append(records, named("Total "+title, n), named(fmt.Sprintf("Net Result %d", p), n))
		}
		expectTable(t, rt, asText(records, ";"), asText(records, "|"), table, 0, skips)
	})
}

// P6: names of groups above a blank record belong to the header, if the same names come again below each.
func TestGroupsAboveABlankLine(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		groups, each := rapid.IntRange(2, 4).Draw(rt, "groups"), rapid.IntRange(2, 4).Draw(rt, "each")
		years, rows := rapid.Bool().Draw(rt, "years"), rapid.IntRange(4, 20).Draw(rt, "rows")
		table := drawnTable{header: []string{"Place"}}
		upper, lower := []string{""}, []string{"Place"}
		for g := range groups {
			for c := range each {
				group, name := fmt.Sprintf("Group %c", 'A'+g), fmt.Sprintf("Name %c", 'A'+c)
				if years {
					name = fmt.Sprint(2001 + 10*c)
				}
				table.header, lower = append(table.header, group+" "+name), append(lower, name)
				if c > 0 {
					group = ""
				}
				upper = append(upper, group)
			}
		}
		blank := make([]string, len(upper))
		records := [][]string{upper, blank, lower}
		if rapid.Bool().Draw(rt, "second") {
			records = append(records, blank)
		}
		for r := range rows {
			row := []string{fmt.Sprintf("place %d", r)}
			for i := range groups * each {
				row = append(row, fmt.Sprint(10_000+100*i+r))
			}
			table.rows, records = append(table.rows, row), append(records, row)
		}
		got, rejects, _ := readTable(t, asText(records, ","))
		if !slices.Equal(got.header, table.header) || !slices.EqualFunc(got.rows, table.rows, slices.Equal) || rejects != 0 {
			rt.Fatalf("got %q and %d rows of %d, %d rejects, of\n%s", got.header, len(got.rows), rows, rejects, asText(records, ","))
		}
	})
}

// P6: parts whose titles and sums stand in a column of their own, in front of the rows and without a name, are left out with that column.
func TestPartsInAnUnnamedColumn(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		table := drawTable(rt, "part", 6)
		every := rapid.IntRange(2, 4).Draw(rt, "every")
		ahead := func(first string, cells []string) []string { return append([]string{first}, cells...) }
		records, skips := [][]string{ahead("", table.header)}, 0
		for from := 0; from < len(table.rows); from += every {
			name := fmt.Sprintf("Client %d", from)
			records = append(records, ahead(name, make([]string, len(table.header))))
			for _, row := range table.rows[from:min(from+every, len(table.rows))] {
				records = append(records, ahead("", row))
			}
			sum := table.total("Total for " + name)
			records, skips = append(records, ahead(sum[0], append([]string{""}, sum[1:]...))), skips+2
		}
		expectTable(t, rt, asText(records, ","), asText(records, "|"), table, 0, skips)
	})
}
