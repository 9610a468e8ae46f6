package sheet

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Tables as Markdown, reStructuredText and database clients draw them are read without what draws them.
func TestDrawnTables(t *testing.T) {
	t.Parallel()
	rows := []string{"id|name|price", "1|Anna|1.50", "2|Bob B.|2.00", "3||7.25"}
	for name, content := range map[string]string{
		"Markdown":           "| id | name | price |\n|----|:-----|------:|\n| 1 | Anna | 1.50 |\n| 2 | Bob B. | 2.00 |\n| 3 | | 7.25 |\n",
		"a page of Markdown": "# Prices\n\nSome words, and more.\n\n| id | name | price |\r\n| --- | --- | --- |\r\n| 1 | Anna | 1.50 |\r\n| 2 | Bob B. | 2.00 |\r\n| 3 | | 7.25 |\r\n\nThe end.\n",
		"mysql":              "+----+--------+-------+\n| id | name   | price |\n+----+--------+-------+\n|  1 | Anna   |  1.50 |\n|  2 | Bob B. |  2.00 |\n|  3 |        |  7.25 |\n+----+--------+-------+\n3 rows in set (0.00 sec)\n",
		"simple":             "====  ======  =====\nid    name    price\n====  ======  =====\n1     Anna    1.50\n2     Bob B.  2.00\n3             7.25\n====  ======  =====\n",
		"a grid":             "+----+--------+-------+\n| id | name   | price |\n+====+========+=======+\n| 1  | Anna   | 1.50  |\n+----+--------+-------+\n| 2  | Bob B. | 2.00  |\n+----+--------+-------+\n| 3  |        | 7.25  |\n+----+--------+-------+\n",
		"fixed width":        "id  name     price\n 1  Anna      1.50\n 2  Bob B.    2.00\n 3            7.25\n",
		"underlined":         "id  name    price\n--  ------  -----\n 1  Anna     1.50\n 2  Bob B.   2.00\n 3           7.25\n",
	} {
		var got []string
		for _, line := range read(t, content, Options{}, DefaultLimits()) {
			if kind, cells, _ := strings.Cut(line, ": "); !strings.HasPrefix(kind, "skip") {
				got = append(got, cells)
			}
		}
		if !slices.Equal(got, rows) {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// What a table is drawn with may stand in its cells; a row of a grid may have several lines; and what is no row is said to be none.
func TestLinesOfDrawnTables(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		content string
		want    []string
	}{
		"escaped bar": {"| a | b |\n|---|---|\n| x \\| y | 2 |\n| z | 3 |\n", []string{"header 1: a|b", "skip 2:", "row 3: x | y|2", "row 4: z|3"}},
		"cell missing": {"| a | b |\n|---|---|\n| 1 | 2 |\n| 1 |\n| 1 | 2 | 3 |\n", []string{"header 1: a|b", "skip 2:", "row 3: 1|2",
			"reject 4: 1 !missing_cell 2 b", "reject 5: 1|2|3 !extra_cell 3 "}},
		"second table": {"| a | b |\n|---|---|\n| 1 | 2 |\n\n| c | d |\n|---|---|\n| 3 | 4 |\n", []string{"header 1: a|b", "skip 2:", "row 3: 1|2", "skip 4:",
			"reject 5: c|d !other_table 0 ", "skip 6:", "reject 7: 3|4 !other_table 0 "}},
		"lines of a row": {"+---+---+\n| a | b |\n+===+===+\n| 1 | x |\n|   | y |\n+---+---+\n| 2 | z |\n+---+---+\n", []string{"skip 1:", "header 2: a|b", "skip 3:",
			"row 4: 1|x\ny", "skip 5:", "row 6: 2|z", "skip 7:"}},
		"comments": {"; pump\n; sec   flow   head\n 0.0   -1.5   2.5\n 0.1   -1.6   2.6\n 0.2   -1.7   2.7\n; end\n", []string{"skip 1:", "header 2: sec|flow|head",
			"row 3: 0.0|-1.5|2.5", "row 4: 0.1|-1.6|2.6", "row 5: 0.2|-1.7|2.7", "skip 6:"}},
		"names and units of buoys": {"#YY MM hh WDIR WSPD\n#yr mo hr degT m/s\n2026 11  4  210  5.0\n2026 11  5   90 12.5\n2026 11 12  200  4.8\n", []string{
			"header 1: YY|MM|hh|WDIR|WSPD", "skip 2:", "row 3: 2026|11|4|210|5.0", "row 4: 2026|11|5|90|12.5", "row 5: 2026|11|12|200|4.8"}},
		"stars": {"*****  May  *****\nt   x   y\n 1.0   2   3\n 1.5   2   4\n 2.5   7   3\n*   5   6\n", []string{"skip 1:", "header 2: t|x|y",
			"row 3: 1.0|2|3", "row 4: 1.5|2|4", "row 5: 2.5|7|3", "skip 6:"}},
		"names in single quotes": {"'t'   'x'   'y'\n1.0   2   3\n1.5    2   4\n2.5   7    3\n", []string{"header 1: 't'|'x'|'y'",
			"row 2: 1.0|2|3", "row 3: 1.5|2|4", "row 4: 2.5|7|3"}},
		"a star without a comment": {"t   x   y\n1.0   2   3\n" + strings.Repeat(" 1.5    2   4\n", 9) + " * 1.5   2   4\n", []string{"header 1: t|x|y",
			"row 2: 1.0|2|3", "reject 12: *|1.5|2|4 !extra_cell 4 "}},
		"runs on": {"id  name    price\n 1  Anna     1.50\n 2  Bob      2.00\n 3  Cy       3.00\n" + strings.Repeat(" 4  Dora     4.00\n", 2000) + " 5  Bartholomew 1\n" + strings.Repeat(" 4  Dora     4.00\n", 30_000), []string{
			"header 1: id|name|price", "row 2: 1|Anna|1.50", "reject 2005: 5|Bartholo|mew 1 !extra_cell 2 name"}},
	} {
		got := read(t, c.content, Options{}, DefaultLimits())
		if name == "runs on" {
			got = []string{got[0], got[1], got[2004]}
		}
		if name == "a star without a comment" {
			got = []string{got[0], got[1], got[len(got)-1]}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s:\n got %q\nwant %q", name, got, c.want)
		}
	}
}

// paddedTable draws a table of texts and numbers whose cells are padded.
func paddedTable(rt *rapid.T, gap string) (text string, rows []string) {
	columns := rapid.IntRange(2, 6).Draw(rt, "columns")
	widths := make([]int, columns)
	for i := range widths {
		widths[i] = rapid.IntRange(6, 14).Draw(rt, "width")
	}
	for n := range rapid.IntRange(4, 20).Draw(rt, "rows") + 1 {
		var cells []string
		line := ""
		for i, w := range widths {
			cell := rapid.StringMatching(fmt.Sprintf(`[A-Z][a-z]{1,3}( [a-z]{1,%d})?`, w-6+1)).Draw(rt, "text")
			switch {
			case n == 0:
				cell = fmt.Sprintf("name%d", i+1)
			case i == 0:
				cell = fmt.Sprint(100 + n)
			}
			cells = append(cells, cell)
			line += fmt.Sprintf("%-*s", w, cell) + gap
		}
		text += strings.TrimSuffix(line, gap) + "\n"
		rows = append(rows, strings.Join(cells, "|"))
	}
	return text, rows
}

// A text of fixed width comes back, whatever the widths of its columns.
func TestAnyFixedWidthComesBack(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		text, want := paddedTable(rt, "  ")
		var got []string
		for _, line := range read(t, text, Options{}, DefaultLimits()) {
			_, cells, _ := strings.Cut(line, ": ")
			got = append(got, cells)
		}
		if !slices.Equal(got, want) {
			rt.Errorf("%s\n got %q\nwant %q", text, got, want)
		}
	})
}

