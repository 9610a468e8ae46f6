package dialect

import (
	"bytes"
	"slices"
)

// Among tells which records among the rows of a table are no rows: totals of a part, lines between printed pages, notes and
// drawn lines.
type Among struct {
	width   int
	leading int // empty cells in front of the rows that belong to no column: titles of parts and names of their sums stand there
	kinds   []kind
	usual   []bool // the columns in which nearly all records have a value
	often   []bool // likewise, more than half of them
	full    bool   // a record with a single text is no row
	grid    bool   // it is a worksheet, whose rows end with their last value

	log      bool            // it is a log, with these names
	names    row             // of its columns
	mark     string          // of comments among the rows; "" if there are none
	numbered bool            // a line below the header numbers the columns
	typed    bool            // or names their types
	hint     []uint64        // or says how they are to be filled in: the hashes of its texts
	above    map[uint64]bool // the texts that stand alone above the table, as each page may have them: their hashes
	pages    map[uint64]bool // the first texts of lines of several cells that each page has

	titles        map[uint64]bool // of parts of the table, each above the header once more: hashes of their texts
	parts         titledParts     // the texts alone in the first column that are titles of parts
	partNames     map[uint64]bool // the hashes of these
	strong        bool            // they are bold or coloured as most rows are not
	strongSums    bool            // and so are the sums at the ends of the parts
	partTotals    bool            // the parts end with rows that are named Total
	numberedParts titledParts     // the titles behind numbers
	besideTitles  fullerColumns   // the columns without these
	asideParts    titledParts     // the titles alone in another column than the first
	asideColumn   int             // that column

	sums      bool            // records with a text in a first column of values, and fewer values than others, sum up parts
	groupSums bool            // records that are named Total, below the only value of the first column for several records, sum these up
	marked    int             // the column behind the first one that names sums, where all rows have one text; 0 if none does
	results   map[uint64]bool // what is computed of several parts: hashes of the names
	sumAbove  uint64          // the hash of the cells of the first row, if it sums up all others
}

// among returns what tells such records, or nil if none of a text's rows is one: then no record of it is looked at for that. strong tells
// the looks of a worksheet's first rows.
func (l Layout) among(above, rows []row, c columns, usual, strong []bool) *Among {
	a := &Among{width: c.width, leading: l.Leading, kinds: c.kinds, usual: usual, full: c.isFull(), grid: l.grid}
	a.titles, a.above = map[uint64]bool{}, map[uint64]bool{}
	for _, r := range above {
		if r.filled == 1 && len(r.kinds) > 0 && r.kinds[0] == word {
			a.above[r.texts[0]] = true
		}
	}
	head := lastHeader(above, len(above))
	for i, r := range rows[:max(0, len(rows)-1)] {
		if sameTexts(rows[i+1], head) && (c.isTitleOfPart(r, usual) || r.filled > 1 && l.isTitled(above, r) && missing(usual, r) >= sumLacks) {
			a.titles[r.texts[0]] = true
		}
	}
	a.parts, a.partNames, a.strong = c.titledParts(rows, strong)
	a.strongSums = a.strong && c.endInSums(rows, strong)
	a.partTotals = a.parts == allTitles && endInTotals(rows, a.partNames)
	a.asideParts, a.asideColumn = c.titlesAside(rows, strong)
	a.numberedParts, a.besideTitles = c.numberedTitles(rows, strong)
	a.marked = c.marksSums(rows, usual)
	a.results = c.results(rows, a.partNames)
	a.sums, a.groupSums = c.hasNamedSums(rows, usual), c.hasGroupSums(rows)
	if !l.grid {
		a.mark = c.commentMark(above, rows)
	}
	if slices.ContainsFunc(rows, func(r row) bool { return sameTexts(r, head) }) {
		a.often = c.filledIn(rows, mostOften)
		a.pages = c.pageLines(above, rows, a.often)
	}
	a.numbered = len(rows) > 0 && c.numbersColumns(rows[0])
	a.typed = len(rows) > 0 && c.namesTypes(rows[0])
	if len(rows) > 0 && (l.priced || rows[0].givesHints(head, rows[1:])) {
		a.hint = rows[0].texts
	}
	if len(rows) > 0 && (l.grid || l.Leading > 0 || a.numbered || a.typed || len(a.hint) > 0 ||
		len(a.pages) > 0 || a.mark != "" && len(rows) >= headRows) {
		return a
	}
	for _, r := range rows {
		if a.mark != "" && r.mark == a.mark || !r.blank && !r.broken && a.isNone(r) {
			return a
		}
	}
	return nil
}

