package sheet

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// withTitles returns the records of a table with the title of a part above each so many rows, and the number of parts.
func withTitles(rt *rapid.T, table drawnTable, title func(text string) []string) (records [][]string, parts int) {
	records = [][]string{table.header}
	every := rapid.IntRange(2, 4).Draw(rt, "every")
	for i, row := range table.rows {
		if i%every == 0 && len(table.rows)-i >= every {
			parts++
			records = append(records, title(fmt.Sprintf("Section %c", 'A'+parts)))
		}
		records = append(records, row)
	}
	return records, parts
}

// P6: titles of parts that look like all other rows are no rows, whatever the table, if the first one is right below the header or right
// above it; in a text they may be the only cells of their lines. Blank rows may stand above and below them. All else stays.
func TestPlainTitlesOfParts(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		table := drawTable(rt, "part", 9)
		text, above := rapid.Bool().Draw(rt, "text"), rapid.Bool().Draw(rt, "above the header")
		short := text && rapid.Bool().Draw(rt, "short")
		blanks := rapid.IntRange(0, 2).Draw(rt, "blank rows")
		every := rapid.IntRange(2, 3).Draw(rt, "every")
		records := [][]string{table.header}
		for i, row := range table.rows {
			if i%every == 0 && len(table.rows)-i >= every {
				title := table.lone(fmt.Sprintf("Section %c", 'A'+i))
				if short {
					title = title[:1]
				}
				part := slices.Concat(slices.Repeat([][]string{table.lone("")}, min(blanks, 1)), [][]string{title},
					slices.Repeat([][]string{table.lone("")}, blanks/2))
				if i == 0 && above {
					records = append([][]string{title}, records...)
				} else {
					records = append(records, part...)
				}
			}
			records = append(records, row)
		}
		content := asSheet(t, records)
		if text {
			content = asText(records, ",")
		}
		got, rejects, _ := readTable(t, content)
		if !slices.Equal(got.header, table.header) || !slices.EqualFunc(got.rows, table.rows, slices.Equal) || rejects > 0 {
			rt.Fatalf("got %q, %d rows and %d rejects of\n%s", got.header, len(got.rows), rejects, asText(records, "|"))
		}
	})
}

// P6: titles of parts behind their numbers are no rows, in texts and worksheets, if those of the rows are parts of them; and all else stays.
func TestNumberedTitlesOfParts(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		drawn := drawTable(rt, "part", 9)
		table := drawnTable{header: append([]string{"No"}, drawn.header...)}
		records, parts, no := [][]string{table.header}, 0, 0
		every := rapid.IntRange(2, 4).Draw(rt, "every")
		for i, row := range drawn.rows {
			if i%every == 0 && len(drawn.rows)-i >= every {
				parts, no = parts+1, 0
				records = append(records, append([]string{fmt.Sprint(parts)}, drawn.lone(fmt.Sprintf("Section %c", 'A'+parts))...))
			}
			no++
			table.rows = append(table.rows, append([]string{fmt.Sprintf("%d.%d", parts, no)}, row...))
			records = append(records, table.rows[i])
		}
		expect(t, rt, records, table, 0, parts)
	})
}

// P6: titles of parts alone in a column of values are no rows of a worksheet, whatever the table; and all else stays.
func TestTitlesOverValues(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		table := drawTable(rt, "part", 9)
		records, parts := withTitles(rt, table, func(text string) []string {
			title := table.lone("")
			title[len(title)-1] = text
			return title
		})
		expectTable(t, rt, asSheet(t, records), asText(records, "|"), table, 0, parts)
	})
}

// P6: of two lists beside one another, each with names of its own, one is read, and nothing of the other is in its rows.
func TestTwoListsBesideOneAnother(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		rows, others := rapid.IntRange(6, 20).Draw(rt, "rows"), rapid.IntRange(3, 5).Draw(rt, "others")
		first := drawnTable{header: []string{"Name", "Count", "Price"}}
		records := [][]string{{"Name", "Count", "Price", "", "Club", "Played"}}
		for i := range rows {
			row := []string{fmt.Sprintf("name %d", i), fmt.Sprint(i * 3), fmt.Sprintf("%d.25", i)}
			first.rows = append(first.rows, row)
			beside := []string{"", "", ""}
			if i < others {
				beside = []string{"", fmt.Sprintf("club %d", i), fmt.Sprint(20 - i)}
			}
			records = append(records, append(slices.Clone(row), beside...))
		}
		expectTable(t, rt, asSheet(t, records), asText(records, "|"), first, 0, 0)
	})
}

// Nor is anything of two tables mixed of which the second one goes on below the first, whatever they begin with.
func TestSecondTableBesideGoesOn(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		draw := func(word string, least, most int) drawnTable {
			numbers := rapid.SliceOfN(rapid.Bool(), 2, 4).Draw(rt, "numbers")
			numbers[len(numbers)-1] = true
			return drawKinds(rt, word, numbers, least, most)
		}
		first := draw("part", 3, 9)
		second := draw("place", len(first.rows)+2, len(first.rows)+6)
		gap := make([]string, rapid.IntRange(1, 2).Draw(rt, "gap"))
		records := [][]string{slices.Concat(first.header, gap, second.header)}
		for i, beside := range second.rows {
			row := make([]string, len(first.header))
			if i < len(first.rows) {
				row = first.rows[i]
			}
			records = append(records, slices.Concat(row, gap, beside))
		}
		got, rejects, skips := readTable(t, asText(records, ","))
		if !slices.Equal(got.header, first.header) || !slices.EqualFunc(got.rows, first.rows, slices.Equal) || rejects+skips > 0 {
			rt.Fatalf("got %q and %d rows, %d rejects, %d skips of\n%s", got.header, len(got.rows), rejects, skips, asText(records, "|"))
		}
		if got, _, _ := readTable(t, asSheet(t, records)); !slices.Equal(got.header, first.header) && !slices.Equal(got.header, second.header) {
			rt.Fatalf("got %q of the worksheet\n%s", got.header, asText(records, "|"))
		}
	})
}
