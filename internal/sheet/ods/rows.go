package ods

import (
	"cmp"
	"io"
	"slices"

	"sheetdrop/internal/sheet/container"
	"sheetdrop/internal/sheet/grid"
	"sheetdrop/internal/sheet/xlsx/xmlscan"
)

// Rows reads a table's rows.
type Rows struct {
	book    *Book
	doc     *container.Document
	builder grid.Builder
	no      int64      // of the row that was read last, with its repetitions
	again   int        // how often the row that was returned last has still to be returned
	depth   []bool     // the elements around the rows: whether each groups them
	columns []columns  // as far as they have a style
	known   grid.Known // merged cells
	empty   bool       // the current row has no value so far
	value   []byte     // memory for a cell's text
	err     error
}

// columns are columns with a style of their own.
type columns struct {
	last  int
	style string
}

// Next returns the next row, and io.EOF after the last one.
func (r *Rows) Next() (*grid.Row, error) {
	if r.again > 0 && r.err == nil {
		r.again--
		var row *grid.Row
		if row, r.err = r.builder.Again(); r.err == nil {
			return row, nil
		}
	}
	for r.err == nil {
		var row *grid.Row
		if row, r.err = r.advance(); row != nil && r.err == nil {
			return row, nil
		}
	}
	r.err = r.doc.Fault(r.err)
	return nil, r.err
}

// skip goes to the end of the table.
func (r *Rows) skip() error {
	if r.err == nil {
		for range len(r.depth) + 1 {
			if r.err = r.doc.Skip(); r.err != nil {
				return r.doc.Fault(r.err)
			}
		}
		r.end()
	}
	return nil
}

// end is called at the end of the table.
func (r *Rows) end() {
	r.err = io.EOF
	r.book.tables.End()
}

// advance goes to the next element and returns the row that it is, nil if it is none or an empty one.
func (r *Rows) advance() (*grid.Row, error) {
	d := r.doc
	kind, err := d.Next()
	switch {
	case err != nil:
		return nil, err
	case kind == xmlscan.End && len(r.depth) == 0:
		r.end()
		return nil, io.EOF
	case kind == xmlscan.End:
		r.depth = r.depth[:len(r.depth)-1]
		return nil, nil
	case kind != xmlscan.Start:
		return nil, nil
	}
	switch string(d.Name()) {
	case "table-row":
		return r.readRow()
	case "table-rows", "table-header-rows", "table-row-group", "table-columns", "table-header-columns", "table-column-group":
		r.depth = append(r.depth, string(d.Name()) == "table-row-group")
		return nil, nil
	case "table-column":
		r.addColumns(d.Attributes())
	}
	return nil, d.Skip()
}

// maxColumnStyles limits how many groups of columns are remembered.
const maxColumnStyles = 1 << 14

func (r *Rows) addColumns(at map[string]string) {
	last := 0
	if n := len(r.columns); n > 0 {
		last = r.columns[n-1].last
	}
	if len(r.columns) < maxColumnStyles {
		r.columns = append(r.columns, columns{
			min(last+count([]byte(at["table:number-columns-repeated"])), maxCount), at["table:default-cell-style-name"],
		})
	}
}

// styleOf returns the style of cells in the column that have none.
func (r *Rows) styleOf(column int) string {
	i, _ := slices.BinarySearchFunc(r.columns, column, func(c columns, column int) int { return cmp.Compare(c.last, column) })
	if i == len(r.columns) {
		return ""
	}
	return r.columns[i].style
}

// readRow reads the current row, which may stand for many.
func (r *Rows) readRow() (*grid.Row, error) {
	d, times := r.doc, 1
	for name, value, ok := d.Attribute(); ok; name, value, ok = d.Attribute() {
		if string(name) == "table:number-rows-repeated" {
			times = count(value)
		}
	}
	r.builder.Begin(r.no + 1)
	r.empty = true
	column := 1
	err := d.Each(func(name []byte) error {
		if s := string(name); s != "table-cell" && s != "covered-table-cell" {
			return d.Skip()
		}
		n, err := r.readCell(column)
		column = min(column+n, maxCount)
		return err
	})
	if err != nil {
		return nil, err
	}
	row, err := r.builder.Finish()
	r.no += int64(times)
	if row != nil {
		row.Level = r.level()
		r.again = times - 1
	}
	return row, err
}

// level returns how deep the current row is grouped.
func (r *Rows) level() (level uint8) {
	for _, groups := range r.depth {
		if groups && level < grid.MaxLevel {
			level++
		}
	}
	return level
}
