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

// P6: groups may have years or words below them, some fewer than others, beside any number of columns with names of their own, in the
// upper row or the lower one; their names may stand above their first columns or above each, and their unit below.
func TestGroupsOfManyShapes(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		records, table := drawGroups(rt)
		for form, content := range map[string]string{"text": asText(records, ","), "sheet": asSheet(t, records)} {
			got, rejects, skips := readTable(t, content)
			if !slices.Equal(got.header, table.header) || !slices.EqualFunc(got.rows, table.rows, slices.Equal) || rejects+skips != 0 {
				rt.Fatalf("%s: got %q, %d rows, %d rejects, %d skips of\n%s", form, got.header, len(got.rows), rejects, skips, asText(records, "|"))
			}
		}
	})
}

// drawGroups draws a table with names of groups above those of its columns, and returns its records.
func drawGroups(rt *rapid.T) (records [][]string, table drawnTable) {
	below := rapid.SampledFrom([][]string{{"2022", "2023", "2024"}, {"Plan", "Actual", "Rest"}, {"Jan", "Feb", "Mar"}}).Draw(rt, "below")
	lead, above := rapid.IntRange(1, 3).Draw(rt, "lead"), rapid.Bool().Draw(rt, "above")
	each, behind, unit := rapid.Bool().Draw(rt, "each"), rapid.Bool().Draw(rt, "behind"), rapid.Bool().Draw(rt, "unit")
	var upper, lower, units []string
	add := func(group, name, label string) {
		upper, lower, units, table.header = append(upper, group), append(lower, name), append(units, ""), append(table.header, label)
	}
	named := func(name string) {
		if above {
			add(name, "", name)
		} else {
			add("", name, name)
		}
	}
	for i := range lead {
		named([]string{"Shop", "Street", "Town"}[i])
	}
	groups := rapid.IntRange(2, 4).Draw(rt, "groups")
	for g := range groups {
		n := 3
		if g > 0 { // one like the first may follow a shorter one
			n = rapid.IntRange(2, 3).Draw(rt, "columns")
		}
		group := []string{"North", "South", "East", "West"}[g]
		for i, name := range below[:n] {
			label := group + " " + name
			if add(group, name, label); i > 0 && !each {
				upper[len(upper)-1] = ""
			}
		}
	}
	if behind && (each || above) {
		named("Remarks")
	}
	records = [][]string{upper, lower}
	if unit {
		for i := lead; i < len(units); i++ {
			if table.header[i] != "Remarks" {
				units[i], table.header[i] = "EUR", table.header[i]+" EUR"
			}
		}
		records = append(records, units)
	}
	for r := range rapid.IntRange(4, 20).Draw(rt, "rows") {
		row := []string{}
		for i, label := range table.header {
			switch {
			case label == "Remarks":
				row = append(row, fmt.Sprintf("remark %d", r))
			case i < lead:
				row = append(row, fmt.Sprintf("K-%03d", 7*r+i))
			default:
				row = append(row, fmt.Sprintf("%d.%d", 100+31*r*i%800, 1+r%9))
			}
		}
		table.rows = append(table.rows, row)
	}
	return append(records, table.rows...), table
}
