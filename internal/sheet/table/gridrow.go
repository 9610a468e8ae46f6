package table

import (
	"bytes"
	"iter"
	"math"
	"unicode/utf8"

	"sheetdrop/internal/sheet/dialect"
	"sheetdrop/internal/sheet/kind"
	"sheetdrop/internal/sheet/words"
)

// gridRows returns the rows of a worksheet, with what their numbers and the workbook tell of them.
func gridRows(grid iter.Seq[[][]byte], t Told) (rows []row) {
	for cells := range grid {
		r := gridRow(cells)
		n := len(rows)
		r.namedByNumbers = namesByNumbers(cells)
		r.heads = n < len(t.Heads) && t.Heads[n]
		if n < len(t.Indents) && len(r.kinds) > 0 && r.kinds[0] != kind.Empty {
			r.indent = uint8(min(int(r.indent)+int(t.Indents[n]), math.MaxUint8))
		}
		rows = append(rows, r)
	}
	return rows
}

// gridRow returns a row with these cells.
func gridRow(cells [][]byte) row {
	n := min(len(cells), dialect.MaxColumns)
	r := row{width: len(cells), blank: len(cells) == 0, lastText: true, kinds: make([]kind.Kind, n), texts: make([]uint64, n)}
	var y years
	for i, cell := range cells[:n] {
		r.look(i, bytes.TrimSpace(cell), &y)
	}
	r.lookAtAll(func(i int) []byte { return cells[i] }, &y, false)
	if n > 0 {
		r.indent = indentOf(cells[0])
	}
	r.numbered = r.filled > 1 && r.filled <= paddedGaps+1 && words.IsPageLine(bytes.TrimSpace(cells[n-1]))
	return r
}

// indentOf counts the blanks before a text.
func indentOf(cell []byte) uint8 {
	text := bytes.TrimLeft(cell, " \u00a0\u3000")
	if len(text) == 0 {
		return 0
	}
	return uint8(min(utf8.RuneCount(cell[:len(cell)-len(text)]), math.MaxUint8))
}
