package dialect

// otherTable returns the index of the first record of a second table, which may be its title; len(rows) if there is none.
// The rows are those below the header of the first table. A second table stands below a blank record, and has a header
// of its own: names where the first table has values, or another width, and values below them.
//
//	id,part,price
//	1,bolt,0.20
//	2,nut,0.10
//	,,
//	Suppliers,,
//	supplier,city,since
//	Acme,Oslo,2001
//	Bolts Ltd,Leeds,1987
func (l Layout) otherTable(rows []row) int {
	if l.Columns < narrow {
		return len(rows)
	}
	for i := 1; i < len(rows); i++ {
		if rows[i].blank || !rows[i-1].blank {
			continue
		}
		first := columnKinds(rows[:i], l.Columns)
		if first.n < evidence {
			continue
		}
		header := i
		for header < len(rows) && header < i+maxTitles && (rows[header].blank || rows[header].filled == 1) {
			header++
		}
		if header < len(rows) && first.endAt(rows[header], rows[header+1:]) {
			return i
		}
	}
	return len(rows)
}

// endAt reports whether the record is the header of another table, of which rows are the next records.
func (c columns) endAt(r row, rows []row) bool {
	if r.blank || r.broken || r.filled < narrow || r.filled < r.width || len(r.kinds) != r.width {
		return false
	}
	n := 0
	for n < len(rows) && !rows[n].blank && rows[n].width == r.width {
		n++
	}
	own := columnKinds(rows[:n], r.width)
	if own.n < evidence || own.holdsAll(r) {
		return false
	}
	same, other := own.compare(r)
	if same > 0 || other == 0 {
		return false
	}
	if r.width != c.width {
		return true
	}
	same, other = c.compare(r)
	return same == 0 && other > 0 && own.differs(c)
}

// holdsAll reports whether a record says the same as one of the rows, as a repeated header does.
func (c columns) holdsAll(r row) bool {
	for _, b := range c.rows {
		if sameTexts(b, r) {
			return true
		}
	}
	return false
}

// differs reports whether a column has values of one kind here and of another there.
func (c columns) differs(other columns) bool {
	for i, k := range c.kinds {
		if i < len(other.kinds) && k != other.kinds[i] {
			return true
		}
	}
	return false
}
