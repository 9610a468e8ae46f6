package dialect

// footer returns the line in the last sample at which records stop belonging to the table: notes, sources, totals. A
// truncated record is not one of them, nor is a second table.
func footer(rows []row, last, start int, body columns) int64 {
	var line int64
	found, tableRun, lastWidth := 0, 0, 0
	for i := len(rows) - 1; i >= start && rows[i].sample == last && found <= maxFooter; i-- {
		r := rows[i]
		if r.blank {
			continue
		}
		apart := i > start && rows[i-1].blank // a blank line separates the record from those above
		if !body.closing(r, apart || line != 0 && aboveIsBlank(rows, i, start, body.width)) {
			break
		}
		if r.width > 1 && r.width == lastWidth {
			tableRun++
		} else {
			tableRun = 1
		}
		if lastWidth = r.width; tableRun >= evidence {
			return 0
		}
		found++
		line = r.line
	}
	if found > maxFooter {
		return 0
	}
	return line
}

// aboveIsBlank reports whether there is a blank line above the record and others that are narrower than the table.
func aboveIsBlank(rows []row, i, start, width int) bool {
	for ; i >= start && rows[i].width < width; i-- {
		if rows[i].blank {
			return true
		}
	}
	return false
}

// closing reports whether the record closes the table; apart says that it is separated from the records above.
func (c columns) closing(r row, apart bool) bool {
	width := c.width
	same, other := c.compare(r)
	switch {
	case r.broken || width < 2 || len(r.kinds) == 0:
		return false
	case r.width == width && share(c.filled, c.n*width) < sparseTable: // in such a table these records are ordinary
		return false
	case r.width == width && r.total && !(r.totalFirst && !r.totalMore && c.saysMore(r)):
		return r.totalMore || other > 0 || c.hasGapsOfTotal(r, same) || c.kinds[0] <= word && r.totalFirst ||
			c.kinds[0] > word && r.kinds[0] == empty
	case r.filled == 1 && r.kinds[0] != empty && (width > narrow || r.width == 1):
		if r.width == width { // the last record of a list may have nothing but a text
			return (apart || r.note) && c.isFull()
		}
		return apart || r.prose || c.kinds[0] > word && r.kinds[0] == word
	case r.width < width && share(r.width, width) <= noteWidth:
		return same == 0 && (other > 0 && r.width == 1 || apart || r.total || r.prose)
	}
	return false
}

// saysMore reports whether the record has a text in another column of texts than the total's: no sum has.
func (c columns) saysMore(r row) bool {
	texts := 0
	for i, k := range c.kinds {
		if k == word && i < len(r.kinds) && r.kinds[i] == word {
			texts++
		}
	}
	return texts > 1
}

// hasGapsOfTotal reports whether so many cells of the record are empty that it sums up the whole table and not part of
// it. same of its cells have the kinds of their columns, and none has another.
func (c columns) hasGapsOfTotal(r row, same int) bool {
	gaps := share(c.empties(r), c.width)
	return gaps >= totalMostlyEmpty || gaps >= totalEmpty && same == 0
}

// isFull reports whether the table has enough records with few empty cells, so that a record with a single text cannot
// belong to it.
func (c columns) isFull() bool { return c.n > evidence && share(c.filled, c.n*c.width) >= fullTable }

// empties counts the empty cells of the table's columns.
func (c columns) empties(r row) int {
	n := 0
	for i := range c.kinds {
		if i >= len(r.kinds) || r.kinds[i] == empty {
			n++
		}
	}
	return n
}
