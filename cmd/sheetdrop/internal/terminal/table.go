package terminal

import (
	"cmp"
	"strings"

	"github.com/rivo/uniseg"

	"sheetdrop/cmd/sheetdrop/internal/words"
)

// maxColumnWidth is that of a column but the last, in terminal cells: a Latin letter takes one, a Japanese character two.
const maxColumnWidth = 32

// Table aligns rows of cells; the first row is the header. Its zero value is an empty table.
type Table struct {
	UncutLast bool // the last column is printed whole, however long it is
	Width     int  // in terminal cells; 0 is without a limit
	Most      int  // the width of a column but the last; 0 is the usual one

	rows  [][]string
	whole map[int]bool                      // rows whose last cells are not wrapped, by their index
	paint func(cell string) (colour string) // nil: no colours
}

// Header appends the row of the columns' names, in the user's language.
func (t *Table) Header(names ...string) {
	row := make([]string, len(names))
	for i, name := range names {
		row[i] = words.In(name)
	}
	t.Add(row...)
}

// Add appends a row, which may be shorter than others.
func (t *Table) Add(cells ...string) {
	row := make([]string, len(cells))
	for i, cell := range cells {
		row[i] = Printable(cell)
	}
	t.rows = append(t.rows, row)
}

// AddCommand appends a row whose last cell is printed in one line, however narrow the terminal is, so that it can be copied.
func (t *Table) AddCommand(cells ...string) {
	if t.whole == nil {
		t.whole = map[int]bool{}
	}
	t.whole[len(t.rows)] = true
	t.Add(cells...)
}

// Len returns the number of rows, the header among them.
func (t *Table) Len() int { return len(t.rows) }

// String returns the table as lines indented by two. Long cells are cut off; columns beyond the table's width are left out and counted.
// Where the last column is not cut, it goes on below itself.
func (t *Table) String() string {
	widths, omitted := t.widths()
	note := moreColumns(omitted)
	var b strings.Builder
	for n, row := range t.rows {
		for _, line := range t.lines(row, widths, t.whole[n]) {
			line = strings.TrimRight(line, " ")
			b.WriteString(line)
			if n == 0 && uniseg.StringWidth(line)+uniseg.StringWidth(note) <= t.Width {
				b.WriteString(note)
				note = ""
			}
			b.WriteString("\n")
		}
	}
	if note != "" {
		b.WriteString(note + "\n")
	}
	return b.String()
}

// lines returns a row as lines; as one, if it is to be whole or its last cell is not longer than the terminal is wide.
func (t *Table) lines(row []string, widths []int, whole bool) []string {
	var line strings.Builder
	begin := 0 // of the cell, in the line
	for i, width := range widths {
		line.WriteString("  ")
		begin += 2
		cell := ""
		if i < len(row) {
			cell = row[i]
		}
		if room := t.Width - begin; !whole && t.UncutLast && i == len(widths)-1 && room >= leastRoom && uniseg.StringWidth(cell) > room {
			wrapped := Wrap(cell, room)
			line.WriteString(strings.Join(wrapped, "\n"+strings.Repeat(" ", begin)))
			return strings.Split(line.String(), "\n")
		}
		line.WriteString(t.padded(shorten(cell, width), width))
		begin += width
	}
	return []string{line.String()}
}

// leastRoom is the width below which a text is not wrapped: it would be a column of words.
const leastRoom = 20

func (t *Table) padded(cell string, width int) string {
	space := strings.Repeat(" ", max(0, width-uniseg.StringWidth(cell)))
	if t.paint != nil {
		cell = paint(true, t.paint(cell), cell)
	}
	return cell + space
}

// moreColumns is a note about columns that are left out.
func moreColumns(n int) string {
	if n == 0 {
		return ""
	}
	return words.Sprintf("  … %d more %s", n, Plural(int64(n), "column"))
}

// widths returns the widths of the columns that fit, and the number of those that do not. The first one is always there.
func (t *Table) widths() (widths []int, omitted int) {
	natural := t.natural()
	used := 0
	for i, width := range natural {
		if t.UncutLast && i == len(natural)-1 {
			return append(widths, width), 0
		}
		width = min(width, cmp.Or(t.Most, maxColumnWidth))
		if used += 2 + width; !t.UncutLast && t.Width > 0 && i > 0 && used > t.Width {
			return widths, len(natural) - i
		}
		widths = append(widths, width)
	}
	return widths, 0
}

// natural returns the widths that the columns would have without any limit.
func (t *Table) natural() (widths []int) {
	for _, row := range t.rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], uniseg.StringWidth(cell))
		}
	}
	return widths
}
