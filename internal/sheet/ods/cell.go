package ods

import (
	"bytes"
	"strconv"
	"strings"

	"sheetdrop/internal/sheet/grid"
	"sheetdrop/internal/sheet/xlsx/xmlscan"
)

// stored is a cell as its attributes have it.
type stored struct {
	kind, error, style string // kind is the value's type
	value              []byte // nil: what is shown is the value
	formula            bool
	repeated           int
	rows, columns      int // that it spans
}

// readCell reads the current cell, which stands in that column, and returns of how many columns it is.
func (r *Rows) readCell(column int) (repeated int, err error) {
	s := r.readAttributes()
	covered := string(r.doc.Name()) == "covered-table-cell"
	limit := r.book.options.Limits.CellBytes
	start := len(s.value)
	text, err := r.appendParagraphs(s.value, start+limit)
	r.value = text[:0]
	if err != nil || covered {
		return s.repeated, err
	}
	shown := text[start:]
	if s.style == "" {
		s.style = r.styleOf(column)
	}
	c := grid.Cell{Column: column, Strong: (r.no < strongRows || r.empty) && r.book.styles.strong(s.style)}
	switch {
	case s.error == "error":
		c.Kind, c.Text = grid.ErrorText, shown
	case s.kind == "" && s.formula && len(shown) == 0:
		c.Warning = grid.NoCachedValue
	case s.kind == "string" && start > 0 && len(shown) == 0:
		c.Kind, c.Text = grid.Text, text[:start]
	case s.kind == "string" || s.kind == "" || start == 0:
		c.Kind, c.Text = grid.Text, shown
	case s.kind == "float" && isLogical(text[:start], shown): // LibreOffice writes so what it has read from Excel
		c.Kind, c.Text = grid.Boolean, shown
	default:
		r.convert(&c, &s, text[:start:start])
	}
	r.builder.Add(c)
	if len(c.Text) > 0 {
		r.empty = false
		top := r.no + 1
		r.known.Merge(grid.Range{Left: column, Right: column + s.columns - 1, Top: top, Bottom: top + int64(s.rows) - 1})
		r.builder.Merge(column, r.no+int64(s.rows))
		if s.repeated > 1 {
			r.builder.Repeat(s.repeated - 1)
		}
	}
	return s.repeated, nil
}

// strongRows is of how many rows the looks of all cells are told: a header is among them. Of others the first cell may be a title.
const strongRows = 1000

// Known implements grid.Informed, of the rows that were read.
func (r *Rows) Known(bool) (grid.Known, error) { return r.known, nil }

// readAttributes reads the attributes of the current cell, its value into the memory of r.value.
func (r *Rows) readAttributes() stored {
	s := stored{repeated: 1, rows: 1, columns: 1, value: r.value[:0]}
	d := r.doc
	for name, value, ok := d.Attribute(); ok; name, value, ok = d.Attribute() {
		switch string(name) {
		case "office:value-type":
			s.kind = string(value)
		case "calcext:value-type":
			s.error = string(value)
		case "office:value", "office:date-value", "office:time-value", "office:boolean-value", "office:string-value":
			s.value = append(s.value[:0], value...)
		case "table:formula":
			s.formula = true
		case "table:style-name":
			s.style = string(value)
		case "table:number-columns-repeated":
			s.repeated = count(value)
		case "table:number-rows-spanned":
			s.rows = count(value)
		case "table:number-columns-spanned":
			s.columns = count(value)
		}
	}
	return s
}

// convert sets the cell to a value that is stored in an attribute.
func (r *Rows) convert(c *grid.Cell, s *stored, value []byte) {
	switch s.kind {
	case "date":
		c.Kind, c.Text = grid.ParseISO(value, grid.PlainFormat)
	case "time":
		c.Kind, c.Text = timeOf(value, r.book.styles.data(s.style).elapsed)
	case "boolean":
		c.Kind, c.Text = grid.Boolean, bytes.ToUpper(value)
		if text := string(c.Text); text != "TRUE" && text != "FALSE" {
			c.Flaw(grid.BadValue)
		}
	default:
		number, ok := grid.AppendNumber(nil, value)
		c.Kind, c.Text = grid.Number, number
		switch {
		case !ok:
			c.Kind, c.Text = grid.Text, value
		case s.kind == "percentage":
			c.Shown = grid.AsShare
		case r.book.styles.data(s.style).decimal:
			c.Shown = grid.AsDecimals
		}
	}
}

