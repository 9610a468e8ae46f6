package xlsx

// convert converts the stored value of the cell.
func (r *Rows) convert(c *Cell, raw *rawCell) error {
	text := r.text[raw.start:len(r.text):len(r.text)]
	stored := raw.stored
	switch {
	case raw.inline:
		c.Kind, c.Text = Text, text
		return nil
	case raw.value && stored == storedText:
		r.text = unescape(r.text, raw.start)
		c.Kind, c.Text = Text, r.text[raw.start:len(r.text):len(r.text)]
		return nil
	}
	if text = trim(text); len(text) == 0 {
		if raw.formula {
			c.Warning = NoCachedValue
		}
		return nil
	}
	switch stored {
	case storedShared:
		return r.share(c, raw, text)
	case storedBoolean:
		c.Kind, c.Text = boolean(text)
		if c.Kind != Boolean {
			c.flaw(BadValue)
		}
	case storedError:
		c.Kind, c.Text = ErrorText, text
	case storedDate:
		c.Kind, c.Text = isoDate(text, r.format(raw.style))
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
func (r *Rows) share(c *Cell, raw *rawCell, text []byte) error {
	i, table := parseIndex(text), r.book.table
	c.Kind = Text
	if table == nil || i < 0 || i >= table.ends.count {
		c.Text = text
		c.flaw(MissingSharedString)
		return nil
	}
	var err error
	c.Text, r.text, err = table.appendTo(r.text[:raw.start], i)
	return err
}

var (
	textTrue  = []byte("TRUE")
	textFalse = []byte("FALSE")
)

func boolean(text []byte) (ValueKind, []byte) {
	switch string(text) {
	case "1", "true":
		return Boolean, textTrue
	case "0", "false":
		return Boolean, textFalse
	}
	return Text, text
}

// format returns how the cell's style displays a number.
func (r *Rows) format(style int) format {
	if style < 0 || style >= len(r.book.formats) {
		return plain
	}
	return r.book.formats[style]
}

// number sets the cell's value to a number, or to the date that the number stands for, in place of the stored text.
func (r *Rows) number(c *Cell, raw *rawCell, text []byte) {
	if f := r.format(raw.style); f != plain {
		if serial, ok := parseNumber(text); ok {
			made, kind := appendSerial(r.text[:raw.start], serial, f, r.book.date1904)
			if kind != 0 {
				r.text = made
				c.Kind, c.Text = kind, made[raw.start:len(made):len(made)]
				return
			}
			c.Warning = NoDate
		}
	}
	made, ok := appendNumber(r.text[:raw.start], text)
	if !ok {
		c.Kind, c.Text = Text, text
		return
	}
	r.text = made
	c.Kind, c.Text = Number, made[raw.start:len(made):len(made)]
}
