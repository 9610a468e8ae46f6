package drawn

import "bytes"

// The lines between which runs of blanks separate cells.
const (
	// cells of a line: prose with two blanks behind its sentences has as many by chance
	leastCells = 3
	// records, which may be fewer than below a header: each of them tells of its columns
	leastRuns = 3
	// of ten lines from the first one on, that have the usual number of cells
	linesAlike = 9
	// of ten cells, those that are numbers
	cellsOfNumbers = 5
)

// FindRuns returns a table whose cells are separated by runs of blanks, of which nearly all lines have the same number, as instruments
// and programs of Fortran write numbers. It may have a header of as many names, and lines above that are none. The lines are the text's
// first ones, and others are whole lines from further below. ok is false if the text has no such table.
//
//	# decimal year, average
//	1958   3    1958.208      315.71
//	1958   4    1958.292      317.45
func FindRuns(lines, others [][]byte) (t Table, ok bool) {
	t = Table{runs: true, Columns: usualCells(lines)}
	if t.Columns < leastCells || t.Columns > mostColumns {
		return t, false
	}
	for t.Preamble < len(lines) && !t.startsAt(lines[t.Preamble:]) {
		t.Preamble++
	}
	if !t.isAligned(lines[t.Preamble:], others) {
		return t, false
	}
	t.findNames(lines)
	return t, true
}

// findNames finds the header: the line above the rows, or the one above their units.
func (t *Table) findNames(lines [][]byte) {
	t.Nameless = true
	for units := range min(2, t.Preamble) {
		above := bytes.Fields(lines[t.Preamble-1-units])
		if len(above) == 0 || numbersIn(above) > 0 || len(above) > t.Columns {
			return
		}
		if len(above) == t.Columns {
			t.Preamble, t.Units, t.Nameless = t.Preamble-1-units, units, false
			return
		}
	}
}

// usualCells returns how many cells most lines have.
func usualCells(lines [][]byte) int {
	counts, best := map[int]int{}, 0
	for _, line := range lines {
		n := len(bytes.Fields(line))
		counts[n]++
		if n > 0 && (counts[n] > counts[best] || best == 0) {
			best = n
		}
	}
	return best
}

// startsAt reports whether the first line is one of the table: of numbers, as the next two.
func (t *Table) startsAt(lines [][]byte) bool {
	if len(lines) < leastRuns {
		return false
	}
	for _, line := range lines[:leastRuns] {
		cells := bytes.Fields(line)
		if len(cells) != t.Columns || !isValue(cells[0]) && !isValue(cells[1]) || numbersIn(cells)*10 < len(cells)*cellsOfNumbers {
			return false
		}
	}
	return true
}

// isAligned reports whether nearly all lines have as many cells as the table, most of them numbers, and blanks in most lines stand in runs.
func (t *Table) isAligned(lines, others [][]byte) bool {
	n, alike, padded, numbers := 0, 0, 0, 0
	for _, part := range [][][]byte{lines, others} {
		for _, line := range part {
			cells := bytes.Fields(line)
			if len(cells) == 0 {
				continue
			}
			if n++; bytes.IndexByte(line, '\t') >= 0 {
				return false
			}
			if len(cells) != t.Columns {
				continue
			}
			alike++
			numbers += numbersIn(cells)
			if bytes.Contains(bytes.TrimSpace(line), []byte("  ")) {
				padded++
			}
		}
	}
	return alike >= leastRuns && alike*10 >= n*linesAlike && padded*2 >= alike && numbers*10 >= alike*t.Columns*cellsOfNumbers
}

// numbersIn counts the cells that look like numbers or dates.
func numbersIn(cells [][]byte) int {
	n := 0
	for _, cell := range cells {
		if isValue(cell) {
			n++
		}
	}
	return n
}
