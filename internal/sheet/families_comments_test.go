package sheet

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// P6: comments above the table and among its rows are no rows, whatever is between their words.
func TestCommentsAmongTheRows(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		table := drawTable(rt, "part", 6)
		mark := rapid.SampledFrom([]string{"#", "//", "%", "!", ";", "--", "*", "REM "}).Draw(rt, "mark")
		comment := func() string {
			words := rapid.IntRange(1, len(table.header)-1).Draw(rt, "words")
			return mark + " note" + strings.Repeat(", and more", words-1)
		}
		lines := []string{comment()}
		skips := 1
		for i, record := range append([][]string{table.header}, table.rows...) {
			lines = append(lines, strings.Join(record, ","))
			if i > 1 && rapid.IntRange(0, 3).Draw(rt, "comments") == 0 {
				lines, skips = append(lines, comment()), skips+1
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
