package table

import (
	"bytes"

	"sheetdrop/internal/sheet/dialect"
	"sheetdrop/internal/sheet/kind"
)

// appendedKinds returns the kinds of the cells of a record that holds no delimiter, split by another usual one, whichever it holds most
// often; none if it holds none twice. Somebody may have appended the record with it.
func (m *reading) appendedKinds(raw []byte) []kind.Kind {
	var delimiter byte
	most := narrow - 1
	for _, other := range dialect.UsualDelimiters {
		if n := bytes.Count(raw, []byte(other)); n > most && other != m.Delimiter {
			delimiter, most = other[0], n
		}
	}
	if delimiter == 0 {
		return nil
	}
	var kinds []kind.Kind
	start, quoted := 0, false
	for i, c := range raw {
		switch {
		case m.Quote != 0 && c == m.Quote:
			quoted = !quoted
		case c == delimiter && !quoted:
			kinds, start = append(kinds, m.kindOfCell(raw[start:i])), i+1
		}
	}
	return append(kinds, m.kindOfCell(raw[start:]))
}

// kindOfCell returns the kind of a cell that may be quoted.
func (m *reading) kindOfCell(cell []byte) kind.Kind {
	cell = kind.Trim(cell)
	if n := len(cell); n > 1 && m.Quote != 0 && cell[0] == m.Quote && cell[n-1] == m.Quote {
		cell = cell[1 : n-1]
	}
	return kind.Of(cell)
}

// isAppended reports whether the record, which is split by another delimiter, has all cells of the table, with values where it has them.
func (c columns) isAppended(r row) bool {
	if r.appended == nil || len(*r.appended) != c.width || c.width <= narrow {
		return false
	}
	same, other := c.compare(row{width: c.width, filled: c.width, kinds: *r.appended})
	return same > 0 && other == 0
}
