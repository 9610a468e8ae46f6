package table

import (
	"slices"

	"sheetdrop/internal/sheet/kind"
)

// sectionHeader asks whether a record is the header of another table.
type sectionHeader struct {
	first  columns // of the first table
	head   row     // its header
	titled bool    // there is a title above the record
	summed bool    // there is a sum above the blank record
}

// endsAt reports whether the record is such a header, of which rows are the next records.
func (s sectionHeader) endsAt(r row, rows []row) bool {
	again := renames(r, s.head)
	width, ok := s.widthOf(r, again)
	if !ok {
		return false
	}
	n := 0
	for n < len(rows) && !rows[n].blank && rows[n].width == r.width {
		n++
	}
	own := columnKinds(without(rows[:n], r), r.width)
	if sameTexts(r, s.head) {
		return s.titled && own.hasOtherKeys(s.first)
	}
	if own.n == 0 || own.filledBehind(width) {
		return false
	}
	shared := sharedNames(r, s.head)
	goesOn := own.kinds[0] == kind.Number && !own.differs(s.first) && !s.titled && shared == 0 // below a remark
	named := s.titled && (shared > 0 && onlyWords(r) || 2*shared > r.filled)                   // units may look like codes: m3
	if again || named || s.namesOthers(r, own) && !goesOn {
		return true
	}
	if width != s.first.width && own.n >= evidence && own.typed() == 0 && onlyWords(r) && (s.titled || own.isFull() && !r.prose) {
		return true
	}
	return s.endsValues(r, own) || s.headsOthers(r, own, width)
}

// widthOf returns how many columns a table has of which the record is the header; again says that it has most of the names of the first
// one. ok is false if it is no header of any.
func (s sectionHeader) widthOf(r row, again bool) (width int, ok bool) {
	width = r.filled
	lacks := lacksFirstName(r) && lacksFirstName(s.head)
	switch {
	case again:
		width = r.width
	case lacks:
		width++
	}
	if r.blank || r.broken || width < narrow || len(r.kinds) != r.width {
		return 0, false
	}
	return width, r.isPrefix() || again || lacks || sameTexts(r, s.head)
}

// headsOthers reports whether the record, which has other names than the first table's header, stands above so many columns of values, and
// these or their number are not those of the first table.
func (s sectionHeader) headsOthers(r row, own columns, width int) bool {
	least := s.leastRecords(r)
	if own.n < least && !(s.summed && s.headsNarrower(r, own)) || s.first.n < least || !own.isUnlike(r) {
		return false
	}
	if r.width != s.first.width || s.first.isUsual(width) {
		return true
	}
	if s.first.typed() == 0 {
		return s.first.n >= least && s.endsTexts(r, own)
	}
	return s.first.isUnlike(r) && (own.differs(s.first) || own.kinds[0] == kind.Word)
}

// namesOthers reports whether the record has a word for each column, two or more of them above values, in both tables; one is enough where
// the tables have as many columns, and values of other kinds.
func (s sectionHeader) namesOthers(r row, own columns) bool {
	if !s.haveRecords(own) || !r.namesAllOf(r.width) {
		return false
	}
	least := headerCells
	if r.width == s.first.width && own.differs(s.first) {
		least = 1
	}
	heads := func(c columns) bool {
		same, other := c.compare(r)
		return same == 0 && other >= least
	}
	return heads(s.first) && heads(own)
}

// haveRecords reports whether both tables have as many records as a table has: two columns may as well be names with their values.
func (s sectionHeader) haveRecords(own columns) bool {
	least := bodyRecords
	if s.first.width != own.width || s.first.filled <= listCells*s.first.n {
		least = evidence
	}
	return s.first.n >= least && own.n >= bodyRecords
}

// endsValues reports whether the record, and all below it, have words in all columns in which the first table has values.
func (s sectionHeader) endsValues(r row, own columns) bool {
	if !s.haveRecords(own) || !r.namesAllOf(s.first.width) || own.filled != own.n*r.width {
		return false
	}
	for i, k := range s.first.kinds {
		if k > kind.Word && own.kinds[i] != kind.Word {
			return false
		}
	}
	return s.first.typed() > 0
}

// endsTexts reports whether a record is the header of a table of values below a table of nothing but texts: it has a word for each column,
// and none of them stands there further above.
func (s sectionHeader) endsTexts(r row, own columns) bool {
	if r.filled < s.first.width || !onlyWords(r) || own.typed() == 0 {
		return false
	}
	return !slices.ContainsFunc(s.first.rows, func(above row) bool {
		for i, text := range r.texts {
			if i < len(above.texts) && above.texts[i] == text {
				return true
			}
		}
		return false
	})
}

// lacksFirstName reports whether the record has names for all columns from the second one on, as far as it has any, and none for the first.
func lacksFirstName(r row) bool {
	return len(r.kinds) > r.filled && r.filled > 0 && r.kinds[0] == kind.Empty && !slices.Contains(r.kinds[1:r.filled+1], kind.Empty)
}

// headsNarrower reports whether the record heads another table below a sum. It is narrower than the first table and has words alone, none
// of them its columns'. Below it are two records or more that have no gap, and values of other kinds in their columns.
func (s sectionHeader) headsNarrower(r row, own columns) bool {
	narrower := severalColumns <= r.filled && r.filled < s.first.width && s.first.isUsual(r.filled)
	if own.n < bodyRecords || !narrower || !onlyWords(r) || !own.differs(s.first) {
		return false
	}
	return s.first.isUnlike(r) && own.filled == own.n*r.filled
}

// leastRecords is how many records each of two tables has: a title makes up for one, and so does a name of the first table, by which one
// may refer to the other.
func (s sectionHeader) leastRecords(r row) int {
	shares := func(text uint64) bool { return isSomeText(text) && slices.Contains(s.head.texts, text) }
	if s.titled || slices.ContainsFunc(r.texts, shares) {
		return bodyRecords
	}
	return evidence
}

// renames reports whether the record has most of the names of the header, each in its column, but not all, and no value.
func renames(r, head row) bool {
	shared := sharedNames(r, head)
	return shared > narrow && 2*shared > head.filled && onlyWords(r) && !sameTexts(r, head)
}

// sharedNames counts the names that two headers have in the same columns.
func sharedNames(a, b row) (n int) {
	for i := range min(len(a.texts), len(b.texts)) {
		if a.kinds[i] == kind.Word && a.texts[i] == b.texts[i] {
			n++
		}
	}
	return n
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

// hasOtherKeys reports whether the first column has numbers of one length here and of another there: months as 202403, then years.
func (c columns) hasOtherKeys(other columns) bool {
	here, there := c.keyLength(), other.keyLength()
	return here > 0 && there > 0 && here != there
}

// keyLength returns how many bytes each number of the first column has, 0 if they differ or are none.
func (c columns) keyLength() int {
	length, n := 0, 0
	for _, r := range c.rows {
		switch {
		case r.blank || r.width != c.width || r.filled <= 1:
			continue
		case r.kinds[0] != kind.Number || length > 0 && int(r.key) != length:
			return 0
		}
		length, n = int(r.key), n+1
	}
	if n < evidence {
		return 0
	}
	return length
}
