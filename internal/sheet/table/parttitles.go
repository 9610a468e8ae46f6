package table

import (
	"bytes"
	"maps"
	"slices"

	"sheetdrop/internal/sheet/kind"
)

// partTitles tells which rows are titles of parts of the table, in each of the places where these may stand.
type partTitles struct {
	first  titledParts // texts alone in the first column
	names  textSet     // the hashes of these
	strong bool        // they are bold or coloured as most rows are not
	totals bool        // the parts end with rows that are named Total

	aside  titledParts // texts alone in another column
	column int         // that column

	grouped bool // values alone above rows that the workbook has grouped below them

	numbered titledParts   // texts behind a number, or days behind a text
	fuller   fullerColumns // the columns without these
}

// partTitles finds the titles of parts among the rows; strong tells the looks of a worksheet's first rows.
func (c columns) partTitles(rows []row, strong []bool) (p partTitles) {
	p.first, p.names, p.strong = c.titlesFirst(joinTitles(rows, strong))
	p.totals = p.first == allTitles && endInTotals(rows, p.names)
	p.aside, p.column = c.titlesAside(rows, strong)
	p.grouped = headGroups(rows)
	p.numbered, p.fuller = c.numberedTitles(rows, strong)
	return p
}

// takeTitleAbove finds the titles of parts of which the first stands right above the header: two more stand among the rows, or one that
// looks like it.
//
//	North,  ,
//	no,item,price
//	1, rope,18.00
//	South,  ,
//	2, cart,49.50
func (l Layout) takeTitleAbove(p *partTitles, above, rows []row, strong []bool) {
	at := len(above) - l.Header - 1
	for at > 0 && above[at].blank {
		at--
	}
	if l.Header == 0 || at < 0 || above[at].blank || !above[at].isTitle() {
		return
	}
	title, more, alike := above[at], 0, false
	for i, r := range rows {
		if r.isTitle() && pastBlank(rows, i+1) < len(rows) {
			more++
			alike = alike || r.looksLike(title)
		}
	}
	if more < sectionTitles && !alike {
		return
	}
	if l.grid {
		title.fit(l.Columns)
	}
	first, names, areStrong := l.body.titlesFirst(joinTitles(append([]row{title}, rows...), append([]bool{false}, strong...)))
	if first == allTitles {
		p.first, p.names, p.strong, p.totals = first, names, areStrong, endInTotals(rows, names)
	}
}

// looksLike reports whether both are a word and a number, such as Store 12 and Store 15, or end with a colon, or have one inside.
func (r row) looksLike(other row) bool {
	return r.series != 0 && r.series == other.series || r.setting && other.setting || r.keyed && other.keyed
}

// joinTitles removes the blank row below each text that stands alone between blank rows, or first, so that it stands right above its part.
func joinTitles(rows []row, strong []bool) (joined []row, looks []bool) {
	isBelowTitle := func(i int) bool {
		begins := i == 1 || i > 1 && rows[i-2].blank
		return rows[i].blank && begins && rows[i-1].isTitle() && i+1 < len(rows) && rows[i+1].filled > 1
	}
	from := 0
	for i := range rows {
		if isBelowTitle(i) {
			joined, looks = append(joined, rows[from:i]...), append(looks, strong[min(from, len(strong)):min(i, len(strong))]...)
			from = i + 1
		}
	}
	if from == 0 {
		return rows, strong
	}
	return append(joined, rows[from:]...), append(looks, strong[min(from, len(strong)):]...)
}

// may reports whether a row that is strong, or not, may be such a title.
func (p partTitles) may(strong bool) bool {
	return p.first.may(strong) || p.aside.may(strong) || p.numbered.may(strong)
}

// HasParts reports whether parts of the table have titles.
func (f *Filter) HasParts() bool { return f.parts.may(true) || f.parts.grouped }

// HasStrongTitles reports whether these are bold or coloured as most rows are not.
func (f *Filter) HasStrongTitles() bool { return f.parts.strong || f.parts.numbered == strongTitles }

