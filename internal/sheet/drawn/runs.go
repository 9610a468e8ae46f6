package drawn

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"

	"sheetdrop/internal/sheet/csv"
)

// The lines between which runs of blanks separate cells.
const (
	// cells of a line: prose with two blanks behind its sentences has as many by chance
	leastCells = 3
	// cells of a line where all are numbers
	leastNumbers = 2
	// records with so few numbers
	recordsOfPairs = 8
	// records, which may be fewer than below a header: each of them tells of its columns
	leastRuns = 3
	// of ten lines from the first one on, that have the usual number of cells
	linesAlike = 9
	// lines of which one may have another number
	manyLines = 6
	// of ten cells, those that are numbers
	cellsOfNumbers = 5
	// columns whose names and units are words of comments with single blanks between
	columnsOfUnits = 5
)

// FindBlanks returns a table that blanks alone separate. One of fixed width begins with its header, and a name may run into the next
// column. So one with runs of blanks comes first that has a header below other lines, or names for more columns, if these stand apart in
// all rows and no line tells the columns.
func FindBlanks(lines, others [][]byte) (Table, bool) {
	runs, found := FindRuns(lines, others)
	fixed, ok := FindFixed(lines, others)
	more := runs.Preamble > fixed.Preamble || runs.Columns > fixed.Columns && fixed.columnsOfRows(lines, others) > fixed.Columns
	if !ok || found && !runs.Nameless && more && !fixed.underlined {
		return runs, found
	}
	return fixed, true
}

// FindRuns returns a table whose cells are separated by runs of blanks, of which nearly all lines have the same number, as instruments
// and programs of Fortran write numbers. It may have a header of as many names, and lines above that are none. The lines are the text's
// first ones, and others are whole lines from further below. ok is false if the text has no such table.
//
//	# decimal year, average
//	1958   3    1958.208      315.71
//	1958   4    1958.292      317.45
func FindRuns(lines, others [][]byte) (t Table, ok bool) {
	t = Table{runs: true, Columns: usualCells(lines)}
	if t.Columns < leastNumbers || t.Columns > mostColumns {
		return t, false
	}
	for t.Preamble < len(lines) && !t.startsAt(lines[t.Preamble:]) {
		t.Preamble++
	}
	if t.Preamble > 0 {
		_, t.mark = uncommented(lines[0])
	}
	if !t.isAligned(lines[t.Preamble:], others) || t.Columns < leastCells && !arePairs(lines[t.Preamble:]) {
		return t, false
	}
	t.findNames(lines)
	t.takeGroups(lines)
	return t, true
}

// arePairs reports whether all lines, eight or more, are two numbers.
func arePairs(lines [][]byte) bool {
	n := 0
	for _, line := range lines {
		cells := bytes.Fields(line)
		if len(cells) > 0 {
			n++
		}
		if len(cells) > 0 && (len(cells) != leastNumbers || numbersIn(cells) < leastNumbers) {
			return false
		}
	}
	return n >= recordsOfPairs
}

