package xlsx

import (
	"sheetdrop/internal/sheet/grid"
	"sheetdrop/internal/sheet/xlsx/xmlscan"
)

// cellType is the attribute t of a cell: how its value is stored.
type cellType uint8

const (
	storedNumber cellType = iota
	storedText            // also for unknown types
	storedShared          // the number of a shared string
	storedBoolean
	storedError
	storedDate // ISO 8601
)

func parseType(t []byte) cellType {
	switch string(t) {
	case "n":
		return storedNumber
	case "s":
		return storedShared
	case "b":
		return storedBoolean
	case "e":
		return storedError
	case "d":
		return storedDate
	}
	return storedText
}

// rawCell is a cell as in the file.
type rawCell struct {
	stored  cellType
	style   int
	start   int  // its text is Rows.text[start:]
	value   bool // it has the element v or is
	inline  bool // it has the element is
	says    bool // its type is that of the element is: a value beside that is what some programs keep for themselves
	formula bool
	twice   bool // it has more than one value
}

// readCell reads the current cell, in whatever form, and adds it to the row unless it is empty.
func (r *Rows) readCell() error {
	c := grid.Cell{Column: r.column + 1}
	raw := rawCell{start: len(r.text)}
	for name, value, ok := r.doc.Attribute(); ok; name, value, ok = r.doc.Attribute() {
		switch string(name) {
		case "r":
			c.Column, c.Fault = r.place(value)
		case "s":
			raw.style = parseIndex(value)
		case "t":
			raw.stored = parseType(value)
			raw.says = string(value) == "inlineStr"
		}
	}
	if err := r.readContent(&raw); err != nil {
		return err
	}
	return r.finishCell(&c, &raw)
}

// finishCell converts the cell that was read, and adds it to the row unless it is empty.
func (r *Rows) finishCell(c *grid.Cell, raw *rawCell) error {
	if c.Column > grid.LastColumn {
		c.Column, c.Fault = 0, grid.BadReference
	}
	if c.Column > 0 {
		r.column = c.Column
	}
	if raw.twice && c.Fault == "" {
		c.Fault = grid.DuplicateCell
	}
	if err := r.convert(c, raw); err != nil {
		return err
	}
	c.Strong = raw.style > 0 && r.book.styles.Strong(raw.style)
	c.Indent = r.book.styles.Indent(raw.style)
	r.book.styles.Show(c, raw.style)
	if c.Kind == 0 && c.Fault == "" && c.Warning == "" || !r.add(*c) {
		r.text = r.text[:raw.start]
	}
	return nil
}

// place determines a cell's column by its reference. A row without a number has that of its first cell with one.
func (r *Rows) place(ref []byte) (column int, fault grid.Code) {
	column, row, ok := grid.ParseReference(ref)
	if ok && r.row.No == 0 {
		r.row.No = row
	}
	if !ok || row != r.row.No {
		return 0, grid.BadReference
	}
	return column, ""
}

// parseIndex parses a number from 0; it returns -1 if the text is not one.
func parseIndex(text []byte) int {
	if len(text) == 0 || len(text) > 9 {
		return -1
	}
	n := 0
	for _, c := range text {
		if c < '0' || c > '9' {
			return -1
		}
		n = n*10 + int(c-'0')
	}
	return n
}

// readContent reads the content of the cell, its text into r.text.
func (r *Rows) readContent(raw *rawCell) error {
	for {
		kind, err := r.doc.Next()
		switch {
		case err != nil:
			return err
		case kind == xmlscan.End:
			return nil
		case kind != xmlscan.Start:
			continue
		}
		name := string(r.doc.Name())
		switch {
		case name == "f":
			raw.formula = true
			err = r.doc.Skip()
		case name != "v" && name != "is":
			err = r.doc.Skip()
		case raw.says && name == "v" && raw.inline:
			err = r.doc.Skip()
		case raw.value && (!raw.says || name == "v" || raw.inline):
			raw.twice = true
			err = r.doc.Skip()
		case name == "is":
			raw.value, raw.inline = true, true
			r.text = r.text[:raw.start]
			r.text, err = appendRich(r.doc, r.text, r.cellBytes())
		default:
			raw.value = true
			r.text, err = r.doc.AppendContent(r.text, raw.start+r.cellBytes())
		}
		if err != nil {
			return err
		}
	}
}

func (r *Rows) cellBytes() int { return r.book.options.Limits.CellBytes }

// add adds the cell to the row if the limits allow. A row has each column once: more cells than columns are not a row.
func (r *Rows) add(c grid.Cell) bool {
	lim := &r.book.options.Limits
	n := len(r.row.Cells)
	if c.Column > lim.Columns || n == lim.Columns {
		r.fail(grid.TooManyColumns)
		return false
	}
	if len(c.Text) > lim.CellBytes {
		c.Text = c.Text[:lim.CellBytes]
		c.Flaw(grid.CellTooLong)
	} else if c.Kind == grid.Text {
		c.Flaw(grid.TextFault(c.Text))
	}
	if r.bytes += len(c.Text); r.bytes > lim.RowBytes {
		r.fail(grid.RecordTooLong)
		return false
	}
	if n > 0 && c.Column <= r.row.Cells[n-1].Column {
		r.inOrder = false
	}
	r.row.Cells = append(r.row.Cells, c)
	return true
}
