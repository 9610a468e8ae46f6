package drawn

import (
	"bytes"
	"slices"
)

// byHeader returns the columns of a list whose header alone tells them, as programs print lists of containers and services: three names or
// more with two blanks between them, below each of which all lines have a text that begins right there, behind two blanks, or nothing at
// all. Each line has a text in the first column, and half of all cells are there.
//
//	CONTAINER ID   IMAGE     STATUS                  PORTS
//	1a2b3c4d5e6f   web:1.2   Up 2 hours              80/tcp
//	3c4d5e6f7a8b   job:1.0   Exited (0) 5 days ago
func byHeader(lines, others [][]byte) (t Table, ok bool) {
	first := slices.IndexFunc(lines, func(line []byte) bool { return len(bytes.TrimSpace(line)) > 0 })
	if first < 0 || len(lines[first]) > maxWidth {
		return t, false
	}
	t.starts = nameStarts(lines[first])
	t.Columns, t.Preamble = len(t.starts), first
	if t.Columns <= 2 || t.Columns > mostColumns || t.starts[0] > 0 {
		return t, false
	}
	n, filled := 0, 0
	for _, line := range slices.Concat(lines[first:], others) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		cells, crossed := t.Split(nil, line)
		if crossed > 0 || bytes.IndexByte(line, '\t') >= 0 || len(cells[0]) == 0 || !t.beginsRight(line, cells) {
			return t, false
		}
		for _, cell := range cells {
			if len(cell) > 0 {
				filled++
			}
			if n == 0 && isValue(cell) || bytes.Contains(cell, []byte("  ")) {
				return t, false
			}
		}
		n++
	}
	return t, n >= leastLines && 2*filled >= n*t.Columns
}

// nameStarts returns where the texts of a line begin that two blanks or more separate.
func nameStarts(line []byte) (starts []int) {
	used := make([]bool, maxWidth)
	mark(used, line)
	blanks := 2 // before the first column
	for i, is := range used {
		if !is {
			blanks++
			continue
		}
		if blanks >= 2 {
			starts = append(starts, i)
		}
		blanks = 0
	}
	return starts
}

// beginsRight reports whether each text of a line that is there begins where its column does, behind two blanks.
func (t *Table) beginsRight(line []byte, cells [][]byte) bool {
	used := make([]bool, maxWidth)
	mark(used, line)
	for i, cell := range cells {
		at := t.starts[i]
		if at >= 2 && (used[at-1] || used[at-2]) || len(cell) > 0 && !used[at] {
			return false
		}
	}
	return true
}