// findNames finds the header: the line above the rows, or the one above their units or above a drawn line. It lacks a name for the
// numbers of the rows, or, where it has years, for their names, or it begins behind the first column. A comment has names if runs of blanks
// separate them, or a line is drawn above it, or commas; other words are prose.
func (t *Table) findNames(lines [][]byte) {
	t.Nameless = true
	rows := lines[t.Preamble:]
	for units := range min(2, t.Preamble) {
		above := lines[t.Preamble-1-units]
		text, mark := uncommented(above)
		names, comment := bytes.Fields(text), mark != ""
		if isRule(text) || comment && len(names) == 0 {
			continue
		}
		if (len(names) != t.Columns || bytes.ContainsAny(text, ",;|")) && t.listed(above) != nil {
			t.Preamble, t.Units, t.Nameless, t.list = t.Preamble-1-units, units, false, string(above)
			return
		}
		label := ""
		if len(names) == t.Columns+1 && bytes.HasSuffix(names[0], []byte(":")) { // Data: y x
			label, names = string(names[0]), names[1:]
		}
		drawn := t.Preamble > units+1 && isDrawnComment(lines[t.Preamble-2-units])
		if comment && !areApart(text) && !areListed(names) && !drawn && !t.haveUnits(lines) {
			return
		}
		years := len(names) == t.Columns-1 && areYears(names) && areNames(rows)
		if len(names) == 0 || numbersIn(names) > 0 && !years || len(names) > t.Columns {
			return
		}
		named := t.Preamble > 1+units && len(bytes.Fields(lines[t.Preamble-2-units])) == t.Columns // these are units
		unnamed := years || len(names) == t.Columns-1 && (countsLines(rows) || mark == "" && !named && standsBehindFirst(above, rows))
		if len(names) == t.Columns || unnamed {
			if comment && units == 0 && t.Preamble > 1 && (t.areUnits(names, lines[t.Preamble-2]) || t.haveUnits(lines)) {
				units = 1
			}
			t.mark = cmp.Or(t.mark, mark)
			t.Preamble, t.Units, t.Nameless, t.RowNames, t.label = t.Preamble-1-units, units, false, unnamed, label
			return
		}
	}
}

// standsBehindFirst reports whether the line begins behind the first text of each of the rows.
//
//	        MOBIL   IBM
//	1978.01 -0.046  -0.029
func standsBehindFirst(names []byte, rows [][]byte) bool {
	indent, n := len(names)-len(bytes.TrimLeft(names, " ")), 0
	for _, row := range rows {
		text := bytes.TrimLeft(row, " ")
		if len(text) == 0 {
			continue
		}
		end := bytes.IndexByte(text, ' ')
		if end < 0 || len(row)-len(text)+end >= indent || bytes.IndexByte(row, '\t') >= 0 {
			return false
		}
		n++
	}
	return n >= leastLines && bytes.IndexByte(names, '\t') < 0
}

// areListed reports whether a comma stands behind each of the names but the last, and in none.
func areListed(names [][]byte) bool {
	for i, name := range names {
		if at := bytes.IndexByte(name, ','); at != len(name)-1 && i < len(names)-1 || at >= 0 && i == len(names)-1 {
			return false
		}
	}
	return len(names) > 1
}

// listed returns the names of the columns that the line lists with a delimiter, or with runs of blanks where names have blanks themselves.
func (t *Table) listed(line []byte) (names [][]byte) {
	for _, f := range csv.Names(line, '"', t.Columns) {
		names = append(names, line[f.Start:f.End])
	}
	if numbersIn(names) > 0 || slices.ContainsFunc(names, func(name []byte) bool { return len(name) == 0 }) {
		return nil
	}
	return names
}

// areUnits reports whether the line above, a comment too, has as many names, which are longer.
func (t *Table) areUnits(units [][]byte, above []byte) bool {
	text, mark := uncommented(above)
	names := bytes.Fields(text)
	longer := len(bytes.Join(names, nil)) > len(bytes.Join(units, nil))
	return mark != "" && longer && len(names) == t.Columns && numbersIn(names) == 0 && areApart(text)
}

// haveUnits reports whether the two lines above the rows are comments with a word for each of five columns or more, as prose has not twice:
// the names, and their units.
//
//	#YY  MM DD hh WDIR WSPD
//	#yr  mo dy hr degT m/s
func (t *Table) haveUnits(lines [][]byte) bool {
	if t.Preamble < 2 || t.Columns < columnsOfUnits {
		return false
	}
	return !slices.ContainsFunc(lines[t.Preamble-2:t.Preamble], func(line []byte) bool {
		text, mark := uncommented(line)
		words := bytes.Fields(text)
		return mark == "" || len(words) != t.Columns || numbersIn(words) > 0
	})
}

