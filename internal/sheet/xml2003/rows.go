package xml2003

import (
	"bytes"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"sheetdrop/internal/sheet/container"
	"sheetdrop/internal/sheet/grid"
	"sheetdrop/internal/sheet/xlsx/xmlscan"
)

// Rows reads a worksheet's rows.
type Rows struct {
	book    *Book
	doc     *container.Document
	builder grid.Builder
	no      int64 // of the row that was read last
	depth   int   // 1 in the table
	faulty  bool  // the current row has no valid number
	covers  []cover
	style   string     // of the current row
	known   grid.Known // merged cells
	text    []byte
	kind    []byte // of the data of the current cell
	err     error
}

// cover is columns that a cell of a row above covers.
type cover struct {
	first, last int
	row         int64 // the last one
}

// maxCovers limits how many of them are remembered.
const maxCovers = 1 << 10

// free returns the first column from that one on that no cell of a row above covers.
func (r *Rows) free(column int) int {
	for again := true; again; {
		again = false
		for _, c := range r.covers {
			if c.first <= column && column <= c.last {
				column, again = c.last+1, true
			}
		}
	}
	return column
}

// Next returns the next row, and io.EOF after the last one.
func (r *Rows) Next() (*grid.Row, error) {
	for r.err == nil {
		var row *grid.Row
		if row, r.err = r.advance(); row != nil && r.err == nil {
			return row, nil
		}
	}
	r.err = r.doc.Fault(r.err)
	return nil, r.err
}

// skip goes to the end of the worksheet.
func (r *Rows) skip() error {
	for ; r.depth >= 0 && r.err == nil; r.depth-- {
		r.err = r.doc.Skip()
	}
	if r.err == nil {
		r.end()
		return nil
	}
	return r.doc.Fault(r.err)
}

// end is called at the end of the worksheet.
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
	case kind == xmlscan.End && r.depth == 0:
		r.end()
		return nil, io.EOF
	case kind == xmlscan.End:
		r.depth--
	case kind != xmlscan.Start:
	case r.depth == 0 && string(d.Name()) == "Table":
		r.depth++
	case r.depth == 1 && string(d.Name()) == "Row":
		return r.readRow()
	default:
		return nil, d.Skip()
	}
	return nil, nil
}

func (r *Rows) readRow() (*grid.Row, error) {
	d, span := r.doc, 0
	r.no++
	r.style = ""
	for name, value, ok := d.Attribute(); ok; name, value, ok = d.Attribute() {
		n, valid := index(value)
		switch {
		case string(name) == "ss:Index" && (!valid || n == 0):
			r.faulty = true
		case string(name) == "ss:Index":
			r.no = int64(n)
		case string(name) == "ss:Span" && valid:
			span = n
		case string(name) == "ss:StyleID":
			r.style = string(value)
		}
	}
	r.builder.Begin(r.no)
	r.covers = slices.DeleteFunc(r.covers, func(c cover) bool { return c.row < r.no })
	if r.faulty {
		r.builder.Add(grid.Cell{Fault: grid.BadReference})
		r.faulty = false
	}
	column := 0
	err := d.Each(func(name []byte) (err error) {
		if string(name) != "Cell" {
			return d.Skip()
		}
		column, err = r.readCell(column + 1)
		return err
	})
	if err != nil {
		return nil, err
	}
	row, err := r.builder.Finish()
	r.no += int64(span)
	return row, err
}

// readCell reads the current cell, which stands in that column unless it says another, and returns the last one that it covers.
func (r *Rows) readCell(column int) (last int, err error) {
	d, across, down := r.doc, 0, 0
	c := grid.Cell{Column: r.free(column)}
	style, formula := r.style, false
	for name, value, ok := d.Attribute(); ok; name, value, ok = d.Attribute() {
		n, valid := index(value)
		switch string(name) {
		case "ss:Index":
			if c.Column = n; !valid || n < 1 || n > grid.LastColumn {
				c.Column, c.Fault = 0, grid.BadReference
			}
		case "ss:MergeAcross":
			across = min(n, grid.LastColumn)
		case "ss:MergeDown":
			down = min(n, grid.LastRow)
		case "ss:StyleID":
			style = string(value)
		case "ss:Formula":
			formula = true
		}
	}
	c.Strong = r.book.strong[style]
	kind, found := r.kind[:0], false
	err = d.Each(func(name []byte) (err error) {
		if string(name) != "Data" || found {
			return d.Skip()
		}
		found = true
		for name, value, ok := d.Attribute(); ok; name, value, ok = d.Attribute() {
			if string(name) == "ss:Type" {
				kind = append(kind, value...)
			}
		}
		r.text, err = r.appendText(r.text[:0])
		return err
	})
	if err != nil {
		return 0, err
	}
	if found {
		r.convert(&c, kind, r.book.formats[style])
		r.kind = kind
	} else if formula {
		c.Warning = grid.NoCachedValue
	}
	r.builder.Add(c)
	if c.Column == 0 {
		return column, nil
	}
	last = min(c.Column+across, grid.LastColumn)
	if down > 0 && len(r.covers) < maxCovers {
		r.covers = append(r.covers, cover{c.Column, last, r.no + int64(down)})
	}
	r.builder.Merge(c.Column, r.no+int64(down))
	r.known.Merge(grid.Range{Left: c.Column, Right: last, Top: r.no, Bottom: r.no + int64(down)})
	return last, nil
}

