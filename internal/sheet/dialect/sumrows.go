package dialect

import (
	"iter"
	"slices"

	"sheetdrop/internal/sheet/csv"
)

// sumOfAll returns the line of the last row above the footer, if it sums up all rows above it, and 0 otherwise. The text is one sample, and
// rows are those below the header.
func (l Layout) sumOfAll(text []byte, d Dialect, h Hints, rows []row, body columns) int64 {
	rows = rowsBefore(rows, l.FooterLine, 0)
	for len(rows) > 0 && rows[len(rows)-1].blank {
		rows = rows[:len(rows)-1]
	}
	if len(rows) <= leastSummed || len(rows) >= headRows || l.Columns < narrow || !body.mayAddUp(rows[len(rows)-1]) {
		return 0
	}
	last, rows := rows[len(rows)-1], l.ofTable(rows[:len(rows)-1])
	for cells := range l.cellsOf(text, d, h, []row{last}) {
		if columnKinds(rows, l.Columns).sumsUp(cells, l.cellsOf(text, d, h, rows), last.isSum() || last.hasSumWord) {
			return last.line
		}
	}
	return 0
}

// ofTable returns those of the rows that are not left out among the others.
func (l Layout) ofTable(rows []row) []row {
	return slices.DeleteFunc(slices.Clone(rows), func(r row) bool {
		return r.blank || r.broken || r.width != l.Columns || l.Among != nil && l.Among.isNone(r)
	})
}

// belowAddends returns the line of a total below the table, if right above it are rows with few cells that it includes, and that are no
// taxes or the like; 0 if there are none. rows are those below the header.
//
//	Rent,       800,800,800,2400
//	Bonus,         ,   ,   , 500
//	Grand Total,   ,   ,   ,2900
func (l Layout) belowAddends(text []byte, d Dialect, h Hints, rows []row, body columns) int64 {
	from := len(rowsBefore(rows, l.FooterLine, 0))
	end := from
	for end < len(rows) && end < from+maxAddends && body.mayBeAdded(rows[end]) {
		end++
	}
	if from == 0 || rows[from-1].blank || end == from || end == len(rows) || len(rows) >= headRows || !rows[end].total {
		return 0
	}
	for cells := range l.cellsOf(text, d, h, rows[from:end]) {
		if len(cells) == 0 || isExtra(cells[0]) {
			return 0
		}
	}
	for cells := range l.cellsOf(text, d, h, rows[end:end+1]) {
		s, ok := adding(cells, l.cellsOf(text, d, h, l.ofTable(rows[:end])))
		if s.told = true; ok && (s.holds(point) || s.holds(comma)) {
			return rows[end].line
		}
	}
	return 0
}

// mayBeAdded reports whether the record has a name in a first column of texts, and otherwise numbers alone, and no word for a sum.
func (c columns) mayBeAdded(r row) bool {
	if r.blank || r.broken || r.width != c.width || len(r.kinds) == 0 || r.kinds[0] != word || c.kinds[0] != word || !c.namesNumbers(r) {
		return false
	}
	return !r.isSum() && !r.extreme && !r.counting && !r.result && !r.namesBalance && !r.note
}

// mayAddUp reports whether the record has one text at most and a number in a column of numbers.
func (c columns) mayAddUp(r row) bool {
	if r.broken || r.width != c.width || len(r.kinds) != len(c.kinds) {
		return false
	}
	texts, numbers := 0, 0
	for i, k := range r.kinds {
		switch {
		case k == number && c.kinds[i] == number:
			numbers++
		case k != empty && k != number && k != moment:
			texts++
		}
	}
	return texts <= 1 && numbers > 0
}

// cellsOf returns the cells of the rows, which are in the order of the text.
func (l Layout) cellsOf(text []byte, d Dialect, h Hints, rows []row) iter.Seq[[][]byte] {
	return func(yield func([][]byte) bool) {
		sc, cells := d.scanner(csv.NewText(text), sampleBytes), [][]byte(nil)
		for len(rows) > 0 {
			rec, err := sc.Next()
			if err != nil {
				return
			}
			if rec.Line != rows[0].line {
				continue
			}
			rows, cells = rows[1:], cells[:0]
			for _, f := range rec.Fields[min(len(rec.Fields), h.From+l.Leading):] {
				cells = append(cells, rec.Raw[f.Start:f.End])
			}
			if !yield(cells[:min(len(cells), l.Columns)]) {
				return
			}
		}
	}
}