// uncommented returns a line without the mark of comments that it begins with. A drawn line has none.
func uncommented(line []byte) (text []byte, mark string) {
	if isRule(line) {
		return line, ""
	}
	text, mark = csv.CutMark(line)
	if mark == "" {
		return line, ""
	}
	return bytes.TrimLeft(text, mark), mark
}

// isDrawnComment reports whether the line is a comment that draws a line.
func isDrawnComment(line []byte) bool {
	text, mark := uncommented(line)
	return mark != "" && isRule(text)
}

// areApart reports whether two blanks or more stand between all of the line's texts, as names of columns have them, and words of prose not.
func areApart(line []byte) bool {
	line = bytes.TrimSpace(line)
	for i, c := range line {
		if c == ' ' && line[i-1] != ' ' && line[i+1] != ' ' {
			return false
		}
	}
	return true
}

// isComment reports whether a line begins with the mark of the text's comments.
func (t *Table) isComment(line []byte) bool {
	return t.mark != "" && bytes.HasPrefix(bytes.TrimLeft(line, " "), []byte(t.mark))
}

// areYears reports whether all names are years, of which each follows the one before.
func areYears(names [][]byte) bool {
	last := 0
	for i, name := range names {
		year, err := strconv.Atoi(string(name))
		if err != nil || !isYear(name) || i > 0 && year != last+1 {
			return false
		}
		last = year
	}
	return len(names) > 1
}

// areNames reports whether all lines begin with a name.
func areNames(lines [][]byte) bool {
	for _, line := range lines {
		if cells := bytes.Fields(line); len(cells) > 0 && isValue(cells[0]) {
			return false
		}
	}
	return true
}

// countsLines reports whether the lines begin with their numbers, from 0 or 1.
func countsLines(lines [][]byte) bool {
	n, first := 0, 0
	for _, line := range lines {
		cells := bytes.Fields(line)
		if len(cells) == 0 {
			continue
		}
		number, err := strconv.Atoi(string(cells[0]))
		if n == 0 {
			first = number
		}
		if err != nil || first < 0 || first > 1 || number != first+n {
			return false
		}
		n++
	}
	return n >= leastRuns
}

// usualCells returns how many cells most lines have, without the comments that the text begins with.
func usualCells(lines [][]byte) int {
	if len(lines) == 0 {
		return 0
	}
	counts, best := map[int]int{}, 0
	_, mark := uncommented(lines[0])
	for _, line := range lines {
		if mark != "" && bytes.HasPrefix(line, []byte(mark)) {
			continue
		}
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
		if len(cells) != t.Columns || !isValue(cells[0]) && !isValue(cells[1]) || valuesIn(cells)*10 < len(cells)*cellsOfNumbers {
			return false
		}
	}
	return true
}

// isAligned reports whether nearly all lines, or all but one of six or more, have as many cells as the table, most of them numbers, and
// blanks in most lines stand in runs.
func (t *Table) isAligned(lines, others [][]byte) bool {
	n, alike, padded, numbers := 0, 0, 0, 0
	for _, part := range [][][]byte{lines, others} {
		for _, line := range part {
			cells := bytes.Fields(line)
			if len(cells) == 0 || t.isComment(line) {
				continue
			}
			if n++; bytes.IndexByte(line, '\t') >= 0 {
				return false
			}
			if len(cells) != t.Columns {
				continue
			}
			alike++
			numbers += valuesIn(cells)
			if bytes.Contains(bytes.TrimSpace(line), []byte("  ")) {
				padded++
			}
		}
	}
	nearly := alike*10 >= n*linesAlike || alike == n-1 && n >= manyLines
	return alike >= leastRuns && nearly && padded*2 >= alike && numbers*10 >= alike*t.Columns*cellsOfNumbers
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

// valuesIn counts them with those that say that there is none: NaN, which may also be the name of a column.
func valuesIn(cells [][]byte) int {
	n := numbersIn(cells)
	for _, cell := range cells {
		if bytes.EqualFold(cell, []byte("nan")) || bytes.EqualFold(cell, []byte("na")) {
			n++
		}
	}
	return n
}
