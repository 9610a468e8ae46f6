package table

import (
	"maps"
	"slices"

	"sheetdrop/internal/sheet/kind"
)

// Filter drops the records between the first and the last row of a table that are no rows: totals of a part, lines between printed pages,
// notes and drawn lines.
type Filter struct {
	columns        // without their rows
	leading int    // empty cells in front of the rows that belong to no column: titles of parts and names of their sums stand there
	often   []bool // the columns in which more than half of the records have a value
	grid    bool   // it is a worksheet, whose rows end with their last value

	log      bool       // it is a log
	names    row        // of the columns; of a log, or if one title of a part has all of them but the first
	mark     string     // of comments among the rows; "" if there are none
	numbered bool       // a line below the header numbers the columns
	types    bool       // or names their types
	hints    [][]uint64 // or lines there say how they are to be filled in, or what limits hold for them: the hashes of their texts
	alone    textSet    // the texts that stand alone above the table, as each page may have them: their hashes
	pages    textSet    // the first texts of lines of several cells that each page has

	titles textSet    // of parts of the table, each above the header once more: hashes of their texts
	parts  partTitles // those without the header

	sums      bool    // records with a text in a first column of values, and fewer values than others, sum up parts
	groupSums bool    // records that are named Total, below the only value of the first column for several records, sum these up
	marked    int     // the column behind the first one that names sums, where all rows have one text; 0 if none does
	results   textSet // what is computed of several parts: hashes of the names
	verified  textSet // the hashes of the cells of rows that sum up others, as their numbers show
	shared    []bool  // the columns in which two records or more have a value, if others have none there; nil if none stands apart
}

// newFilter returns a filter that drops nothing from rows of these columns.
func newFilter(c columns) *Filter {
	c.rows = nil
	return &Filter{columns: c}
}

// findFilter makes the filter, if any of the rows is none: otherwise no record of a text is looked at for that. It looks at the columns of
// the others alone. strong tells the looks of a worksheet's first rows.
func (l *Layout) findFilter(above, rows []row, strong []bool) {
	l.lookAtBody(rows)
	f := l.filter(above, rows, strong)
	l.Filter = nil
	if len(rows) > 0 && (l.grid || l.Leading > 0 || f.mayComeAgain(rows)) || slices.ContainsFunc(rows, f.isCommentOrDropped) {
		l.Filter = f
	}
	if others := l.Filter.without(rows, strong); len(others) < len(rows) {
		first := l.body.kinds[0] // which titles may have told
		if l.lookAtBody(others); first > kind.Word {
			l.body.kinds[0] = first
		}
		l.Filter.kinds, l.Filter.usual = l.body.kinds, l.body.usual
	}
	l.body.sumValues = f.sumValues
}

// filter returns what tells the records among these rows that are none.
func (l Layout) filter(above, rows []row, strong []bool) *Filter {
	f, c, head := newFilter(l.body), l.body, l.head
	f.leading, f.grid = l.Leading, l.grid
	f.alone, f.titles = titlesAbove(above), l.titlesOfParts(above, rows)
	if others := otherFirstNames(head, rows); len(others) > 0 {
		f.names = head
		maps.Copy(f.titles, others)
	}
	if f.parts = c.partTitles(rows, strong); f.parts.first == noTitles {
		l.takeTitleAbove(&f.parts, above, rows, strong)
	}
	f.marked = c.marksSums(rows)
	f.results = c.results(rows, f.parts.names)
	f.sums, f.groupSums = c.hasNamedSums(rows), c.hasGroupSums(rows)
	if !l.grid {
		f.mark = c.commentMark(above, rows)
	}
	if slices.ContainsFunc(rows, func(r row) bool { return sameTexts(r, head) }) {
		f.often = c.filledIn(rows, mostOften)
		f.pages = c.pageLines(above, rows, l.Header, f.often)
	}
	if len(rows) > 0 {
		f.numbered, f.types = c.numbersColumns(rows[0]), rows[0].namesTypes(rows[1:], l.Columns)
	}
	for _, r := range rows[:l.hints(rows)] {
		f.hints = append(f.hints, r.texts)
	}
	f.sumValues = f.sumValuesOf(rows)
	return f
}

// lookAtBody records what the columns of the rows below the header have, without repetitions of it.
func (l *Layout) lookAtBody(rows []row) { l.body = bodyOf(without(rows, l.head), l.Columns) }

// sumValuesOf returns the hashes of the words for sums that are values of a column: two records with one of them or more are rows, and
// fewer are sums. They stand above others without such a word, or are as many as no table ends with.
//
//	White total,2006,68.8,33.9
//	White total,2013,70.1,
//	Black total,2006,59.2,30.4
func (f *Filter) sumValuesOf(rows []row) textSet {
	sums, others, usual := map[uint64]int{}, map[uint64]int{}, textSet{}
	take := func(least int) {
		for text, n := range others {
			usual[text] = usual[text] || n >= least && n > sums[text]
		}
	}
	for _, r := range rows {
		switch {
		case r.blank || r.broken || r.width != f.width || r.filled <= 1:
		case !r.isSum():
			take(sectionTitles)
		case f.isPart(r):
			sums[r.sumText()]++
		default:
			others[r.sumText()]++
		}
	}
	take(maxFooter)
	return usual
}

