package terminal

import (
	"fmt"
	"strings"

	"github.com/rivo/uniseg"
)

// Widths in terminal cells: a Latin letter takes one, a Japanese character two.
const (
	maxTableWidth  = 120
	maxColumnWidth = 32
)

// Table aligns rows of cells; the first row is the header. Its zero value is an empty table.
type Table struct {
	UncutLast bool // the last column is printed whole, however long it is

	rows [][]string
}

// Add appends a row, which may be shorter than others.
func (t *Table) Add(cells ...string) {
	row := make([]string, len(cells))
	for i, cell := range cells {
		row[i] = Printable(cell)
	}
	t.rows = append(t.rows, row)
}

// String returns the table as lines indented by two. Long cells are cut off; columns beyond the table's width are left out and counted.
func (t *Table) String() string {
	widths, omitted := t.widths()
	var b strings.Builder
	for n, row := range t.rows {
		var line strings.Builder
		for i, width := range widths {
			line.WriteString("  ")
			cell := ""
			if i < len(row) {
				cell = shorten(row[i], width)
			}
			line.WriteString(cell + strings.Repeat(" ", width-uniseg.StringWidth(cell)))
		}
		b.WriteString(strings.TrimRight(line.String(), " "))
		if n == 0 && omitted > 0 {
			fmt.Fprintf(&b, "  … %d more %s", omitted, Plural(int64(omitted), "column"))
		}
		b.WriteString("\n")
	}
	return b.String()
}

// widths returns the widths of the columns that fit, and the number of those that do not.
func (t *Table) widths() (widths []int, omitted int) {
	var natural []int
	for _, row := range t.rows {
		for i, cell := range row {
			if i == len(natural) {
				natural = append(natural, 0)
			}
			natural[i] = max(natural[i], uniseg.StringWidth(cell))
		}
	}
	used := 0
	for i, width := range natural {
		if last := i == len(natural)-1; !last || !t.UncutLast {
			width = min(width, maxColumnWidth)
			if used += 2 + width; used > maxTableWidth {
				return widths, len(natural) - i
			}
		}
		widths = append(widths, width)
	}
	return widths, 0
}
