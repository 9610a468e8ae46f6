package table

import (
	"iter"
	"slices"

	"sheetdrop/internal/sheet/csv"
	"sheetdrop/internal/sheet/dialect"
	"sheetdrop/internal/sheet/kind"
	"sheetdrop/internal/sheet/sums"
)

// sumOfAll returns the line of the last of the rows, if it sums up all rows above it, and 0 otherwise. Others may follow it.
func (l Layout) sumOfAll(s source, rows []row) int64 {
	if l.Columns < narrow {
		return 0
	}
	for n := len(rows) - 1; n >= sums.LeastRows && n >= len(rows)-maxFooter; n-- {
		last := rows[n]
		if l.body.mayAddUp(last) && l.sumOf(s, l.ofTable(rows[:n]), last, last.isSum() || last.hasSumWord) != nil {
			return last.line
		}
		if !l.body.followsSum(last) {
			return 0
		}
	}
	return 0
}

// followsSum reports whether the record may stand below the sum of all rows: it has nothing but a name and numbers. They have a value
// first, or it names a part of the sum, or it lacks what nearly all rows above the last ones of this kind have.
func (c columns) followsSum(r row) bool {
	if len(c.kinds) == 0 { // no columns are known
		return false
	}
	follows := func(r row) bool {
		return r.width == c.width && !r.broken && r.isNameWithNumbers()
	}
	above := c.rows
	for n := len(above); n > 0 && (above[n-1].filled <= 1 || above[n-1].filled < c.width && follows(above[n-1])); n = len(above) {
		above = above[:n-1]
	}
	hasShape := func(other row) bool { return !other.isSum() && sameShape(other, r) }
	if !follows(r) {
		return false
	}
	return c.kinds[0] > kind.Word || r.ofWhich || lacks(c.filledInOf(above, nearlyAlways), r) && !slices.ContainsFunc(above, hasShape)
}

// FollowsSum is followsSum of a worksheet's row.
func (l Layout) FollowsSum(cells [][]byte) bool {
	r := gridRow(cells)
	r.fit(l.Columns)
	return l.body.followsSum(r)
}

// sumAbove returns the hash of the first row's cells if it sums up all others, and says so by a word or lacks a cell that all others have;
// 0 otherwise.
//
//	Video,    Views,Hours
//	Total,    15302, 812.4
//	Soldering, 9120, 501.2
//	Cables,    6182, 311.2
func (l Layout) sumAbove(s source, rows []row) uint64 {
	if rows = l.ofTable(rows); len(rows) <= sums.LeastRows || l.Columns < narrow || !l.body.mayAddUp(rows[0]) {
		return 0
	}
	first := rows[0]
	if !first.totalFirst && !lacks(columnKinds(rows[1:], l.Columns).filledInOf(rows[1:], 1), first) {
		return 0
	}
	if cells := l.sumOf(s, rows[1:], first, first.totalFirst); cells != nil {
		return hashOf(cells)
	}
	return 0
}

// sumOf returns the cells of a record if it sums up the rows, and nil otherwise; named says that a word says so.
func (l Layout) sumOf(s source, rows []row, sum row, named bool) [][]byte {
	for cells := range l.cellsOf(s, []row{sum}) {
		above := new(sums.Above).With(l.cellsOf(s, rows))
		if above.SummedUpBy(cells, columnKinds(rows, l.Columns).traitsOf(cells, named, false)) {
			return cells
		}
	}
	return nil
}

// SumsUp reports whether a worksheet's row sums up all rows above it, whatever it is called. strong says that it is bold or coloured, as no
// row above is.
func (l Layout) SumsUp(last [][]byte, above sums.Above, strong bool) bool {
	r := gridRow(last)
	return above.SummedUpBy(last, l.body.traitsOf(last, r.isSum() || r.hasSumWord, strong))
}

// traitsOf returns what tells of a record below these columns, beside its numbers, that it may sum up all rows.
func (c columns) traitsOf(cells [][]byte, named, strong bool) sums.Traits {
	r := gridRow(cells)
	r.fit(c.width)
	valued := len(c.kinds) > 0 && c.kinds[0] > kind.Word
	return sums.Traits{Named: named, Strong: strong, Lacks: lacks(c.filledColumns(), r), ValueFirst: valued, FirstFull: isFilled(c.rows)}
}

