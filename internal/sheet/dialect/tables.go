package dialect

import "slices"

// otherTable returns the index of the first record of a second table, which may be its title; len(rows) if there is none.
// The rows are those below the first table's header, head. A second table stands below a blank record, and has a header
// of its own: names where the first table has values, or another width, and values below them; or below a title, some of the
// first header's names. Below a title with most of these names, no record has to be blank. Where each column has values as in the first
// table, the first column has texts, or below a title codes: numbers would go on.
//
//	id,part,price
//	1,bolt,0.20
//	2,nut,0.10
//	,,
//	Suppliers,,
//	supplier,city,since
//	Acme,Oslo,2001
//	Bolts Ltd,Leeds,1987
func (l Layout) otherTable(head row, rows []row) int {
	if l.Columns < narrow {
		return len(rows)
	}
	for i := 1; i < len(rows); i++ {
		if rows[i].blank || !rows[i-1].blank && !(rows[i].isTitle() && i+1 < len(rows) && renames(rows[i+1], head)) {
			continue
		}
		first := columnKinds(rows[:i], l.Columns)
		if first.n == 0 {
			continue
		}
		if l.otherAt(first, head, rows[i:], endsInSum(rows[:i])) {
			return i
		}
	}
	return len(rows)
}

// endsInSum reports whether the last of the rows that is not blank sums up.
func endsInSum(rows []row) bool {
	for _, r := range slices.Backward(rows) {
		if !r.blank {
			return r.isSum() || r.isBareBelow(rows)
		}
	}
	return false
}

// isBareBelow reports whether the last of the rows has nothing but numbers, and lacks the first and another column that nearly all have.
func (r row) isBareBelow(rows []row) bool {
	if len(r.kinds) == 0 || r.kinds[0] != empty || slices.ContainsFunc(r.kinds, func(k kind) bool { return k != number && k != empty }) {
		return false
	}
	usual := columnKinds(rows, r.width).usual(rows)
	return len(usual) > 0 && usual[0] && missing(usual, r) >= sumLacks
}

// above returns the records above the one that begins with the same texts and stands below a blank one; nil if there is none.
func (c columns) above(r row) []row {
	for i := 1; i < len(c.rows); i++ {
		b, n := c.rows[i], min(r.filled, len(r.texts))
		if c.rows[i-1].blank && b.filled == r.filled && n <= len(b.texts) && slices.Equal(b.texts[:n], r.texts[:n]) {
			return c.rows[:i]
		}
	}
	return nil
}

// otherAt reports whether the rows, of which the first follows a blank one, begin another table than the first one with this
// header. summed says that the row above the blank one sums up.
func (l Layout) otherAt(first columns, head row, rows []row, summed bool) bool {
	header, titled := 0, false
	for header < len(rows) && header < maxTitles && (rows[header].blank || rows[header].filled == 1) {
		titled = titled || rows[header].filled == 1
		header++
	}
	next := sectionHeader{first: first, head: head, titled: titled, summed: summed}
	return header < len(rows) && next.endsAt(rows[header], rows[header+1:])
}

// sectionHeader asks whether a record is the header of another table.
type sectionHeader struct {
	first  columns // of the first table
	head   row     // its header
	titled bool    // there is a title above the record
	summed bool    // there is a sum above the blank record
}