// sumText returns the hash of the word for a sum, where the record has one.
func (r row) sumText() uint64 {
	if r.sumAt > 0 {
		return r.texts[r.sumAt]
	}
	return r.firstText()
}

// titlesAbove returns the hashes of the texts that stand alone in the first column.
func titlesAbove(above []row) textSet {
	titles := textSet{}
	for _, r := range above {
		if r.filled == 1 && len(r.kinds) > 0 && r.kinds[0] == kind.Word {
			titles[r.texts[0]] = true
		}
	}
	return titles
}

// titlesOfParts returns the hashes of the first texts of the records of which each stands right above the header once more.
func (l Layout) titlesOfParts(above, rows []row) textSet {
	titles := textSet{}
	for i, r := range rows[:max(0, len(rows)-1)] {
		if !l.headsAgain(above, rows[i+1:]) || sameTexts(r, l.head) {
			continue
		}
		alone := r.filled == 1 && onlyWords(r) && i > 0 && rows[i-1].blank
		if alone || l.body.isTitleOfPart(r) || r.filled > 1 && l.isTitled(above, r) && l.body.missing(r) >= sumLacks {
			titles[r.firstText()] = true
		}
	}
	return titles
}

// otherFirstNames returns the hashes of the first texts of records that have all names of the header but the first one, in place of which
// they name a part of the table, as balance sheets have it. There are none if two of them follow one another, or one follows the header.
//
//	Assets,     2023,2024
//	Cash,       120, 140
//	Liabilities,2023,2024
//	Loans,      80,  75
func otherFirstNames(head row, rows []row) textSet {
	names := textSet{}
	follows := true
	for _, r := range rows {
		switch named := r.hasOtherFirstName(head); {
		case named && follows:
			return nil
		case named:
			names[r.texts[0]] = true
			follows = true
		case !r.blank:
			follows = false
		}
	}
	return names
}

// hasOtherFirstName reports whether the record has all names of the header, three or more, but another one for the first column.
func (r row) hasOtherFirstName(head row) bool {
	if len(r.texts) <= narrow || len(r.texts) != len(head.texts) || r.kinds[0] != kind.Word || slices.Contains(head.kinds, kind.Empty) {
		return false
	}
	return r.texts[0] != head.texts[0] && slices.Equal(r.texts[1:], head.texts[1:])
}

// mayComeAgain reports whether lines that are no rows may stand behind those that were seen: lines of the header, of pages, and comments.
func (f *Filter) mayComeAgain(rows []row) bool {
	return f.numbered || f.types || len(f.hints) > 0 || len(f.pages) > 0 || f.mark != "" && len(rows) >= headRows
}

// isCommentOrDropped reports whether the record is a comment, or no row for another reason.
func (f *Filter) isCommentOrDropped(r row) bool {
	return f.mark != "" && r.mark == f.mark || !r.blank && !r.broken && f.drops(r)
}

// headsAgain reports whether the rows begin with the header once more, which may have names of groups, and blank rows above these.
func (l Layout) headsAgain(above, rows []row) bool {
	for _, r := range rows[:min(len(rows), maxTitles+maxHeader)] {
		if sameTexts(r, l.head) {
			return true
		}
		if !r.blank && !slices.ContainsFunc(above[max(0, len(above)-l.Header):], r.isOf) {
			return false
		}
	}
	return false
}

// isOf reports whether the record has a row's texts and nothing else. Merged cells further below the header have theirs once.
func (r row) isOf(named row) bool {
	for i, k := range r.kinds {
		if k != kind.Empty && (i >= len(named.texts) || named.texts[i] != r.texts[i]) {
			return false
		}
	}
	return true
}

// isTitled reports whether the record that stands right above the header has texts, or cells of the same kinds, in the same columns as this
// one, which stands above the header once more.
func (l Layout) isTitled(above []row, r row) bool {
	title := len(above) - l.Header - 1
	for title > 0 && l.Header > 1 && above[title].blank {
		title--
	}
	if title < 0 || l.Header == 0 || above[title].blank || r.kinds[0] != kind.Word {
		return false
	}
	first := above[title]
	if l.grid {
		first.fit(r.width)
	}
	return sameShape(first, r) && (onlyWords(first) || slices.Equal(first.kinds, r.kinds))
}

// isTitleOfPart reports whether the record, which stands above the header once more, is the title of a part: a text, and hardly anything
// beside it.
func (c columns) isTitleOfPart(r row) bool {
	if len(r.kinds) == 0 || r.kinds[0] != kind.Word {
		return false
	}
	return r.filled == 1 || r.width == c.width && r.filled <= unitCells && c.missing(r) >= sumLacks
}

// hasNamedSums reports whether two records or more, of which none follows another one, sum up parts of the table by whatever name. If the
// first record is one, it stands above its part, which begins with days, and so do all: the last one is none.
func (c columns) hasNamedSums(rows []row) bool {
	n, above, last := 0, false, false
	for i, r := range withoutBlank(rows) {
		sum := c.sumsPart(r)
		if sum && !last {
			n++
		}
		above = above || i == 0 && sum
		last = sum
	}
	return n >= sectionTitles && !(above && (last || c.kinds[0] != kind.Moment))
}