// TitleOf returns the title of a part of the table, if it is a row with these cells, which is strong if it is bold or coloured, and heads
// if the next one is grouped below it.
func (f *Filter) TitleOf(cells [][]byte, strong, heads bool) (title []byte, ok bool) {
	filled, _ := firstFilled(cells)
	if filled != 1 && filled != listCells || !f.parts.may(strong) && !(heads && f.parts.grouped) {
		return nil, false
	}
	r := gridRow(cells)
	r.heads = heads
	if filled == listCells {
		r.fit(f.width)
	}
	if !f.isTitle(r, strong) {
		return nil, false
	}
	first := func(cell []byte) bool { return len(bytes.TrimSpace(cell)) > 0 }
	if filled == listCells { // the first one is its number, or when it is
		return cells[1+slices.IndexFunc(cells[1:], first)], true
	}
	return cells[slices.IndexFunc(cells, first)], true
}

// without returns the rows without the titles of parts, which tell nothing of the columns.
func (f *Filter) without(rows []row, strong []bool) []row {
	if f == nil {
		return rows
	}
	list := make([]row, 0, len(rows))
	for i, r := range rows {
		if r.blank || !f.isTitle(r, i < len(strong) && strong[i]) {
			list = append(list, r)
		}
	}
	return list
}

// isTitle is TitleOf for a row of which more is known.
func (f *Filter) isTitle(r row, strong bool) bool {
	p := f.parts
	switch {
	case r.filled == 1 && p.grouped && r.heads:
		return true
	case r.filled == 1 && p.first.may(strong) && r.kinds[0] != kind.Empty:
		return p.first != valueTitles && r.isTitle() || p.first != allTitles && r.isValueAlone()
	case r.filled == 1 && p.aside.may(strong):
		return r.alone() == p.column
	}
	return r.filled == listCells && p.numbered.may(strong) && r.kinds[0] != kind.Empty && p.isNumberedTitle(r)
}

// may reports whether a row that is strong, or not, may be such a title.
func (t titledParts) may(strong bool) bool {
	return t == allTitles || t == valueTitles || t == strongTitles && strong
}

// headGroups reports whether values alone are titles of parts because the workbook has grouped the rows below them. Two stand alone above
// rows of their groups. Most others have more cells, since a list of tasks may group what is not filled in yet.
//
//	Item,Price
//	Phones
//	  Acme
//	    A1,120
//	    A2,140
func headGroups(rows []row) bool {
	titles, alone, fuller := 0, 0, 0
	for _, r := range rows {
		switch {
		case r.blank || r.broken:
		case r.filled > 1:
			fuller++
		case r.heads:
			titles++
		default:
			alone++
		}
	}
	return titles >= sectionTitles && fuller > alone
}

// endInTotals reports whether two parts or more that begin with these titles end with a row that is named Total.
func endInTotals(rows []row, titles textSet) bool {
	n, total := 0, false
	for _, r := range rows {
		switch {
		case r.blank:
			continue
		case total && r.isTitle() && titles[r.texts[0]]:
			n++
		}
		total = r.total && r.totalFirst && r.filled > 1
	}
	return n >= sectionTitles
}

// results returns the hashes of the names of what is computed of several parts. Two parts or more end with sums that name their titles. A
// record with a name such as Net income and numbers stands right below one of these, or below another such record, or last, and nowhere
// else.
//
//	Income,      ,
//	Design,      1200.00
//	Total Income,1200.00
//	Gross Profit,1200.00
//	Expenses,    ,
//	Fuel,        96.40
//	Total Expenses,96.40
//	Net Income,  1103.60
func (c columns) results(rows []row, titles textSet) textSet {
	names, others, sums, below := textSet{}, textSet{}, 0, false
	last := aboveTexts(rows) - 1
	for i, r := range rows {
		switch {
		case r.blank || r.width != c.width:
		case r.partTotal && titles[r.part]:
			sums, below = sums+1, true
		case !r.isResult(c.kinds):
			below = false
		case below || i == last:
			names[r.texts[0]] = true
		default:
			others[r.texts[0]] = true
		}
	}
	if sums < sectionTitles {
		return nil
	}
	maps.DeleteFunc(names, func(name uint64, _ bool) bool { return others[name] })
	return names
}

// isResult reports whether the record is named as what is computed of several parts, and has nothing else but numbers.
func (r row) isResult(kinds []kind.Kind) bool {
	return r.result && len(r.kinds) == len(kinds) && columns{kinds: kinds}.namesNumbers(r)
}
