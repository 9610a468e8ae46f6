package dialect

import "slices"

// countsMarks reports whether the record has a name and otherwise nothing but numbers, in three columns of texts or more in which no other
// record has one, and lacks a column in which nearly all have a value: it counts the marks above.
//
//	Name, Since,     Fire,First aid,Welding
//	Ahmed,2019-03-01,x,   x,
//	Bruno,2021-07-15,x,   ,         x
//	Done, ,          100%,50%,      50%
func (f *closingBlock) countsMarks(r row) bool {
	if r.width != f.width || r.broken || len(r.kinds) == 0 || r.kinds[0] != word || !f.lacks(r) {
		return false
	}
	n := 0
	for i, k := range r.kinds[1:] {
		switch {
		case k == empty:
		case k == number && f.kinds[i+1] == word:
			n++
		default:
			return false
		}
	}
	return n >= evidence && !slices.ContainsFunc(f.rows, func(other row) bool {
		return !sameTexts(other, r) && len(other.kinds) > 0 && slices.Contains(other.kinds[1:], number)
	})
}
