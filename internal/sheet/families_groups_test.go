package sheet

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// P6: names of groups over two columns or more belong to the header, whether they are words or days, and the names below them words or
// years, and so all rows stay rows.
func TestGroupsAboveTextsAndYears(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		groups, each := rapid.IntRange(2, 4).Draw(rt, "groups"), rapid.IntRange(2, 4).Draw(rt, "each")
		years, days, rows := rapid.Bool().Draw(rt, "years"), rapid.Bool().Draw(rt, "days"), rapid.IntRange(3, 20).Draw(rt, "rows")
		table := drawnTable{header: []string{"Place"}}
		upper, lower := []string{"Place"}, []string{""}
		if !years {
			upper, lower, table.header = []string{}, []string{}, []string{}
		}
		for g := range groups {
			for c := range each {
				name := fmt.Sprintf("Name %c", 'A'+c)
				if years {
					name = fmt.Sprint(1990 + 7*c)
				}
				group := fmt.Sprintf("Group %d", g)
				if days && !years {
					group = fmt.Sprintf("2024-01-%02d", 8+g)
				}
				table.header = append(table.header, group+" "+name)
				if c > 0 {
					group = ""
				}
				upper, lower = append(upper, group), append(lower, name)
			}
		}
		for r := range rows {
			row := make([]string, len(upper))
			for i := range row {
				if row[i] = fmt.Sprintf("text %d", 100*i+r); years && i > 0 {
					row[i] = fmt.Sprint(3000 + 100*i + r)
				}
			}
			table.rows = append(table.rows, row)
		}
		lines := []string{}
		for _, record := range append([][]string{upper, lower}, table.rows...) {
			lines = append(lines, strings.Join(record, ";"))
		}
		content := strings.Join(lines, "\n") + "\n"
		expectTable(t, rt, content, content, table, 0, 0)
	})
}

// P6: a blank row may stand between the names of groups and those of their columns, whichever row has the first column's name, and an
// empty column between groups.
func TestGroupsAboveABlankRow(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		groups, each := rapid.IntRange(2, 4).Draw(rt, "groups"), rapid.IntRange(2, 4).Draw(rt, "each")
		above, apart := rapid.Bool().Draw(rt, "name above"), rapid.Bool().Draw(rt, "apart")
		upper, lower, table := []string{""}, []string{"Place"}, drawnTable{header: []string{"Place"}}
		if above {
			upper, lower = lower, upper
		}
		for g := range groups {
			for c := range each {
				group, name := fmt.Sprintf("Group %d", g), fmt.Sprintf("Name %c", 'A'+c)
				table.header = append(table.header, group+" "+name)
				if c > 0 {
					group = ""
				}
				upper, lower = append(upper, group), append(lower, name)
			}
			if apart && g < groups-1 {
				table.header = append(table.header, fmt.Sprintf("column_%d", len(upper)+1))
				upper, lower = append(upper, ""), append(lower, "")
			}
		}
		for r := range rapid.IntRange(3, 20).Draw(rt, "rows") {
			row := []string{fmt.Sprintf("place %d", r)}
			for i := 1; i < len(lower); i++ {
				if row = append(row, fmt.Sprintf("%d.5", 100*i+r)); table.header[i] == fmt.Sprintf("column_%d", i+1) {
					row[i] = ""
				}
			}
			table.rows = append(table.rows, row)
		}
		records := append([][]string{{"A title of the table"}, {}, upper, {}, lower}, table.rows...)
		got, rejects, skips := readTable(t, asSheet(t, records))
		if !slices.Equal(got.header, table.header) || !slices.EqualFunc(got.rows, table.rows, slices.Equal) || rejects != 0 {
			rt.Fatalf("got %q, %d rows, %d rejects, %d skips of\n%s", got.header, len(got.rows), rejects, skips, asText(records, "|"))
		}
	})
}
