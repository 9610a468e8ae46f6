package dialect

import "slices"

// HasParts reports whether parts of the table have titles.
func (a *Among) HasParts() bool {
	return a.parts != noTitles || a.numberedParts != noTitles || a.asideParts != noTitles
}

// HasStrongSums reports whether each of these parts ends with a row of numbers that looks like its title.
func (a *Among) HasStrongSums() bool { return a.strongSums }

// HasStrongTitles reports whether these are bold or coloured as most rows are not.
func (a *Among) HasStrongTitles() bool { return a.strong || a.numberedParts == strongTitles }

// TitleOf returns the title of a part of the table, if it is a row with these cells, which is strong if it is bold or coloured.
func (a *Among) TitleOf(cells [][]byte, strong bool) (title []byte, ok bool) {
	filled := 0
	for _, cell := range cells {
		if len(cell) > 0 {
			filled++
		}
	}
	if filled != 1 && filled != listCells || !a.parts.may(strong) && !a.asideParts.may(strong) && !a.numberedParts.may(strong) {
		return nil, false
	}
	r := gridRow(cells)
	if filled == listCells {
		r.fit(a.width)
	}
	if !a.isTitle(r, strong) {
		return nil, false
	}
	first := func(cell []byte) bool { return len(cell) > 0 }
	if filled == listCells { // the first one is its number, or when it is
		return cells[1+slices.IndexFunc(cells[1:], first)], true
	}
	return cells[slices.IndexFunc(cells, first)], true
}

// without returns the rows without the titles of parts, which tell nothing of the columns.
func (a *Among) without(rows []row, strong []bool) []row {
	if a == nil {
		return rows
	}
	list := make([]row, 0, len(rows))
	for i, r := range rows {
		if r.blank || !a.isTitle(r, i < len(strong) && strong[i]) {
			list = append(list, r)
		}
	}
	return list
}

// isTitle is TitleOf for a row of which more is known.
func (a *Among) isTitle(r row, strong bool) bool {
	switch {
	case r.filled == 1 && a.parts.may(strong) && r.kinds[0] != empty:
		return r.isTitle() || a.parts == strongTitles && r.isValueAlone()
	case r.filled == 1 && a.asideParts.may(strong):
		return r.alone() == a.asideColumn
	}
	return r.filled == listCells && a.numberedParts.may(strong) && r.kinds[0] != empty && a.isNumberedTitle(r)
}

// may reports whether a row that is strong, or not, may be such a title.
func (t titledParts) may(strong bool) bool { return t == allTitles || t == strongTitles && strong }