// endsAt reports whether the record is such a header, of which rows are the next records.
func (s sectionHeader) endsAt(r row, rows []row) bool {
	width, again := r.filled, renames(r, s.head)
	lacks := lacksFirstName(r) && lacksFirstName(s.head)
	switch {
	case again:
		width = r.width
	case lacks:
		width++
	}
	if r.blank || r.broken || width < narrow || len(r.kinds) != r.width || !r.isPrefix() && !again && !lacks && !sameTexts(r, s.head) {
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
	if (s.titled || again) && s.sharesNames(r) || s.titled && s.sharesMostBeside(r, own) {
		return true
	}
	if s.titled && width != s.first.width && own.n >= evidence && own.typed() == 0 && onlyWords(r) {
		return true
	}
	same, other := own.compare(r)
	least := s.leastRecords()
	if own.n < least && !(s.summed && s.endsShort(r, own)) || s.first.n < least || same > 0 || other == 0 {
		return false
	}
	if r.width != s.first.width || s.titled && width != s.first.width || s.first.isUsual(width) {
		return true
	}
	if s.first.typed() == 0 {
		return s.first.n >= least && s.endsTexts(r, own)
	}
	same, other = s.first.compare(r)
	return same == 0 && other > 0 && (own.differs(s.first) || own.kinds[0] == word || s.titled && own.kinds[0] >= code)
}

// endsTexts reports whether a record is the header of a table of values in half of its columns or more, below a table of nothing but texts:
// it has a word for each column, and none of them stands there further above.
func (s sectionHeader) endsTexts(r row, own columns) bool {
	if r.filled < s.first.width || !onlyWords(r) || 2*own.typed() < s.first.width {
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
	return len(r.kinds) > r.filled && r.filled > 0 && r.kinds[0] == empty && !slices.Contains(r.kinds[1:r.filled+1], empty)
}

// isUsual reports whether a column from the n-th on, from 0, has a value in nearly all rows.
func (c columns) isUsual(n int) bool {
	usual := c.usual(c.rows)
	return n < len(usual) && slices.Contains(usual[n:], true)
}

// endsShort reports whether the record is narrower than the first table and has words alone, none of them its columns', two records or more
// below it that have no gap, and values of other kinds in their columns: below a sum they are another table.
func (s sectionHeader) endsShort(r row, own columns) bool {
	narrower := columnsAbove <= r.filled && r.filled < s.first.width && s.first.isUsual(r.filled)
	if own.n < bodyRecords || !narrower || !onlyWords(r) || !own.differs(s.first) {
		return false
	}
	same, other := s.first.compare(r)
	return same == 0 && other > 0 && own.filled == own.n*r.filled
}

// leastRecords is how many records each of two tables has: a title makes up for one.
func (s sectionHeader) leastRecords() int {
	if s.titled {
		return bodyRecords
	}
	return evidence
}

// isTitle reports whether the record has nothing but a text in its first cell.
func (r row) isTitle() bool {
	return !r.broken && r.filled == 1 && len(r.kinds) > 0 && r.kinds[0] == word
}

// renames reports whether the record has most of the names of the header, each in its column, but not all, and no value.
func renames(r, head row) bool {
	shared := 0
	for i, text := range r.texts {
		if r.kinds[i] == word && i < len(head.texts) && head.texts[i] == text {
			shared++
		}
	}
	return shared > narrow && 2*shared > head.filled && onlyWords(r) && !sameTexts(r, head)
}

// sharesNames reports whether the record has some of the names of the first table's header, each in its column, and otherwise words.
func (s sectionHeader) sharesNames(r row) bool {
	shared := 0
	for i, text := range r.texts {
		switch {
		case r.kinds[i] > word:
			return false
		case r.kinds[i] == word && i < len(s.head.texts) && s.head.texts[i] == text:
			shared++
		}
	}
	return shared > 0
}

// sharesMostBeside reports whether the record has words, most of them names of the first table's header, each in its column, and otherwise
// codes as units may look like (m3), in columns where neither table has such.
func (s sectionHeader) sharesMostBeside(r row, own columns) bool {
	shared := 0
	for i, text := range r.texts {
		switch {
		case i >= len(s.head.texts) || i >= len(own.kinds) || i >= len(s.first.kinds):
			return false
		case r.kinds[i] == word && s.head.texts[i] == text:
			shared++
		case r.kinds[i] > word && (!isCode(r.kinds[i], r.kinds[i]) || own.kinds[i] <= word || isCode(own.kinds[i], r.kinds[i]) ||
			s.first.kinds[i] <= word || isCode(s.first.kinds[i], r.kinds[i])):
			return false
		}
	}
	return 2*shared > r.filled
}

// namesMostOf reports whether the record has names of their own for nearly all of so many columns. Merged cells have one.
func (r row) namesMostOf(width int) bool {
	n := 0
	for i, k := range r.kinds {
		if k != empty && (i == 0 || r.texts[i] != r.texts[i-1]) {
			n++
		}
	}
	return n >= width-1 || share(n, width) >= headerFilled
}

// onlyWords reports whether no cell of the record is a value.
func onlyWords(r row) bool {
	for _, k := range r.kinds {
		if k > word {
			return false
		}
	}
	return true
}

// firstOfTwo returns the width of the first of two tables, whichever has more rows or columns: a header and three rows or more below
// nothing but titles, and above another header with rows of its own. other is the index at which the second one begins. The width is 0
// if there are no two. A further table of a text may have two columns, and two rows: the first one may as well be names with their values.
func firstOfTwo(rows []row, further bool) (width, other int) {
	narrowest, least := narrow+1, evidence
	if further {
		narrowest, least = narrow, bodyRecords
	}
	top := 0
	for top < len(rows) && top < maxTitles && (rows[top].blank || rows[top].filled == 1) {
		top++
	}
	if top == len(rows) || rows[top].blank || rows[top].filled < narrowest || !rows[top].isPrefix() {
		return 0, 0
	}
	width = rows[top].filled
	end := top
	for end < len(rows) && !rows[end].blank {
		end++
	}
	below := end
	for below < len(rows) && rows[below].blank {
		below++
	}
	if below == len(rows) {
		return 0, 0
	}
	var first []row
	for _, r := range rows[top:end] {
		if r.broken || len(r.kinds) < width || r.filledBehind(width) {
			return 0, 0
		}
		r.width, r.kinds, r.texts = width, r.kinds[:width], r.texts[:width]
		first = append(first, r)
	}
	body := columnKinds(first[1:], width)
	same, other := body.compare(first[0])
	if body.n < least || same > 0 || other == 0 {
		return 0, 0
	}
	next := Layout{Columns: width}
	if !next.otherAt(body, first[0], rows[below:], endsInSum(first)) {
		return 0, 0
	}
	return width, below
}

// filledBehind reports whether one of the rows has a value behind the n-th column.
func (c columns) filledBehind(n int) bool {
	return slices.ContainsFunc(c.rows, func(r row) bool { return r.width == c.width && r.filledBehind(n) })
}

func (r row) filledBehind(n int) bool {
	return slices.ContainsFunc(r.kinds[min(n, len(r.kinds)):], func(k kind) bool { return k != empty })
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
		case r.kinds[0] != number || length > 0 && int(r.key) != length:
			return 0
		}
		length, n = int(r.key), n+1
	}
	if n < evidence {
		return 0
	}
	return length
}
