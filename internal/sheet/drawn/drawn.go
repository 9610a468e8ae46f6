// Package drawn reads tables that are drawn with characters: those of Markdown and reStructuredText, those that database
// clients print, and texts of fixed width. A line is a record; a row of a reStructuredText grid may have several lines.
//
// For example, both
//
//	| id | name  |        id    name
//	|---:|-------|        ====  =====
//	|  1 | Anna  |        1     Anna
//
// have the header id, name and the record 1, Anna.
package drawn

import (
	"bytes"
	"regexp"
	"slices"
	"unicode/utf8"
)

// Table is how a table is drawn.
type Table struct {
	Columns  int
	Preamble int      // lines above it
	Header   int      // lines of names, if it has some
	Nameless bool     // it has no header
	Units    int      // lines below the header that name units
	RowNames bool     // the header has no name for the first column
	Below    int      // the line, from 1, from which on none is one of the table's; 0 if it is not known
	mark     string   // that comments begin with, as the text or the header does; "" if neither does
	runs     bool     // runs of blanks separate its cells
	bars     bool     // its cells stand between vertical bars
	open     bool     // and none stands before the first or behind the last one
	escapes  bool     // \| is a bar in a cell
	grid     bool     // a line is drawn between all rows
	ruled    bool     // lines are drawn between some rows
	headings []string // of each printed page, without their numbers
	list     string   // of runs: the line that lists the names with a delimiter of its own
	label    string   // of runs: what stands before the names, as in Data: x y
	starts   []int    // of fixed width: where cells begin, by the width of characters

	underlined bool // of fixed width: the line below the header tells the columns

	groupLine string   // the line of the header that names groups of columns
	groups    [][]byte // of each column
}

const (
	leastLines  = 4 // of a text of fixed width: a header and three records
	linesOfTwo  = 9 // likewise, of two columns of texts
	wideEnough  = 4 // columns of a text of fixed width, of which there is one line less
	mostColumns = 256
	mostAbove   = 12 // lines above the one that underlines the header of a text of fixed width
	mostNames   = 3  // lines of names between bars
	mostClosing = 3  // lines below a text of fixed width and a blank line: End of report
	titleTexts  = 2  // of a line above it: a title and the page
)

// FindBars returns how a table is drawn whose lines begin and end with a bar, and whose header is underlined; ok is false
// if the text's first lines have none.
func FindBars(lines [][]byte) (t Table, ok bool) {
	if t, ok = findOpen(lines); ok {
		return t, true
	}
	first := 0
	for first < len(lines) && !isBarred(lines[first]) {
		first++
	}
	header := first
	for header < len(lines) && isRule(lines[header]) {
		header++
	}
	if header >= len(lines) {
		return t, false
	}
	rule, ruled := header+1, header > 0 && isRule(lines[header-1])
	for ruled && rule < len(lines) && rule-header < mostNames && isNamed(lines[rule]) {
		rule++
	}
	if rule+1 >= len(lines) || !isBarred(lines[header]) || !isRule(lines[rule]) {
		return t, false
	}
	t = Table{bars: true, Preamble: first, escapes: bytes.IndexByte(lines[rule], '+') < 0}
	t.Columns = len(t.split(nil, lines[header]))
	rows := t.findGrid(lines[rule+1:], lines[rule])
	if !t.grid {
		t.Header = rule - header
	}
	return t, t.Columns > 0 && t.Columns <= mostColumns && rows > 0
}

// isNamed reports whether a line between bars has cells.
func isNamed(line []byte) bool { return isBarred(line) && !isRule(line) }

// findGrid finds out whether lines are drawn between all rows, or some, and returns how many lines below the underlined header have cells.
// Several between two that are drawn are one row if one of them goes on with gaps, or if the header is underlined by equals signs.
func (t *Table) findGrid(lines [][]byte, underline []byte) (rows int) {
	rules, several, gaps, last := 0, false, bytes.IndexByte(underline, '=') >= 0, underline
	for _, line := range lines {
		if !isBarred(line) {
			break
		}
		switch further := !isRule(last); {
		case isRule(line):
			rules++
		case further:
			several, gaps = true, gaps || slices.ContainsFunc(t.split(nil, line), isBlank)
			rows++
		default:
			t.ruled = t.ruled || rows > 0
			rows++
		}
		last = line
	}
	t.grid = rules > 1 && rules*2 >= rows && (!several || gaps)
	return rows
}

func isBlank(cell []byte) bool { return len(cell) == 0 }

// findOpen returns how a table is drawn that has bars between its columns alone, and below its header a line with a cross for each:
//
//	 id | name
//	----+------
//	  1 | Anna
func findOpen(lines [][]byte) (t Table, ok bool) {
	for i, line := range lines[:max(0, min(len(lines)-2, mostAbove))] {
		bars, rule := bytes.Count(line, []byte("|")), bytes.TrimSpace(lines[i+1])
		drawn := len(rule) > 0 && rule[0] == '-' && len(bytes.Trim(rule, "-+")) == 0
		if bars == 0 || isBarred(line) || !drawn || bytes.Count(rule, []byte("+")) != bars {
			continue
		}
		t = Table{bars: true, open: true, Preamble: i, Header: 1, Columns: bars + 1}
		for t.Preamble > 0 && t.Header < mostNames && bytes.Count(lines[t.Preamble-1], []byte("|")) == bars {
			t.Preamble, t.Header = t.Preamble-1, t.Header+1
		}
		return t, t.Columns <= mostColumns && t.isBarred(lines[i+2])
	}
	return t, false
}

