package dialect

import "slices"

// isNamedByOneYear reports whether the record has names and a single year, above numbers with points of which none may be a year.
//
//	Country,Code,2010
//	Aruba,  ABW, 564.83
func (c columns) isNamedByOneYear(r row) bool {
	if r.calendar != 1 || r.numbers() != 1 || r.filled != seen(r.width) || r.filled < narrow || c.n < manyRecords {
		return false
	}
	points, n := 0, 0
	for _, b := range c.rows {
		if b.width != c.width || b.numbers() == 0 {
			continue
		}
		if n++; b.points > 0 {
			points++
		}
	}
	others := slices.ContainsFunc(r.kinds, func(k kind) bool { return k != word && k != number })
	return !others && c.isWithoutYears() && share(points, n) >= uniformRecords
}

// isOfCodes reports whether the record has codes alone, and all others, too, and the first ones are all of one length: these are no names.
//
//	0101010Q0BDACAA,0101010Q0BDACAG
//	0101021B0BEALA0,0101021B0BEALAG
func (c columns) isOfCodes(r row) bool {
	if c.n < evidence || r.key < codeLength || r.width != c.width {
		return false
	}
	for _, b := range append(c.rows, r) {
		if b.blank || b.width != c.width {
			continue
		}
		if b.key != r.key || slices.ContainsFunc(b.kinds, func(k kind) bool { return !isCode(k, k) }) {
			return false
		}
	}
	return true
}
