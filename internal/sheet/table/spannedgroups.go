package table

import (
	"slices"

	"sheetdrop/internal/sheet/kind"
)

// groups reports whether the record names groups of the columns that the records below it name, the nearest first: it has two names or
// more, with gaps for the columns of the same group, or names for columns that have none below. It is rather a name with its value if it
// has the first columns alone, unless one is repeated, as merged cells are; and a title with the unit if it has a sentence and one more
// cell. Days and numbers are names of groups if the names below come again under each.
func (r row) groups(below []row, width int) bool {
	title := r.filled == groupNames && (r.unit || (r.prose || r.paired) && r.kinds[0] != kind.Empty)
	if r.blank || r.broken || r.colons > 0 || r.filled < groupNames || r.width > width || title || r.numbered || r.writeOn && !r.ruled {
		return false
	}
	if len(below) > 0 && r.completes(below[0]) {
		return true
	}
	if len(below) > 1 && below[0].completes(below[1]) {
		below = append([]row{below[0].joined(below[1])}, below[2:]...)
	}
	s, value := r.spansOver(below)
	if value != kind.Empty {
		return value != kind.Address && r.repeatsNames(below)
	}
	if len(below) > 0 && r.isOfAllBehind(below[0]) {
		return true
	}
	if s.gaps == 0 || s.starts == 0 || s.merged > 0 && len(below) > 0 && r.leavesOut(below[0]) {
		return false
	}
	return s.starts+s.alone >= groupNames && (s.alone > 0 || s.merged >= groupNames || !r.isPrefix()) ||
		len(below) > 0 && r.tellsApart(below[0])
}

// completes reports whether the record has a name for each column that the next one, which names the first columns alone, has none for: two
// columns or more each. It has words for them and none for the first ones. Or it has one word for all of these, which says what the names
// behind are, and which may be classes.
//
//	,  ,    North,South,East     Age,   ,     0-14,15-64,65+
//	No,Kind,     ,     ,         Region,Town,     ,     ,
func (r row) completes(next row) bool {
	n := next.filled
	if len(next.kinds) != len(r.kinds) || n < groupNames || len(r.kinds)-n < groupNames || !next.isPrefix() || !onlyWords(next) {
		return false
	}
	for i, k := range r.kinds {
		switch {
		case i < n && k != kind.Empty && (k != kind.Word || r.texts[i] != r.texts[0]):
			return false
		case i >= n && k != kind.Word && (k <= kind.Number || r.kinds[0] == kind.Empty):
			return false
		}
	}
	return true
}

// joined returns the names of both, of which the next one has those of the first columns.
func (r row) joined(next row) row {
	n := next.filled
	r.kinds, r.texts = slices.Concat(next.kinds[:n], r.kinds[n:]), slices.Concat(next.texts[:n], r.texts[n:])
	r.filled = len(r.kinds)
	return r
}

// isOfAllBehind reports whether the record has one short text above each of the last columns, such as where all of them were measured, and
// none above the first ones. The next one names all columns.
//
//	,   ,   Oslo,Oslo,Oslo
//	Day,No.,High,Low, Rain
func (r row) isOfAllBehind(next row) bool {
	first, last := r.first(), len(r.kinds)-1
	return first > 0 && last > first && !r.prose && r.kinds[last] == kind.Word && r.filled == last-first+1 && next.namesAllOf(len(r.kinds)) &&
		!slices.ContainsFunc(r.texts[first:], func(text uint64) bool { return text != r.texts[first] })
}

// spans counts a record's cells that may be names of groups.
type spans struct {
	gaps   int // cells without a name of their own
	merged int // of which so many are merged with the one before
	alone  int // the only names of their columns
	starts int // names that span columns
}

// spansOver counts the record's cells above the records that name the columns. value is the kind of the first cell that is no name, such as
// a number that is no year; empty if all may be names.
func (r row) spansOver(below []row) (s spans, value kind.Kind) {
	numbers := 0
	for i, k := range r.kinds {
		if k == kind.Number {
			numbers++
		}
		switch {
		case k == kind.Moment || numbers > int(r.yearish) || k == kind.Address:
			return s, k
		case k == kind.Empty:
			s.gaps++
			continue
		case i > 0 && r.texts[i] == r.texts[i-1]: // merged with the one before
			s.gaps++
			s.merged++
			continue
		}
		if kindIn(below, i) == kind.Empty {
			s.alone++
			continue
		}
		if i+1 >= len(r.kinds) || r.kinds[i+1] == kind.Empty || r.texts[i+1] == r.texts[i] {
			s.starts++
		}
	}
	return s, kind.Empty
}

// tellsApart reports whether the record has nothing but words, up to the last column and each above one, and tells names apart that come
// twice below.
//
//	,    ,    Temp,High,Low
//	Date,Time,Out, Temp,Temp
func (r row) tellsApart(names row) bool {
	n := len(r.kinds)
	if !onlyWords(r) || !onlyWords(names) || n != len(names.kinds) || n != names.filled || r.kinds[n-1] == kind.Empty {
		return false
	}
	twice := false
	for i, text := range names.texts {
		for j := range i {
			if names.texts[j] != text {
				continue
			}
			if r.kinds[i] == kind.Empty || r.kinds[j] == kind.Empty || r.texts[i] == r.texts[j] {
				return false
			}
			twice = true
		}
	}
	return twice
}

// repeatsNames reports whether the record's values stand above two names or more, which are the same under each; other names may follow.
//
//	,    2024-01-08,,    2024-01-09,,    ,
//	line,plan,      done,plan,      done,remark
func (r row) repeatsNames(below []row) bool {
	first, last, each := -1, -1, 0
	for i, k := range r.kinds {
		if k <= kind.Word || i > 0 && r.texts[i] == r.texts[i-1] { // merged with the one before
			continue
		}
		switch {
		case first < 0:
			first = i
		case each == 0:
			each = i - first
		case i != last+each:
			return false
		}
		last = i
	}
	if each < narrow || len(below) == 0 || last+each > len(below[0].kinds) {
		return false
	}
	names := below[0]
	for i := first; i < len(names.kinds); i++ {
		if names.kinds[i] != kind.Word || i >= first+each && i < last+each && names.texts[i] != names.texts[i-each] {
			return false
		}
	}
	return true
}

// leavesOut reports whether the record has nothing above a group that the next one has between two columns where it has a name: that is
// rather a title with the day of the table. The cells of groups have their names.
//
//	Leeds,Leeds,      ,     ,May 2020,May 2020
//	Ward, All,  Sex,  Sex,  Trade,   Trade
//	,     ,     women,men,  shops,   farms
func (r row) leavesOut(next row) bool {
	named := false
	for i := range min(len(r.kinds), len(next.kinds)) {
		if named = named || r.kinds[i] != kind.Empty; !named || r.kinds[i] != kind.Empty || next.kinds[i] == kind.Empty {
			continue
		}
		group := i + 1
		for group < min(len(r.kinds), len(next.kinds)) && r.kinds[group] == kind.Empty && next.texts[group] == next.texts[i] {
			group++
		}
		if group > i+1 && group < len(r.kinds) && r.kinds[group] != kind.Empty {
			return true
		}
	}
	return false
}