// A text with a delimiter is never taken for one of fixed width, however its cells are padded.
func TestDelimitersBeatFixedWidth(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		delimiter := rapid.SampledFrom([]string{",", ";", "\t", "|"}).Draw(rt, "delimiter")
		text, _ := paddedTable(rt, delimiter)
		s := firstSheet(t, text, Options{})
		if s.Dialect().Delimiter != delimiter {
			rt.Errorf("%q instead of %q in\n%s", s.Dialect().Delimiter, delimiter, text)
		}
	})
}

// Names and cells may have two words each, numbers end where their column does, and some cells are empty; a title may stand above, and a line
// below the header. A table of four columns or more may have two rows.
func TestFixedWidthOfManyShapes(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(18, 1))
	for range 400 {
		columns := 3 + random.IntN(5)
		rows := [][]string{[]string{"Item no", "Stored in", "Sum of all", "Name", "Seen by", "Left", "Kept for"}[:columns]}
		count := []int{2, 3, 5, 20}[random.IntN(4)]
		if columns == 3 {
			count++
		}
		for n := range count {
			row := []string{fmt.Sprint(100 + n)}
			for i := 1; i < columns; i++ {
				cell := strings.Repeat("ab", 1+(n+i)%4) + " " + strings.Repeat("c", 1+n%3)
				if n == 0 { // so that no column of second words begins by chance
					cell = strings.Repeat("ab", 6)
				}
				if i%2 == 0 {
					cell = fmt.Sprintf("%d.%02d", random.IntN(100_000), random.IntN(100))
				}
				if n > 4 && random.IntN(12) == 0 {
					cell = ""
				}
				row = append(row, cell)
			}
			rows = append(rows, row)
		}
		text := drawFixed(random, rows)
		table, rejects, _ := readTable(t, text)
		got := append([][]string{table.header}, table.rows...)
		if rejects > 0 || !slices.EqualFunc(got, rows, slices.Equal) {
			t.Fatalf("%d rejects, %q of\n%s", rejects, got, text)
		}
	}
}

// drawFixed draws rows as a text of fixed width.
func drawFixed(random *rand.Rand, rows [][]string) string {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], len(cell))
		}
	}
	var b strings.Builder
	if random.IntN(3) == 0 {
		b.WriteString("List of all that is stored\n\n")
	}
	gap, rule, strip := 2+random.IntN(3), random.IntN(3), random.IntN(2) == 0
	for n, row := range rows {
		line := ""
		for i, cell := range row {
			if width := widths[i]; i%2 == 0 {
				line += fmt.Sprintf("%*s%*s", width, cell, gap, "")
			} else {
				line += fmt.Sprintf("%-*s%*s", width, cell, gap, "")
			}
		}
		if strip {
			line = strings.TrimRight(line, " ")
		}
		b.WriteString(line + "\n")
		for i, width := range widths {
			switch {
			case n > 0 || rule == 0:
			case rule == 1:
				b.WriteString(strings.Repeat("-", width) + strings.Repeat(" ", gap))
			case i == 0:
				b.WriteString(strings.Repeat("-", len(line)))
			}
		}
		if n == 0 && rule > 0 {
			b.WriteString("\n")
		}
	}
	return b.String()
}
