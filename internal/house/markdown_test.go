package house

import (
	"regexp"
	"strings"
	"testing"
)

// document is the tables of a Markdown file, each by the first cell of its heading.
type document map[string]table

// table has the cells of each row but the first cell, by that.
type table struct {
	columns []string
	rows    map[string][]string
}

// readTables reads the tables of a file, without the code marks around cells.
func readTables(t *testing.T, file string) document {
	t.Helper()
	d := document{}
	for _, text := range regexp.MustCompile(`(?m)(^\|.*\n)+`).FindAllString(readFile(t, file), -1) {
		var rows [][]string
		for line := range strings.Lines(text) {
			cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
			for i, cell := range cells {
				cells[i] = strings.Trim(cell, " `")
			}
			rows = append(rows, cells)
		}
		one := table{columns: rows[0][1:], rows: map[string][]string{}}
		for _, cells := range rows[2:] { // without the heading and the rule below it
			one.rows[cells[0]] = cells[1:]
		}
		d[rows[0][0]] = one
	}
	return d
}

// table gives the table whose heading begins so.
func (d document) table(t *testing.T, heading string) table {
	t.Helper()
	one, found := d[heading]
	if !found {
		t.Fatalf("no table begins with %q", heading)
	}
	return one
}
