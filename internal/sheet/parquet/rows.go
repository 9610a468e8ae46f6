package parquet

// assemble makes a row of the next entries of all columns.
func (f *File) assemble() error {
	r := &f.row
	r.No++
	r.Cut = false
	r.Cells = r.Cells[:0]
	a := &assembler{file: f, text: f.text[:0]}
	ends := f.ends(len(f.schema.columns))
	for i, n := range f.schema.columns {
		there, err := a.column(n)
		if err != nil {
			return err
		}
		if ends[i] = -1; there {
			ends[i] = len(a.text)
		}
	}
	for i, c := range f.cursors {
		if c.nested && c.at.repetition != 0 {
			return damaged("column %d has more values than others", i+1)
		}
	}
	f.text, r.Cut = a.text, a.cut
	start := 0
	for _, end := range ends {
		if end < 0 {
			r.Cells = append(r.Cells, nil)
			continue
		}
		r.Cells = append(r.Cells, a.text[start:end:end])
		start = end
	}
	return nil
}

// ends returns memory for where cells end.
func (f *File) ends(n int) []int {
	if cap(f.cellEnds) < n {
		f.cellEnds = make([]int, n)
	}
	return f.cellEnds[:n]
}

// assembler writes the cells of a row, one behind the other.
type assembler struct {
	file *File
	text []byte
	cut  bool
}

func (a *assembler) cursor(l *leaf) *cursor { return a.file.cursors[l.index] }

// column writes a cell. there is false for null.
func (a *assembler) column(n *node) (there bool, err error) {
	if n.leaf == nil || n.leaf.nested {
		start := len(a.text)
		if n.optional && a.cursor(n.first).at.definition < n.def {
			return false, a.consume(n)
		}
		if err = a.value(n); err == nil && len(a.text) == start && a.cut {
			return false, nil
		}
		return true, err
	}
	c := a.cursor(n.leaf)
	if err := c.next(a.file.config.RowBytes); err != nil {
		return false, err
	}
	if c.ended {
		return false, damaged("column %d has fewer rows than others", n.leaf.index+1)
	}
	a.cut = a.cut || c.cut
	a.add(c.text)
	return c.there, nil
}

// add appends text, up to the limit of a row.
func (a *assembler) add(text []byte) {
	if room := a.file.config.RowBytes - len(a.text); len(text) > room {
		text, a.cut = text[:max(0, room)], true
	}
	a.text = append(a.text, text...)
}

func (a *assembler) addString(text string) { a.add([]byte(text)) }

// consume goes past the entry of a value that is not there, in all columns below.
func (a *assembler) consume(n *node) error {
	if n.leaf != nil {
		return a.cursor(n.leaf).next(a.file.config.RowBytes)
	}
	for _, child := range n.children {
		if err := a.consume(child); err != nil {
			return err
		}
	}
	return nil
}

// value writes a field as JSON: of a repeated one all values.
func (a *assembler) value(n *node) error {
	if n.repeated {
		return a.array(n)
	}
	return a.element(n)
}

// array writes all values of a repeated field.
func (a *assembler) array(n *node) error {
	first := a.cursor(n.first)
	if first.at.definition < n.def {
		a.addString("[]")
		return a.consume(n)
	}
	for separator := "["; ; separator = "," {
		a.addString(separator)
		var err error
		if n.wrapped {
			err = a.value(n.children[0])
		} else {
			err = a.element(n)
		}
		if err != nil {
			return err
		}
		if first.ended || first.at.repetition < n.rep {
			a.addString("]")
			return nil
		}
	}
}

// element writes one value of a field.
func (a *assembler) element(n *node) error {
	if a.cursor(n.first).at.definition < n.def {
		a.addString("null")
		return a.consume(n)
	}
	switch n.shape {
	case list:
		return a.array(n.children[0])
	case mapping:
		return a.entries(n.children[0])
	case object:
		return a.object(n)
	}
	return a.leaf(n.leaf)
}

// leaf writes a value that has no fields.
func (a *assembler) leaf(l *leaf) error {
	c := a.cursor(l)
	switch {
	case c.ended:
		return damaged("column %d has fewer rows than others", l.index+1)
	case !c.there:
		a.addString("null")
	case l.bare && (isNumber(c.text) || string(c.text) == "true" || string(c.text) == "false"):
		a.add(c.text)
	default:
		a.file.json = appendJSON(a.file.json[:0], c.text)
		a.add(a.file.json)
	}
	a.cut = a.cut || c.cut
	return c.next(a.file.config.RowBytes)
}

// object writes the fields of a structure.
func (a *assembler) object(n *node) error {
	separator := "{"
	for _, child := range n.children {
		a.addString(separator)
		a.add(appendJSON(nil, []byte(child.name)))
		a.addString(":")
		if err := a.value(child); err != nil {
			return err
		}
		separator = ","
	}
	a.addString("}")
	return nil
}

// entries writes the keys and values of a map.
func (a *assembler) entries(n *node) error {
	first := a.cursor(n.first)
	if first.at.definition < n.def {
		a.addString("{}")
		return a.consume(n)
	}
	for separator := "{"; ; separator = "," {
		a.addString(separator)
		a.file.json = appendJSON(a.file.json[:0], first.text)
		a.add(a.file.json)
		a.addString(":")
		if err := first.next(a.file.config.RowBytes); err != nil {
			return err
		}
		if err := a.value(n.children[1]); err != nil {
			return err
		}
		if first.ended || first.at.repetition < n.rep {
			a.addString("}")
			return nil
		}
	}
}