// isLogical reports whether a number is shown as a truth value.
func isLogical(value, shown []byte) bool {
	return string(value) == "1" && string(shown) == "TRUE" || string(value) == "0" && string(shown) == "FALSE"
}

// timeOf reads a time as PT10H30M00S: of a day, or beyond it.
func timeOf(value []byte, elapsed bool) (grid.ValueKind, []byte) {
	rest, negative := strings.CutPrefix(string(value), "-")
	rest, ok := strings.CutPrefix(rest, "PT")
	millis := int64(0)
	for _, unit := range []struct {
		letter string
		millis float64
	}{{"H", 3_600_000}, {"M", 60_000}, {"S", 1000}} {
		number, behind, found := strings.Cut(rest, unit.letter)
		if !found {
			continue
		}
		n, err := strconv.ParseFloat(strings.Replace(number, ",", ".", 1), 64)
		ok = ok && err == nil && n >= 0 && n < 1e9
		millis += int64(n*unit.millis + 0.5)
		rest = behind
	}
	switch {
	case !ok || rest != "":
		return grid.Text, value
	case negative || elapsed || millis >= grid.DayMillis:
		if negative {
			millis = -millis
		}
		return grid.Duration, grid.AppendElapsed(nil, millis)
	}
	return grid.Time, grid.AppendClock(nil, millis)
}

// appendParagraphs appends what the current cell shows, its paragraphs with line ends between them, until dst is longer than
// most. It goes to the end of the cell.
func (r *Rows) appendParagraphs(dst []byte, most int) ([]byte, error) {
	d, first := r.doc, true
	for {
		kind, err := d.Next()
		switch {
		case err != nil:
			return dst, err
		case kind == xmlscan.End:
			return dst, nil
		case kind != xmlscan.Start:
		case string(d.Name()) != "p":
			if err := d.Skip(); err != nil {
				return dst, err
			}
		default:
			if !first && len(dst) <= most {
				dst = append(dst, '\n')
			}
			first = false
			if dst, err = r.appendParagraph(dst, most); err != nil {
				return dst, err
			}
		}
	}
}

// paragraph is a paragraph's text in the making.
type paragraph struct {
	text  []byte
	most  int  // bytes, about
	space bool // it ends with white space that takes no more, as its beginning does
}

// add appends text. White space in it counts as one space, as ODF has it (6.1.2); further ones are elements.
func (p *paragraph) add(text []byte) {
	for _, c := range text {
		blank := c == ' ' || c == '\t' || c == '\n' || c == '\r'
		switch {
		case len(p.text) > p.most:
			return
		case !blank:
			p.text = append(p.text, c)
		case !p.space:
			p.text = append(p.text, ' ')
		}
		p.space = blank
	}
}

// put appends characters that an element stands for.
func (p *paragraph) put(c byte, n int) {
	p.text = append(p.text, bytes.Repeat([]byte{c}, max(0, min(n, p.most+1-len(p.text))))...)
	p.space = false
}

// appendParagraph appends the text of the current paragraph, until dst is longer than most.
func (r *Rows) appendParagraph(dst []byte, most int) ([]byte, error) {
	d, depth := r.doc, 0
	p := paragraph{dst, most, true}
	var buf []byte
	for {
		kind, err := d.Next()
		switch {
		case err != nil:
			return p.text, err
		case kind == xmlscan.End && depth == 0:
			if n := len(p.text); p.space && n > len(dst) {
				p.text = p.text[:n-1]
			}
			return p.text, nil
		case kind == xmlscan.End:
			depth--
		case kind == xmlscan.Text:
			buf = d.AppendText(buf[:0])
			p.add(buf)
		case kind == xmlscan.Start && isBeside(string(d.Name())):
			err = d.Skip()
		case kind == xmlscan.Start:
			depth++
			r.addElement(&p, string(d.Name()))
		}
		if err != nil {
			return p.text, err
		}
	}
}

// addElement appends what the element that has just started stands for.
func (r *Rows) addElement(p *paragraph, name string) {
	switch name {
	case "s":
		n := 1
		for name, value, ok := r.doc.Attribute(); ok; name, value, ok = r.doc.Attribute() {
			if string(name) == "text:c" {
				n = count(value)
			}
		}
		p.put(' ', n)
	case "tab":
		p.put('\t', 1)
	case "line-break":
		p.put('\n', 1)
	}
}

// isBeside reports whether an element has text that is not the cell's: a comment, a footnote, how a word is pronounced.
func isBeside(name string) bool {
	return name == "annotation" || name == "annotation-end" || name == "note" || name == "ruby-text"
}
