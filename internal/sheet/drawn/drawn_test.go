package drawn

import (
	"bytes"
	"strings"
	"testing"
)

// FuzzFind reads any text. It must not panic, and each row has as many cells as the table has columns where it is of fixed width.
func FuzzFind(f *testing.F) {
	f.Add("| a | b |\n|---|---|\n| 1 | 2\\|3 |\n", "")
	f.Add("| a | b |\n|---|---|\n| 1 | 2 |\\|\n", "")
	f.Add("+---+---+\n| a | b |\n+===+===+\n| 1 | 2 |\n+---+---+\n", "")
	f.Add("id    name    price\n1     Anna    1.50\n2     Bob B.  2.00\n3             7.25\n", "14    Dora   123.75")
	f.Add(" id | name\n----+------\n  1 | Anna\n(1 row)\n", " 2 |")
	f.Add("====  =====\nid    name\n====  =====\n1     日本\n====  =====\n", "")
	f.Add("# of 1958\n1958   3   315.71\n1958   4   317.45\n1958  10   -99.99\n", "")
	f.Fuzz(func(t *testing.T, text, other string) {
		lines := bytes.Split([]byte(text), []byte("\n"))
		table, ok := FindBars(lines)
		if !ok {
			table, ok = FindFixed(lines, [][]byte{[]byte(other)})
		}
		if !ok {
			table, ok = FindRuns(lines, [][]byte{[]byte(other)})
		}
		if !ok {
			return
		}
		for _, line := range append(lines, []byte(other)) {
			if table.Kind(line) != Row {
				continue
			}
			cells, _ := table.Split(nil, line)
			if !table.bars && !table.runs && len(cells) != table.Columns {
				t.Fatalf("%d cells in %d columns: %q", len(cells), table.Columns, line)
			}
			for _, cell := range cells {
				unescaped := strings.ReplaceAll(string(line), `\|`, "|")
				if !strings.Contains(unescaped, string(cell)) && !bytes.Contains(line, cell) { // the last bar may look escaped
					t.Fatalf("%q is not in %q", cell, line)
				}
			}
		}
	})
}
