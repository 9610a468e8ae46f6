package drawn

import (
	"bytes"
	"slices"
	"strings"
)

// isTable reports whether the lines agree with the columns: there are columns of numbers below their names, or the first line has a number,
// too, and is no header, no line is prose, and nearly all cells are there.
func (t *Table) isTable(lines [][]byte) bool {
	n, further, filled, texts, numbers, years := 0, 0, 0, make([]int, t.Columns), make([]int, t.Columns), make([]int, t.Columns)
	var header [][]byte
	var rows [][][]byte
	for _, line := range lines {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		cells, crossed := t.Split(nil, line)
		if crossed > 0 {
			return false
		}
		if header == nil {
			header = cells
			continue
		}
		if goesOn(cells) {
			further++
			continue
		}
		n++
		for i, cell := range cells {
			if isValue(cell) {
				numbers[i]++
			}
			if isYear(cell) {
				years[i]++
			}
			if len(cell) > 0 {
				filled++
				texts[i]++
			}
		}
		rows = append(rows, cells)
	}
	named := 0
	isOther := func(count int) bool { return count < n }
	if t.Columns > 2 && len(header[0]) == 0 && numbers[0] == 0 && !slices.ContainsFunc(numbers[1:], isOther) {
		named++ // a printed data frame has names of its rows there
	}
	for i, cell := range header {
		if len(cell) > 0 {
			named++
		}
		if isValue(cell) && !(isYear(cell) && years[i]*2 < texts[i]) {
			t.Nameless = t.Nameless || numbers[i]*10 >= n*9 && !isYear(cell)
			numbers[i] = 0
		}
	}
	least := leastLines - 1
	if t.Columns >= wideEnough {
		least--
	}
	if n < least || named < t.Columns || further > n || filled*10 < n*t.Columns*7 {
		return false
	}
	isNumber := func(i int, cell []byte) bool { return isValue(cell) && numbers[i]*10 >= texts[i]*9 }
	return haveNumber(rows, isNumber) || t.Nameless || t.isLeftAligned(lines, isNumber)
}

// haveNumber reports whether nearly all rows that have more than their first cell, most of all, have a number in a column of such, in
// whichever.
func haveNumber(rows [][][]byte, isNumber func(i int, cell []byte) bool) bool {
	n, short := 0, 0
	for _, cells := range rows {
		_, mark := uncommented(cells[0])
		if mark == "" && !slices.ContainsFunc(cells[1:], func(cell []byte) bool { return len(cell) > 0 }) {
			short++
		}
		for i, cell := range cells {
			if isNumber(i, cell) {
				n++
				break
			}
		}
	}
	return n*10 >= (len(rows)-short)*9 && short*10 <= len(rows)*3
}

// goesOn reports whether a line has nothing but a text behind the first column: statements of banks have a second line for each payment.
func goesOn(cells [][]byte) bool {
	at := slices.IndexFunc(cells, func(cell []byte) bool { return len(cell) > 0 })
	if at <= 0 || isValue(cells[at]) {
		return false
	}
	return !slices.ContainsFunc(cells[at+1:], func(cell []byte) bool { return len(cell) > 0 })
}

// isYear reports whether a cell is a year of our time, which may be a name.
func isYear(cell []byte) bool {
	return len(cell) == 4 && (bytes.HasPrefix(cell, []byte("19")) || bytes.HasPrefix(cell, []byte("20")))
}

// isLeftAligned reports whether each column behind the first, but those of numbers, has nearly all of its texts where it begins, and half
// of them behind two blanks: no prose has that. Of two columns there are more lines than of others, and none lacks a text.
func (t *Table) isLeftAligned(lines [][]byte, isNumber func(i int, cell []byte) bool) bool {
	n, begin, apart, texts := 0, make([]int, t.Columns), make([]int, t.Columns), make([]int, t.Columns)
	for _, line := range lines {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		n++
		used := make([]bool, maxWidth)
		mark(used, line)
		cells, _ := t.Split(nil, line)
		for i, at := range t.starts {
			switch {
			case i == 0 || at < 2:
			case len(cells[i]) == 0 && t.Columns == 2:
				return false
			case len(cells[i]) == 0 || n > 1 && isNumber(i, cells[i]):
			default:
				texts[i]++
				if !used[at] || used[at-1] {
					continue
				}
				if begin[i]++; !used[at-2] {
					apart[i]++
				}
			}
		}
	}
	for i := range texts[1:] {
		if begin[i+1]*10 < texts[i+1]*9 || apart[i+1]*2 < texts[i+1] {
			return false
		}
	}
	return n >= linesOfTwo || t.Columns >= wideEnough || t.Columns > 2 && n >= leastLines
}

// isValue reports whether a cell looks like a number or a date.
func isValue(cell []byte) bool {
	digits := 0
	for i, c := range cell {
		switch {
		case c >= '0' && c <= '9':
			digits++
		case (c == 'e' || c == 'E') && digits > 0 && i+1 < len(cell):
		case strings.IndexByte(".,-+/:%$ ", c) < 0:
			return false
		}
	}
	return digits > 0
}
