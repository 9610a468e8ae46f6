package sheet

import (
	"bytes"
	"slices"

	"sheetdrop/internal/sheet/drawn"
	"sheetdrop/internal/sheet/table"
)

// findSums finds what stands among the rows of a drawn table and below them and is none of them, such as totals, by the text's first lines;
// whole says that there are no others.
func (g *drawnFile) findSums(lines [][]byte, whole bool) {
	var rows [][][]byte
	var numbers []int64
	for i, line := range lines[min(g.table.Preamble, len(lines)):] {
		if i > 0 && i <= g.table.Units || g.table.Kind(line) != drawn.Row {
			continue
		}
		cells, _ := g.table.Split(nil, line)
		for len(cells) > 0 && len(cells[len(cells)-1]) == 0 { // as a worksheet's rows end
			cells = cells[:len(cells)-1]
		}
		rows, numbers = append(rows, cells), append(numbers, int64(g.table.Preamble+i+1))
	}
	above := 0
	l := table.DecideGrid(slices.Values(rows), table.Hints{Preamble: &above, Header: &g.header}, table.Told{})
	if l.Columns != g.table.Columns || len(rows) <= g.header {
		return
	}
	g.filter = l.Filter
	if first := l.Below(slices.Values(rows)); whole && first > g.header && first < len(rows) {
		g.below = numbers[first]
	}
}

// sum returns why a row of the drawn table is none of its records, "" if it is one.
func (g *drawnFile) sum(rec *Record) SkipReason {
	switch {
	case g.no <= int64(g.table.Preamble+g.header):
	case g.below > 0 && g.no >= g.below: // the name of a sum may run into the next column
		rec.Errors = rec.Errors[:0]
		return SkipBelow
	case len(rec.Errors) > 0:
	case g.filter != nil && bytes.IndexByte(g.text, 0) < 0 && g.filter.Drops(rec.Cells):
		return SkipAmong
	}
	return ""
}
