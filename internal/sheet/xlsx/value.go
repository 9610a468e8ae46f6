package xlsx

import (
	"sheetdrop/internal/sheet/grid"
)

// convert converts the stored value of the cell.
func (r *Rows) convert(c *grid.Cell, raw *rawCell) error {
	text := r.text[raw.start:len(r.text):len(r.text)]
	stored := raw.stored
	switch {
	case raw.inline:
		c.Kind, c.Text = grid.Text, text
		return nil
	case raw.value && stored == storedText:
		r.text = unescape(r.text, raw.start)
		c.Kind, c.Text = grid.Text, r.text[raw.start:len(r.text):len(r.text)]
		return nil
	}
	if text = trim(text); len(text) == 0 {
		if raw.formula {
			c.Warning = grid.NoCachedValue
		}
		return nil
	}
	switch stored {
	case storedShared:
		return r.share(c, raw, text)
	case storedBoolean:
		c.Kind, c.Text = boolean(text)
		if c.Kind != grid.Boolean {
			c.Flaw(grid.BadValue)
		}
	case storedError:
		c.Kind, c.Text = grid.ErrorText, text
	case storedDate:
		c.Kind, c.Text = grid.ParseISO(text, r.book.styles.Format(raw.style))
	default:
		r.number(c, raw, text)
	}
	return nil
}

// trim removes white space around a stored value.
func trim(text []byte) []byte {
	for len(text) > 0 && text[0] <= ' ' {
		text = text[1:]
	}
	for len(text) > 0 && text[len(text)-1] <= ' ' {
		text = text[:len(text)-1]
	}
	return text
}

// share sets the cell's value to a shared string.
func (r *Rows) share(c *grid.Cell, raw *rawCell, text []byte) error {
	i, table := parseIndex(text), r.book.table
	c.Kind = grid.Text
	if table == nil || i < 0 || i >= table.Len() {
		c.Text = text
		c.Flaw(grid.MissingSharedString)
		return nil
	}
	var err error
	c.Text, r.text, err = table.AppendTo(r.text[:raw.start], i)
	return err
}

var (
	textTrue  = []byte("TRUE")
	textFalse = []byte("FALSE")
)

func boolean(text []byte) (grid.ValueKind, []byte) {
	switch string(text) {
	case "1", "true":
		return grid.Boolean, textTrue
	case "0", "false":
		return grid.Boolean, textFalse
	}
	return grid.Text, text
}

// number sets the cell's value to a number, or to the date that the number stands for, in place of the stored text.
func (r *Rows) number(c *grid.Cell, raw *rawCell, text []byte) {
	if f := r.book.styles.Format(raw.style); f != grid.PlainFormat {
		if serial, ok := grid.ParseNumber(text); ok {
			made, kind := grid.AppendSerial(r.text[:raw.start], serial, f, r.book.date1904)
			if kind != 0 {
				r.text = made
				c.Kind, c.Text = kind, made[raw.start:len(made):len(made)]
				return
			}
			c.Warning = grid.NoDate
		}
	}
	made, ok := grid.AppendNumber(r.text[:raw.start], text)
	if !ok {
		c.Kind, c.Text = grid.Text, text
		return
	}
	r.text = made
	c.Kind, c.Text = grid.Number, made[raw.start:len(made):len(made)]
}
