package table

import (
	"iter"
	"slices"

	"sheetdrop/internal/sheet/csv"
	"sheetdrop/internal/sheet/dialect"
	"sheetdrop/internal/sheet/kind"
	"sheetdrop/internal/sheet/sums"
)

// sumAbove returns the hash of the first row's cells if it sums up all others of the table, which ends there, and says so by a word or
// lacks a cell that all others have; 0 otherwise.
//
//	Video,    Views,Hours
//	Total,    15302, 812.4
//	Soldering, 9120, 501.2
//	Cables,    6182, 311.2
func (b *bottom) sumAbove(end int) uint64 {
	first := 0
	for first < end && !b.isRow(first) {
		first++
	}
	if first == end || !b.body.mayAddUp(b.rows[first]) {
		return 0
	}
	r, below := b.rows[first], b.tableRows(first+1, end)
	c := columnKinds(below, b.Columns)
	if len(below) < sums.LeastRows || !r.totalFirst && !lacks(c.filledInOf(below, 1), r) {
		return 0
	}
	others := new(sums.Above).With(b.cellsOfTable(first+1, end))
	if !others.SummedUpBy(b.cells()[first], c.traitsOf(r, r.totalFirst, false)) {
		return 0
	}
	return hashOf(b.cells()[first])
}

// sumsOfParts returns the hashes of the cells of rows that have a word for a sum and sum up those above them, even if they lack nothing;
// none if none of these is of several rows.
//
//	Wages,      21000,22500
//	Security,    4300, 4610
//	Total staff,25300,27110
func (b *bottom) sumsOfParts() textSet {
	found, certain := textSet{}, false
	if len(b.rows) >= headRows || !slices.ContainsFunc(b.rows, row.isSum) {
		return found
	}
	var p sums.Parts
	for i, r := range b.rows {
		if r.broken || r.width != b.Columns {
			continue
		}
		if isSum, several := p.See(b.cells()[i], sums.Plain); isSum {
			found[hashOf(b.cells()[i])] = true
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
		sc := s.Scanner(csv.NewText(s.text), sampleBytes)
		for len(rows) > 0 {
			rec, err := sc.Next()
			if err != nil {
				return
			}
			if rec.Line != rows[0].line {
				continue
			}
			rows = rows[1:]
			var cells [][]byte
			for _, f := range rec.Fields[min(len(rec.Fields), s.from+l.Leading):] {
				cells = append(cells, rec.Raw[f.Start:f.End])
			}
			if !yield(cells[:min(len(cells), l.Columns)]) {
				return
			}
		}
	}
}
