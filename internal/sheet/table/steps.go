package table

import (
	"bytes"
	"strconv"
)

// isStepped reports whether all of so many cells but the first one are whole numbers, of which each is greater than the one before.
func isStepped(n int, cell func(i int) []byte) bool {
	last := 0
	for i := 1; i < n; i++ {
		no, err := strconv.Atoi(string(bytes.TrimSpace(cell(i))))
		if err != nil || i > 1 && no <= last {
			return false
		}
		last = no
	}
	return true
}

// isNamedBySteps reports whether the record has a name and whole numbers that rise, four or more, as no other one has, above numbers of
// which most have a point.
//
//	length,10,  25,  50,  100
//	first, 6.43,7.76,9,   10.02
//	second,6.46,7.79,8.97,10.07
func (c columns) isNamedBySteps(r row) bool {
	if !r.stepped || c.n < evidence || c.typed() < len(r.kinds)-1 {
		return false
	}
	points, numbers := 0, 0
	for _, b := range c.rows {
		if b.stepped && !sameTexts(b, r) {
			return false
		}
		if b.width == c.width {
			points, numbers = points+int(b.points), numbers+b.numbers()
		}
	}
	return share(points, numbers) >= mostOften
}
