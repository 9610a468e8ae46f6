package sheet

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// P6: comments above the table and among its rows are no rows, whatever is between their words. Where some stand above, the last ones may
// have the names of the columns, and their units.
func TestCommentsAmongTheRows(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		table := drawTable(rt, "part", 6)
		above := rapid.Bool().Draw(rt, "above")
		mark, headed, units := rapid.SampledFrom([]string{"#", "//", ";"}).Draw(rt, "mark"), false, false
		if above {
			mark = rapid.SampledFrom([]string{"#", "//", "%", "!", ";", "--", "*", "'", "REM "}).Draw(rt, "mark")
			headed = rapid.Bool().Draw(rt, "names")
			units = rapid.Bool().Draw(rt, "units") && strings.Count(strings.Join(table.rows[0], ","), ".") > 1 // of two columns or more
		}
		comment := func() string {
			words := rapid.IntRange(1, len(table.header)-1).Draw(rt, "words")
			return mark + " note" + strings.Repeat(", and more", words-1)
		}
		var lines []string
		skips := 0
		if above {
			lines, skips = append(lines, comment()), 1
		}
		for i, record := range append([][]string{table.header}, table.rows...) {
			line := strings.Join(record, ",")
			if i == 0 && headed {
				line = mark + " " + line
			}
			if lines = append(lines, line); i == 0 && headed && units {
				lines = append(lines, mark+" mm"+strings.Repeat(",mm", len(table.header)-1))
			}
			if i > 1 && rapid.IntRange(0, 3).Draw(rt, "comments") == 0 {
				lines, skips = append(lines, comment()), skips+1
			}
		}
		if headed && units {
			for i := range table.header {
				table.header[i] += " mm"
			}
		}
		content := strings.Join(lines, "\n") + "\n"
		expectTable(t, rt, content, content, table, 0, skips)
	})
}

// P6: comments further below than the first records that are looked at are no rows either, where others stand above the table.
func TestCommentsFarBelow(t *testing.T) {
	t.Parallel()
	lines := []string{"# export of line 4", "no,part,count"}
	for i := range 4000 {
		if i == 2500 {
			lines = append(lines, "# scale adjusted")
		}
		lines = append(lines, fmt.Sprintf("%d,bolt,%d", i, i%7))
	}
	got, rejects, skips := readTable(t, strings.Join(lines, "\n")+"\n")
	if len(got.rows) != 4000 || rejects != 0 || skips != 2 {
		t.Errorf("%d rows, %d rejects, %d skips, want 4000, 0 and 2", len(got.rows), rejects, skips)
	}
}
