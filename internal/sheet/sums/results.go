package sums

import (
	"bytes"
	"math"
	"slices"

	"sheetdrop/internal/sheet/kind"
	"sheetdrop/internal/sheet/words"
)

// sumsSoFar are the numbers of the last sums among the rows, from which the last row may be computed.
type sumsSoFar struct {
	last, before totals // of the last sum, and of the one before it
	above        totals // of the row right above, if it is none
}

// IsResult reports whether the last row, which has a name and numbers, is computed where others are sums: it sums up all rows; it is what
// is left of the last two sums, or of the row right above and the last sum, unless a sum below, as sumBelow has it, includes it; or right
// below the last sum it is one and the same share of each of its numbers.
//
//	Total income, 41250,39800
//	Total costs,  38110,37420
//	What remains,  3140, 2380
func (p *Parts) IsResult(cells [][]byte, sumBelow bool) bool {
	s := p.sumsSoFar
	if s.last.isEmpty() || !IsComputed(cells) {
		return false
	}
	ofAll, several := p.whole.match(cells, sumDigits)
	switch {
	case ofAll && several:
		return true
	case s.above.isEmpty() && s.last.areSharedBy(cells):
		return true
	case sumBelow:
		return false
	}
	return slices.ContainsFunc([]totals{s.before, s.above}, func(other totals) bool {
		if other.isEmpty() {
			return false
		}
		more, _ := other.plus(s.last, -1).match(cells, sumDigits)
		less, _ := s.last.plus(other, -1).match(cells, sumDigits)
		return more || less
	})
}

// isSumWith reports whether the row is the last sum and what stands since then.
//
//	Total debts,  31110
//	Capital,       9700
//	Total of both,40810
func (s *sumsSoFar) isSumWith(since totals, cells [][]byte) bool {
	if s.last.isEmpty() || since.isEmpty() {
		return false
	}
	ok, _ := s.last.plus(since, 1).match(cells, sumDigits)
	return ok
}

// takeSum takes a row that is a sum.
func (s *sumsSoFar) takeSum(cells [][]byte) {
	s.before, s.last = s.last, s.before[:0]
	s.last.addCells(cells)
	s.above = s.above[:0]
}

// takeRow takes any other row.
func (s *sumsSoFar) takeRow(cells [][]byte) {
	if !s.last.isEmpty() {
		s.above = s.above[:0]
		s.above.addCells(cells)
	}
}

// areClosedBy reports whether the record is named as a closing balance and has one number: that is what the totals are in its column, or
// have more or less there than in another one. It also says whether these are of several rows.
//
//	1200 Bank
//	Opening balance,5200,
//	Customer,        300,
//	Rent,               ,950
//	Closing balance,4550,
func (t totals) areClosedBy(cells [][]byte) (ok, several bool) {
	first := slices.IndexFunc(cells, func(cell []byte) bool { return len(cell) > 0 })
	if first < 0 || !words.ClosesAccount(bytes.TrimSpace(cells[first])) || !IsComputed(cells[first:]) {
		return false, false
	}
	column := slices.IndexFunc(cells, func(cell []byte) bool { return kind.Of(bytes.TrimSpace(cell)) == kind.Number })
	last, isFigure := figureOf(bytes.TrimSpace(cells[column]))
	others := slices.ContainsFunc(cells[column+1:], func(cell []byte) bool { return len(cell) > 0 })
	if others || !isFigure || last.digits < bareDigits {
		return false, false
	}
	own := t.of(column)
	last.value[point] = math.Abs(last.value[point])
	for i, other := range t {
		if i == column {
			other = total{}
		}
		left := total{n: own.n + other.n}
		left.sum[point] = math.Abs(own.sum[point] - other.sum[point])
		if left.equals(last, point) {
			return true, left.n > 1
		}
	}
	return false, false
}

// areSharedBy reports whether the row's numbers, three or more, are one and the same share of the totals, of which three differ.
//
//	Subtotal,     17800,47000, 9400
//	Overhead 10 %, 1780, 4700,  940
func (t totals) areSharedBy(cells [][]byte) bool {
	part, whole, digits, numbers := 0.0, 0.0, 0, map[float64]bool{}
	cells = cells[:min(seen(cells), len(t))]
	for column, cell := range cells {
		f, ok := figureOf(bytes.TrimSpace(cell))
		if of := t[column].sum[point]; ok && of > whole {
			part, whole = f.value[point], of
		}
	}
	for column, cell := range cells {
		f, ok := figureOf(bytes.TrimSpace(cell))
		if !ok {
			continue
		}
		of := t[column].sum[point]
		if !(math.Abs(of*part/whole-f.value[point]) <= math.Pow10(-min(f.decimals[point], centDecimals))/2) {
			return false
		}
		numbers[of] = true
		digits += f.digits
	}
	return len(numbers) >= severalSums && digits >= sumDigits && 0 < part && part < whole
}

// centDecimals are those of a share of an amount, which is rounded.
const centDecimals = 2
