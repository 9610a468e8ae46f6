package dialect

import "bytes"

// appendedKinds returns the kinds of the cells of a record that holds no delimiter, split by another usual one, whichever it holds most
// often; none if it holds none twice. Somebody may have appended the record with it.
func (d Dialect) appendedKinds(raw []byte) []kind {
	var delimiter byte
	most := narrow - 1
	for _, other := range usual {
		if n := bytes.Count(raw, []byte(other)); n > most && other != d.Delimiter {
			delimiter, most = other[0], n
		}
	}
	if delimiter == 0 {
		return nil
	}
	var kinds []kind
	start, quoted := 0, false
	for i, c := range raw {
		switch {
		case d.Quote != 0 && c == d.Quote:
			quoted = !quoted
		case c == delimiter && !quoted:
			kinds, start = append(kinds, d.kindOfCell(raw[start:i])), i+1
		}
	}
	return append(kinds, d.kindOfCell(raw[start:]))
}

// kindOfCell returns the kind of a cell that may be quoted.
func (d Dialect) kindOfCell(cell []byte) kind {
	cell = trim(cell)
	if n := len(cell); n > 1 && d.Quote != 0 && cell[0] == d.Quote && cell[n-1] == d.Quote {
		cell = cell[1 : n-1]
	}
	return kindOf(cell)
}

// isAppended reports whether the record, which is split by another delimiter, has all cells of the table, with values where it has them.
func (c columns) isAppended(r row) bool {
	if r.appended == nil || len(*r.appended) != c.width || c.width <= narrow {
		return false
	}
	same, other := c.compare(row{width: c.width, filled: c.width, kinds: *r.appended})
	return same > 0 && other == 0
}