// sumsOfParts returns the hashes of the cells of rows that have a word for a sum and sum up those above them, even if they lack nothing;
// none if none of these is of several rows. rows are those below the header.
//
//	Wages,      21000,22500
//	Security,    4300, 4610
//	Total staff,25300,27110
func (l Layout) sumsOfParts(s source, rows []row) map[uint64]bool {
	found, certain := map[uint64]bool{}, false
	other := func(r row) bool { return r.blank || r.broken || r.width != l.Columns }
	if rows = slices.DeleteFunc(slices.Clone(rows), other); len(rows) >= headRows || !slices.ContainsFunc(rows, row.isSum) {
		return found
	}
	var p sums.Parts
	for cells := range l.cellsOf(s, rows) {
		if isSum, several := p.See(cells, sums.Plain); isSum {
			found[hashOf(cells)] = true
			certain = certain || several
		}
	}
	if !certain {
		clear(found)
	}
	return found
}

// hashOf returns the hash of a record's cells.
func hashOf(cells [][]byte) uint64 {
	h := noText
	for _, cell := range cells {
		h = h*31 + hash(cell)
	}
	return h
}

// ofTable returns those of the rows that are not left out among the others.
func (l Layout) ofTable(rows []row) []row {
	return slices.DeleteFunc(slices.Clone(rows), func(r row) bool {
		return r.blank || r.broken || r.width != l.Columns || l.Filter != nil && l.Filter.drops(r)
	})
}

// belowAddends is sums.BelowAddends for a text: it returns the line of such a total, or 0. rows are those below the header.
func (l Layout) belowAddends(s source, rows []row) int64 {
	end := len(rowsBefore(rows, l.FooterLine, 0))
	if end == 0 || end == len(rows) || rows[end-1].blank {
		return 0
	}
	above := l.ofTable(rows[:end])
	at := end + sums.BelowAddends(l.cellsOf(s, slices.Concat(above, rows[end:])), len(above)) - len(above)
	other := func(r row) bool {
		return r.broken || r.width != l.body.width || !r.isNameWithNumbers() || r.kinds[0] != kind.Empty && l.body.kinds[0] > kind.Word
	}
	if at == end || slices.ContainsFunc(rows[end:at], other) {
		return 0
	}
	return rows[at].line
}

// mayAddUp reports whether the record has one text at most and a number in a column of numbers.
func (c columns) mayAddUp(r row) bool {
	if r.broken || r.width != c.width || len(r.kinds) != len(c.kinds) {
		return false
	}
	texts, numbers := 0, 0
	for i, k := range r.kinds {
		switch {
		case k == kind.Number && c.kinds[i] == kind.Number:
			numbers++
		case k != kind.Empty && k != kind.Number && k != kind.Moment && (texts == 0 || i != int(r.sumAt)):
			texts++
		}
	}
	return texts <= 1 && numbers > 0
}

// source is a whole text, of which rows keep no cells: those that add numbers up read it once more.
type source struct {
	text []byte
	dialect.Dialect
	from int // the first cell of each record that is looked at
}

// source returns the whole text of which there is one sample.
func (h Hints) source() source { return source{h.samples[0].Text, h.dialect, h.From} }

// cellsOf returns the cells of the rows, which are in the order of the text.
func (l Layout) cellsOf(s source, rows []row) iter.Seq[[][]byte] {
	return func(yield func([][]byte) bool) {
		sc, cells := s.Scanner(csv.NewText(s.text), sampleBytes), [][]byte(nil)
		for len(rows) > 0 {
			rec, err := sc.Next()
			if err != nil {
				return
			}
			if rec.Line != rows[0].line {
				continue
			}
			rows, cells = rows[1:], cells[:0]
			for _, f := range rec.Fields[min(len(rec.Fields), s.from+l.Leading):] {
				cells = append(cells, rec.Raw[f.Start:f.End])
			}
			if !yield(cells[:min(len(cells), l.Columns)]) {
				return
			}
		}
	}
}
