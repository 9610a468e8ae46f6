package sheet

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// P6: the lines that each page of a printed report has around its header are no rows, and all rows of all pages are.
func TestPagesOfAReport(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		table := drawTable(rt, "part", 40)
		width := len(table.header)
		pages := rapid.IntRange(2, 4).Draw(rt, "pages")
		each := (len(table.rows) + pages - 1) / pages
		footer := rapid.Bool().Draw(rt, "footer")
		line := func(cells ...string) string { return strings.Join(cells, ",") + strings.Repeat(",", width-len(cells)) }
		lines, skips := []string{}, 0
		for page := 1; len(table.rows) > (page-1)*each; page++ {
			lines = append(lines, line("Region: North", "Date: 2018"), strings.Join(table.header, ","))
			skips += 2
			for _, row := range table.rows[(page-1)*each : min(len(table.rows), page*each)] {
				lines = append(lines, strings.Join(row, ","))
			}
			if footer {
				lines, skips = append(lines, line("Printed by the office", fmt.Sprintf("Sheet %d", page))), skips+1
			}
		}
		content := strings.Join(lines, "\n") + "\n"
		expectTable(t, rt, content, content, table, 0, skips-1)
	})
}