// isTitled reports whether the record that stands right above the header has texts in the same columns as this one, which stands above the
// header once more.
func (l Layout) isTitled(above []row, r row) bool {
	title := len(above) - l.Header - 1
	return title >= 0 && l.Header > 0 && !above[title].blank && sameShape(above[title], r) && r.kinds[0] == word && onlyWords(above[title])
}

// isTitleOfPart reports whether the record, which stands above the header once more, is the title of a part: a text, and hardly anything
// beside it.
func (c columns) isTitleOfPart(r row, usual []bool) bool {
	if len(r.kinds) == 0 || r.kinds[0] != word {
		return false
	}
	return r.filled == 1 || r.width == c.width && r.filled <= unitCells && missing(usual, r) >= sumLacks
}

// hasNamedSums reports whether two records or more, of which none follows another one, sum up parts of the table by whatever name.
func (c columns) hasNamedSums(rows []row, usual []bool) bool {
	n, last := 0, false
	for _, r := range rows {
		if r.blank {
			continue
		}
		sum := c.isNamedSum(r, usual)
		if sum && !last {
			n++
		}
		last = sum
	}
	return n >= sectionTitles
}

// IsNone reports whether a record with these cells is no row of the table. Cells are UTF-8.
func (a *Among) IsNone(cells [][]byte) bool {
	if a.log {
		return a.isDirective(cells)
	}
	if a.mark != "" && len(cells) > 0 && bytes.HasPrefix(cells[0], []byte(a.mark)) {
		return columns{kinds: a.kinds, width: a.width}.isComment(gridRow(cells))
	}
	if a.numbered && len(cells) == a.width && len(cells[0]) <= len("(1)") && a.isNumbering(gridRow(cells)) {
		return true
	}
	if a.typed && a.isOfTypes(cells) {
		return true
	}
	if len(a.hint) > 0 && len(cells) > 0 && hash(bytes.TrimSpace(cells[0])) == a.hint[0] && a.isHint(gridRow(cells)) {
		return true
	}
	if a.sumAbove != 0 && len(cells) >= a.leading+a.width && hashOf(cells[a.leading:a.leading+a.width]) == a.sumAbove {
		return true
	}
	filled, first := 0, []byte(nil)
	for _, cell := range cells {
		if len(cell) > 0 {
			if filled++; filled == 1 {
				first = bytes.TrimSpace(cell)
			}
		}
	}
	if len(a.pages) > 0 && a.pages[hash(first)] && lacks(a.often, gridRow(cells)) {
		return true
	}
	valued := len(a.kinds) > 0 && a.kinds[0] > word && len(first) > 0 && (first[0] < '0' || first[0] > '9')
	known := len(a.titles) > 0 && a.titles[hash(first)] || len(a.results) > 0 && a.results[hash(first)] ||
		a.numberedParts == allTitles && filled == listCells
	if a.marked > 0 && a.marked < len(cells) && len(cells[a.marked]) > 0 && isSumWord(cells[a.marked]) && a.isMarkedSum(gridRow(cells)) {
		return true
	}
	if a.width < narrow || len(first) == 0 || filled > 1 && !mayBeNone(first) && !known && !(valued && (a.sums || isBalance(first))) {
		return false
	}
	if a.leading > 0 && len(cells) == a.leading+a.width {
		r := gridRow(cells)
		if filled == 1 && r.filledBehind(0) && !r.filledBehind(a.leading) { // no row has anything there
			return true
		}
		r.dropLeading(a.leading)
		return a.isNone(r)
	}
	for len(cells) > a.width && len(cells[len(cells)-1]) == 0 {
		cells = cells[:len(cells)-1]
	}
	r := gridRow(cells)
	if len(cells) < a.width && (a.grid || len(cells) > 1) {
		r.fit(a.width)
	}
	return a.isNone(r)
}

// isNumbering reports whether the record numbers the columns, as the first one below the header does.
func (a *Among) isNumbering(r row) bool { return isCount(r) || isLettered(r) }

// isOfTypes reports whether a record names the types of the columns, as the first one below the header does.
func (a *Among) isOfTypes(cells [][]byte) bool {
	named := 0
	for _, cell := range cells {
		switch cell = bytes.TrimSpace(cell); {
		case len(cell) == 0:
		case !isTypeName(cell):
			return false
		default:
			named++
		}
	}
	return named >= leastNumbered && share(named, seen(a.width)) >= headerFilled
}

// isDirective reports whether a record of a log is a line about it, which each start of the server adds. Other names begin another table.
func (a *Among) isDirective(cells [][]byte) bool {
	switch {
	case len(cells) == 0 || len(cells[0]) == 0 || cells[0][0] != '#':
		return false
	case bytes.HasPrefix(cells[0], []byte(W3CFields)), string(cells[0]) == zeekFields:
		return sameTexts(gridRow(cells), a.names)
	}
	return true
}