// Known implements grid.Informed, of the rows that were read.
func (r *Rows) Known(bool) (grid.Known, error) { return r.known, nil }

// appendText appends the text of the current element and of those in it, which are HTML.
func (r *Rows) appendText(dst []byte) ([]byte, error) {
	d, most := r.doc, r.book.options.Limits.CellBytes
	if text, ok := d.Content(); ok {
		return append(dst, text[:min(len(text), most+1)]...), nil
	}
	for depth := 0; ; {
		kind, err := d.Next()
		switch {
		case err != nil:
			return dst, err
		case kind == xmlscan.Start:
			depth++
		case kind == xmlscan.End && depth == 0:
			return dst, nil
		case kind == xmlscan.End:
			depth--
		case len(dst) <= most:
			dst = d.AppendText(dst)
			dst = dst[:min(len(dst), most+1)]
		}
	}
}

// convert sets the cell's value, which is in r.text.
func (r *Rows) convert(c *grid.Cell, kind []byte, f format) {
	c.Kind, c.Text = grid.Text, r.text
	value := bytes.TrimSpace(r.text)
	switch string(kind) {
	case "Number":
		r.number(c, value, f)
	case "DateTime":
		c.Kind, c.Text = dateTime(value, f.moment)
	case "Boolean":
		c.Kind = grid.Boolean
		switch string(value) {
		case "1":
			c.Text = []byte("TRUE")
		case "0":
			c.Text = []byte("FALSE")
		default:
			c.Flaw(grid.BadValue)
		}
	case "Error":
		c.Kind = grid.ErrorText
	}
}

// number sets the cell's value to a number, or to the date that it is displayed as.
func (r *Rows) number(c *grid.Cell, value []byte, f format) {
	if f.moment != grid.PlainFormat {
		if serial, ok := grid.ParseNumber(value); ok {
			text, kind := grid.AppendSerial(nil, serial, f.moment, false)
			if kind != 0 {
				c.Kind, c.Text = kind, text
				return
			}
			c.Warning = grid.NoDate
		}
	}
	if number, ok := grid.AppendNumber(nil, value); ok {
		c.Kind, c.Text, c.Shown = grid.Number, number, f.number
	}
}

// dateTime reads a moment, which is stored with its time whatever it is displayed as: a time stands on the last day of 1899,
// a date at midnight, and hours beyond a day are days from there on.
func dateTime(value []byte, format grid.Format) (grid.ValueKind, []byte) {
	day, clock, both := bytes.Cut(value, []byte("T"))
	switch {
	case format == grid.ElapsedFormat:
		return elapsed(value)
	case both && string(day) == "1899-12-31" && format != grid.DateFormat:
		if kind, text := grid.ParseISO(clock, format); kind != grid.Text {
			return kind, text
		}
		return elapsed(clock)
	case format == grid.PlainFormat:
		format = grid.DateFormat
	}
	return grid.ParseISO(value, format)
}

// elapsed reads a duration, which some programs store as hours, minutes and seconds.
func elapsed(value []byte) (grid.ValueKind, []byte) {
	if moment, err := time.Parse("2006-01-02T15:04:05", string(value)); err == nil {
		return grid.Duration, grid.AppendElapsed(nil, moment.Sub(time.Date(1899, 12, 31, 0, 0, 0, 0, time.UTC)).Milliseconds())
	}
	hours, rest, _ := strings.Cut(string(value), ":")
	n, err := strconv.Atoi(hours)
	clock, clockErr := time.Parse("04:05", rest)
	if err != nil || clockErr != nil || n < 0 || n > 1e9 {
		return grid.Text, value
	}
	behind := clock.Sub(clock.Truncate(time.Hour))
	return grid.Duration, grid.AppendElapsed(nil, int64(n)*3_600_000+behind.Milliseconds())
}
