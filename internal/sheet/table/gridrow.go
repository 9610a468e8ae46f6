package table

import (
	"bytes"
	"math"
	"unicode/utf8"

	"sheetdrop/internal/sheet/dialect"
	"sheetdrop/internal/sheet/kind"
	"sheetdrop/internal/sheet/words"
)

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