// mayBeNone reports whether a record of several cells of which this is the first one may be none of the table.
func mayBeNone(first []byte) bool {
	return isRuler(first) || isStroke(first) || isTotal(first) || isTotalOf(first) || isSubtotal(first) || isPartTotal(first) ||
		isCounting(first) || isMean(first)
}

func (a *Among) isNone(r row) bool {
	switch {
	case a.width < narrow:
		return false
	case r.page || r.filled == 1 && len(r.texts) > 0 && (a.above[r.texts[0]] || a.titles[r.texts[0]]):
		return true
	case r.width == 1 && r.filled == 1 && a.partNames[r.texts[0]]:
		return true
	case r.width != a.width:
		return false
	case r.filled == 1:
		isNote := a.full && a.width > narrow && r.note && r.kinds[0] != empty
		return isNote || a.titles[r.texts[0]] || a.parts == allTitles && r.kinds[0] == word
	case len(a.titles) > 0 && a.titles[r.texts[0]] && lacks(a.usual, r):
		return true
	case r.isDrawn() || a.numberedParts == allTitles && a.isNumberedTitle(r):
		return true
	}
	return a.isPart(r) || a.isMarkedSum(r) || a.counts(r) || len(r.texts) > 0 && a.results[r.texts[0]] && r.isResult(a.kinds)
}

// counts reports whether the record has nothing but a word for a number of records and that number, and lacks what nearly all records have.
func (a *Among) counts(r row) bool {
	return r.counting && r.filled == listCells && slices.Contains(r.kinds, number) && lacks(a.usual, r)
}

// isBalance reports whether the record has the name of a balance where the others have a value.
func (a *Among) isBalance(r row) bool {
	return r.namesBalance && r.kinds[0] == word && len(a.kinds) > 0 && a.kinds[0] > word
}

// isPart reports whether the record sums up a part of the table: it is named as such, has a number, and lacks what nearly
// all records have. Where all columns but one are numbers nothing can be missing, so only a word for nothing else will do.
func (a *Among) isPart(r row) bool {
	if a.sums && (columns{kinds: a.kinds, width: a.width}).isNamedSum(r, a.usual) {
		return true
	}
	mean := r.mean && r.kinds[0] == empty && lacks(a.usual, r)
	if !r.subtotal && !r.partTotal && !r.totalMore && !(r.total && r.totalFirst) && !a.isBalance(r) && !mean {
		return false
	}
	numbers, texts, others := 0, 0, 0
	for i, k := range a.kinds {
		if k != number {
			others++
		}
		switch {
		case i >= len(r.kinds) || r.kinds[i] == empty:
		case k == number && r.kinds[i] == number:
			numbers++
		case r.kinds[i] == word || isCode(r.kinds[i], r.kinds[i]): // World total,W1
			texts++
		}
	}
	if r.sumBehind && texts > 1 { // Subtotal, Sum
		texts--
	}
	named := a.kinds[0] > word && r.kinds[0] == word // where the others have a value
	inParts := a.groupSums && r.total && r.kinds[0] == empty || (len(a.titles) > 0 || a.partTotals) && r.total ||
		r.partTotal && a.partNames[r.part]
	alone := texts == 1 || texts == 0 && r.subtotal || // a star is none
		texts == narrow && r.totalMore && named && missing(a.usual, r) >= sumLacks // Total for the line,,3 calls
	return numbers > 0 && alone && (lacks(a.usual, r) || named || others == 1 && (r.subtotal || inParts))
}

// SumsPart reports whether the record sums up the part of the table that has this title: it has a name, which is a word for a sum with the
// title beside it, and numbers.
func SumsPart(cells [][]byte, title []byte) bool {
	return isPartTotal(cells[0]) && len(title) > 0 && bytes.Contains(bytes.ToLower(cells[0]), bytes.ToLower(title)) && IsComputed(cells)
}

// IsSum reports whether the record has a word for a sum, and numbers.
func IsSum(cells [][]byte) bool { return gridRow(cells[:1]).isSum() && IsComputed(cells) }

// IsComputed reports whether the record has a name first, and otherwise nothing but numbers.
func IsComputed(cells [][]byte) bool {
	numbers := 0
	for i, cell := range cells {
		switch k := kindOf(bytes.TrimSpace(cell)); {
		case i == 0 && k != word:
			return false
		case k == number:
			numbers++
		case i > 0 && k != empty:
			return false
		}
	}
	return numbers > 0
}
