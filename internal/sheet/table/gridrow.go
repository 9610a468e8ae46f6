package table

import (
	"bytes"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"sheetdrop/internal/sheet/dialect"
	"sheetdrop/internal/sheet/kind"
	"sheetdrop/internal/sheet/words"
)

// namesByNumbersAlone reports whether the first row names its columns by numbers that rise, as most of the rows below do not.
func namesByNumbersAlone(rows []row) bool {
	n, climbing := 0, 0
	for _, r := range rows[1:] {
		if r.filled > 1 {
			n++
		}
		if r.namedByNumbers {
			climbing++
		}
	}
	return rows[0].namedByNumbers && n >= evidence && 2*climbing < n
}

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

// rises reports whether the cells behind the first one are numbers of which each is greater than the one before: 10, 20, 30.
func rises(cells [][]byte) bool {
	last := math.Inf(-1)
	for i, cell := range cells {
		if i == 0 && len(cell) > 0 && kind.Of(cell) == kind.Word {
			continue
		}
		n, err := strconv.ParseFloat(strings.TrimSuffix(string(bytes.TrimSpace(cell)), "%"), 64)
		if err != nil || !(n > last) {
			return false
		}
		last = n
	}
	return len(cells) > 1+fewYears
}

// countsBehindNames reports whether the cells from the first number on, four or more, are whole numbers that rise by one, of which the last
// may stand for all above it, as ages do: W11CD,Name,0,1,2,3+.
func countsBehindNames(cells [][]byte) bool {
	first := slices.IndexFunc(cells, func(cell []byte) bool { return kind.Of(cell) == kind.Number })
	if first < 0 || len(cells)-first <= leastNumbered {
		return false
	}
	numbers := slices.Clone(cells[first:])
	last := &numbers[len(numbers)-1]
	*last = bytes.TrimSuffix(*last, []byte("+"))
	return risesByOne(numbers)
}

// risesByOne reports whether the cells that are not empty are whole numbers of which each is greater by one than the one before.
func risesByOne(cells [][]byte) bool {
	last, n := 0, 0
	for _, cell := range cells {
		if cell = bytes.TrimSpace(cell); len(cell) == 0 {
			continue
		}
		no, err := strconv.Atoi(string(cell))
		if err != nil || n > 0 && no != last+1 {
			return false
		}
		last, n = no, n+1
	}
	return n > narrow
}

// namesByNumbers reports whether the cells are words first, then three numbers or more of which each is greater than the one before, and
// words at the end at most.
//
//	Product,1,2,3,4,Total
//	Piece,1,10,100,1000
func namesByNumbers(cells [][]byte) bool {
	var numbers [][]byte
	words := 0
	for _, cell := range cells {
		switch k := kind.Of(cell); {
		case k == kind.Number:
			numbers = append(numbers, cell)
		case k == kind.Word && len(numbers) == 0:
			words++
		case k != kind.Word:
			return false
		}
	}
	return words > 0 && len(numbers) >= severalColumns && rises(append([][]byte{[]byte("name")}, numbers...))
}
