package htmltable

import (
	"bytes"
	"html"
	"io"
	"slices"
	"strconv"
	"unicode/utf8"

	xhtml "golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"sheetdrop/internal/sheet/grid"
)

// Rows reads a table's rows.
type Rows struct {
	book    *Book
	page    *page
	builder grid.Builder
	no      int64
	inRow   bool
	cell    *cell
	memory  cell
	column  int        // of the cell before
	spans   []span     // of cells of rows above, by column
	depth   int        // of tables inside of this one
	mute    int        // of elements whose text is not shown
	known   grid.Known // merged cells
	err     error
}

// cell is a cell in the making.
type cell struct {
	text         []byte
	column, rows int
	columns      int
	strong       bool // it is a heading, bold, or its ground has a colour
	space        bool // white space follows text
}

// span is a column that a cell of a row above takes.
type span struct {
	column int
	last   int64 // row
}

// Next returns the next row, and io.EOF after the last one.
func (r *Rows) Next() (*grid.Row, error) {
	for r.err == nil {
		row, err := r.advance()
		if r.err == nil {
			r.err = err
		}
		if row != nil && err == nil {
			return row, nil
		}
	}
	return nil, r.err
}

// advance goes to the next token and returns the row that it ends, nil if there is none.
func (r *Rows) advance() (*grid.Row, error) {
	switch kind := r.page.next(); kind {
	case xhtml.ErrorToken:
		if r.err = r.page.err(); r.err == nil {
			r.err = io.EOF
			return r.endRow()
		}
	case xhtml.TextToken:
		if r.cell != nil && r.depth == 0 && r.mute == 0 {
			text := r.page.Raw()
			if bytes.IndexByte(text, '&') >= 0 {
				text = []byte(html.UnescapeString(string(text)))
			}
			r.cell.add(text, r.book.options.Limits.CellBytes)
		}
	case xhtml.StartTagToken:
		return r.startTag()
	case xhtml.EndTagToken:
		return r.endTag()
	}
	return nil, nil
}

func (r *Rows) startTag() (*grid.Row, error) {
	tag := r.page.tag
	switch {
	case tag == atom.Table:
		r.depth++
	case r.depth > 0:
	case tag == atom.Script || tag == atom.Style:
		r.mute++
	case tag == atom.Tr:
		row, err := r.endRow()
		r.startRow()
		return row, err
	case tag == atom.Td || tag == atom.Th:
		if !r.inRow {
			r.startRow()
		}
		r.startCell()
		r.cell.strong = r.cell.strong || tag == atom.Th
	case r.cell == nil:
	case tag == atom.B || tag == atom.Strong:
		r.cell.strong = r.cell.strong || len(r.cell.text) == 0
	case tag == atom.Br:
		r.cell.text, r.cell.space = append(r.cell.text, '\n'), false
	case isBlock(tag):
		r.cell.newLine()
	}
	return nil, nil
}

func (r *Rows) endTag() (*grid.Row, error) {
	tag := r.page.tag
	switch {
	case tag == atom.Table && r.depth == 0:
		r.err = io.EOF
		return r.endRow()
	case tag == atom.Table:
		r.depth--
	case r.depth > 0:
	case tag == atom.Script || tag == atom.Style:
		r.mute = max(0, r.mute-1)
	case tag == atom.Tr:
		return r.endRow()
	case tag == atom.Td || tag == atom.Th:
		r.endCell()
	case r.cell != nil && isBlock(tag):
		r.cell.newLine()
	}
	return nil, nil
}

// isBlock reports whether an element stands on lines of its own.
func isBlock(tag atom.Atom) bool {
	return tag == atom.P || tag == atom.Div || tag == atom.Li || tag == atom.Ul || tag == atom.Ol
}

func (r *Rows) startRow() {
	r.no++
	r.inRow, r.column = true, 0
	r.builder.Begin(r.no)
	r.spans = slices.DeleteFunc(r.spans, func(s span) bool { return s.last < r.no })
}

// endRow ends the current row, if there is one, and returns it unless it is empty.
func (r *Rows) endRow() (*grid.Row, error) {
	r.endCell()
	if !r.inRow {
		return nil, nil
	}
	r.inRow = false
	return r.builder.Finish()
}

func (r *Rows) startCell() {
	r.endCell()
	r.memory = cell{text: r.memory.text[:0], column: r.column + 1, rows: 1, columns: 1}
	r.cell = &r.memory
	for r.isTaken(r.cell.column) {
		r.cell.column++
	}
	for more := true; more; {
		var name, value []byte
		name, value, more = r.page.TagAttr()
		switch string(name) {
		case "colspan":
			r.cell.columns = spanned(value, maxColumns)
		case "rowspan":
			r.cell.rows = spanned(value, maxRows)
		case "bgcolor":
			r.cell.strong = true
		}
	}
}

// isTaken reports whether a cell of a row above takes the column.
func (r *Rows) isTaken(column int) bool {
	return slices.ContainsFunc(r.spans, func(s span) bool { return s.column == column })
}

// The limits of columns and rows that a cell spans, as in the HTML standard.
const (
	maxColumns = 1000
	maxRows    = 65_534
)

func spanned(value []byte, most int) int {
	n, err := strconv.Atoi(string(bytes.TrimSpace(value)))
	if err != nil || n < 1 {
		return 1
	}
	return min(n, most)
}

// endCell adds the current cell, if there is one, to the row.
func (r *Rows) endCell() {
	c := r.cell
	if c == nil {
		return
	}
	r.cell = nil
	r.column = c.column + c.columns - 1
	r.builder.Add(grid.Cell{Column: c.column, Kind: grid.Text, Text: bytes.TrimSpace(c.text), Strong: c.strong})
	last := r.no + int64(c.rows) - 1
	r.known.Merge(grid.Range{Left: c.column, Right: r.column, Top: r.no, Bottom: last})
	if c.rows == 1 {
		return
	}
	r.builder.Merge(c.column, last)
	for i := range c.columns {
		if len(r.spans) < maxColumns {
			r.spans = append(r.spans, span{c.column + i, last})
		}
	}
}

// Known implements grid.Informed, of the rows that were read.
func (r *Rows) Known(bool) (grid.Known, error) { return r.known, nil }

// add appends text with its white space as one space each, until there is more than the limit.
func (c *cell) add(text []byte, most int) {
	for _, char := range string(text) {
		if len(c.text) > most {
			return
		}
		if char == ' ' || char == '\t' || char == '\n' || char == '\r' || char == '\f' || char == '\u00a0' {
			c.space = true
			continue
		}
		if n := len(c.text); c.space && n > 0 && c.text[n-1] != '\n' {
			c.text = append(c.text, ' ')
		}
		c.text, c.space = utf8.AppendRune(c.text, char), false
	}
}

// newLine begins a new line if there is text on the current one.
func (c *cell) newLine() {
	if n := len(c.text); n > 0 && c.text[n-1] != '\n' {
		c.text = append(c.text, '\n')
	}
	c.space = false
}
