package table

import (
	"slices"

	"sheetdrop/internal/sheet/kind"
)

// takeNamed takes the first record with the names of all declared columns for the header, where the one that was found lacks some: the
// values below it may all be wrong, and then nothing else tells it from them. start is the first row below the header that was found; it
// returns that of the one that is taken.
//
//	id,amount      with both declared as numbers
//	x,y
//	2,5
func (l *Layout) takeNamed(rows []row, start int, h Hints) int {
	if h.Header != nil || len(h.Names) == 0 || namesAll(rows[start-min(l.Header, start):start], h.Names) {
		return start
	}
	i := slices.IndexFunc(rows[:min(len(rows), start+maxHeader)], func(r row) bool { return namesAll([]row{r}, h.Names) })
	if i < 0 || h.Preamble != nil && i != start-l.Header {
		return start
	}
	l.Preamble, l.Header = i, 1
	return i + 1
}

// namesAll reports whether each of the names is that of a column of the header, in whose rows the column has no other text.
func namesAll(header []row, names []string) bool {
	return !slices.ContainsFunc(names, func(name string) bool {
		text := hash([]byte(name))
		return !slices.ContainsFunc(header, func(r row) bool {
			i := slices.Index(r.texts, text)
			return i >= 0 && !slices.ContainsFunc(header, func(other row) bool {
				return i < len(other.texts) && other.kinds[i] != kind.Empty && other.texts[i] != text
			})
		})
	})
}