// isBarred reports whether a line is one of the table, which has bars.
func (t *Table) isBarred(line []byte) bool {
	if t.open {
		return bytes.IndexByte(line, '|') >= 0
	}
	return isBarred(line)
}

// isBarred reports whether a line is one of a table between bars.
func isBarred(line []byte) bool {
	line = bytes.TrimSpace(line)
	if len(line) < 3 {
		return false
	}
	first, last := line[0], line[len(line)-1]
	return first == '|' && last == '|' || first == '+' && last == '+' && isRule(line)
}

// isRule reports whether a line is drawn: of dashes or equals signs, with what separates columns between.
func isRule(line []byte) bool {
	line = bytes.TrimSpace(line)
	return bytes.ContainsAny(line, "-=") && len(bytes.Trim(line, "-=+|: \t")) == 0
}

// rowCount is the line below the table that database clients end with: (3 rows), (3 rows affected), 3 record(s) selected.
var rowCount = regexp.MustCompile(`^\s*\(?\d+ (row|record)(s|\(s\))?( affected| selected)?\.?\)?\s*$`)

// Kind is what a line is.
type Kind uint8

// The kinds of lines.
const (
	Row     Kind = iota
	Rule         // drawn
	Comment      // about the table
	Heading      // of a printed page
	Outside      // no line of the table
)

// Kind returns what a line is.
func (t *Table) Kind(line []byte) Kind {
	switch {
	case isRule(line) && !(t.open && t.isBarred(line)): // dashes between bars may stand for no value
		return Rule
	case t.isHeading(line):
		return Heading
	case t.isComment(line):
		return Comment
	case len(bytes.TrimSpace(line)) == 0, t.bars && !t.isBarred(line), rowCount.Match(line):
		return Outside
	}
	return Row
}

// Grid reports whether a row may have several lines, up to the next one that is drawn.
func (t *Table) Grid() bool { return t.grid }

// Queried reports whether a database client has drawn the table, with crosses between its bars, and no line among the rows: all that it has
// are rows.
func (t *Table) Queried() bool { return t.bars && !t.escapes && !t.ruled }

// Bars reports whether the cells stand between vertical bars: a line without them ends the table.
func (t *Table) Bars() bool { return t.bars }

// Split appends the cells of a line in UTF-8 to dst, without the blanks around them. crossed is the number, from 1, of a
// column whose text runs into the next one, 0 if none does.
func (t *Table) Split(dst [][]byte, line []byte) (cells [][]byte, crossed int) {
	switch {
	case t.groups != nil && string(line) == t.groupLine:
		return append(dst, t.groups...), 0
	case t.bars:
		return t.split(dst, line), 0
	case t.runs:
		return append(dst, t.fields(line)...), 0
	}
	at, column, start := 0, 0, 0 // of the character, by width; of the cell in bytes
	blank := true                // the character before
	for i := 0; i < len(line); {
		r, n := utf8.DecodeRune(line[i:])
		if column+1 < len(t.starts) && at >= t.starts[column+1] {
			if crossed == 0 && (!blank || at > t.starts[column+1]) {
				crossed = column + 1
			}
			dst = append(dst, trim(line[start:i]))
			column, start = column+1, i
		}
		blank = r == ' '
		at += width(r)
		i += n
	}
	dst = append(dst, trim(line[start:]))
	for column++; column < len(t.starts); column++ {
		dst = append(dst, nil)
	}
	return dst, crossed
}

// fields returns the cells of a line, without the mark of a comment or the label before the names.
func (t *Table) fields(line []byte) [][]byte {
	if t.list != "" && string(line) == t.list {
		return t.listed(line)
	}
	text, mark := uncommented(line)
	comment := mark != "" && mark == t.mark
	if comment && len(bytes.Fields(text)) >= t.Columns {
		line = text
	}
	cells := bytes.Fields(line)
	if comment && areListed(cells) {
		for i, cell := range cells {
			cells[i] = bytes.TrimSuffix(cell, []byte(","))
		}
	}
	if t.label != "" && len(cells) == t.Columns+1 && string(cells[0]) == t.label {
		return cells[1:]
	}
	return cells
}

// trim returns a cell without the blanks around it; an empty one is not nil, because it is there.
func trim(cell []byte) []byte {
	if trimmed := bytes.TrimSpace(cell); trimmed != nil {
		return trimmed
	}
	return cell[:0:0]
}

// split splits a line at its bars.
func (t *Table) split(dst [][]byte, line []byte) [][]byte {
	if !t.open {
		line = bytes.TrimSpace(line)[1:]
		if !t.escapes || !bytes.HasSuffix(line, []byte(`\|`)) { // of which the last bar is one of the cell's
			line = line[:len(line)-1]
		}
	}
	start, escaped := 0, false
	for i := 0; i <= len(line); i++ {
		if i < len(line) && (line[i] != '|' || t.escapes && i > 0 && line[i-1] == '\\') {
			escaped = escaped || line[i] == '|'
			continue
		}
		cell := trim(line[start:i])
		if escaped {
			cell = bytes.ReplaceAll(cell, []byte(`\|`), []byte("|"))
		}
		dst = append(dst, cell)
		start, escaped = i+1, false
	}
	return dst
}
