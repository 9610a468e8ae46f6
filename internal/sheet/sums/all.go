package sums

import (
	"bytes"
	"math"
	"slices"

	"sheetdrop/internal/sheet/kind"
	"sheetdrop/internal/sheet/words"
)

// Traits are what tells of a record, beside its numbers, that it may sum up all rows above it.
type Traits struct {
	Named      bool // a word says so
	Strong     bool // it is bold or coloured, as nothing above is
	Lacks      bool // it lacks a column in which nearly all rows have a value
	ValueFirst bool // the first column has values
	FirstFull  bool // all rows have a first cell
}

// SummedUpBy reports whether a record sums up all rows above it: it has one text at most, and each of its numbers is the sum of its column.
// There are two such numbers, or one where the first cell is empty. Other numbers may be averages where something else tells a sum, too:
//   - the record has a text where the others have a value, or none where all have one, or it lacks what nearly all have;
//   - it is strong, or a word says that it is a sum;
//   - or three sums with twice as many digits as are enough stand beside a single other number.
//
// An average lies between the least and the greatest number of its column.
//
//	Lap,   Time, Metres,Pace,Pulse
//	1,     6:10, 1200,  5:08,138
//	2,     6:02, 1250,  4:50,144
//	In all,12:12,2450,  4:59,141
func (a *Above) SummedUpBy(last [][]byte, t Traits) bool {
	s, ok := adding(last, a)
	if !ok {
		return false
	}
	first := kind.Of(last[0])
	s.labelled, s.named, s.strong = first != kind.Empty, t.Named, t.Strong
	s.other = (first == kind.Word || first == kind.Moment) && (t.Strong || t.Lacks)
	s.keyed = first == kind.Word && (t.ValueFirst || t.Named) || first == kind.Empty && t.FirstFull
	return slices.ContainsFunc(bothReadings, func(r int) bool {
		spans := t.ValueFirst && first == kind.Word && s.spans(r)
		return s.holds(r) || s.texts == 1 && (s.averages(r) || r == point && s.counts(r) || spans)
	})
}

// addition is a record that may be a sum, with what its columns have above it.
type addition struct {
	columns  []addend
	texts    int
	labelled bool // its first cell is not empty
	named    bool // a word says that it is a sum
	strong   bool // it is bold or coloured, as nothing above is
	keyed    bool // it is a text where the others have a value, or the other way round, or a word for a sum
	other    bool // it is a text, and the record lacks a column in which nearly all others have a value, or looks otherwise
}

type addend struct {
	column int
	last   figure
	total  // of the cells above
}

// adding makes an addition of a record that has numbers, and one text at most, and of what stands above it.
func adding(last [][]byte, above *Above) (s addition, ok bool) {
	for i, cell := range last {
		if cell = bytes.TrimSpace(cell); len(cell) == 0 {
			continue
		}
		f, ok := figureOf(cell)
		if k := kind.Of(cell); !ok && (k == kind.Empty || k == kind.Moment) { // a word for no value, or a day
			continue
		}
		if !ok {
			total, subtotal := words.ReadSumWord(cell)
			if s.texts > 0 && !total && !subtotal { // 12 boxes, Total
				return s, false
			}
			s.texts = 1
			continue
		}
		s.columns = append(s.columns, addend{i, f, above.columns.of(i)})
	}
	return s, len(s.columns) > 0 && above.IsKnown()
}

// holds reports whether the record sums up the rows, read in one way.
func (s addition) holds(reading int) bool {
	summed, others, most, digits, whole, counted := 0, 0, 0, 0, false, false
	for _, a := range s.columns {
		v := a.last.value[reading]
		if a.n == 0 || math.IsNaN(v) {
			return false
		}
		most = max(most, a.n)
		switch mixed := a.min[reading] < 0 && a.max[reading] > 0; {
		case a.countsOn(reading):
			counted = true
		case mixed && s.labelled && !s.keyed && a.equals(a.last, reading): // what is left of a statement is one of its lines
			return false
		case a.equals(a.last, reading):
			if v != 0 && a.n > 1 {
				summed++
				digits += a.last.digits
				whole = whole || a.isWhole(reading)
			}
		case v < a.min[reading] || v > a.max[reading] || math.IsNaN(a.sum[reading]):
			return false
		default:
			others++
		}
	}
	if others > 0 && !s.keyed && !s.other && (others > 1 || summed < severalSums || digits < 2*sumDigits) {
		return false
	}
	least := sumDigits
	if s.named || s.strong || s.keyed && !s.labelled {
		least = bareDigits
	}
	return most >= LeastRows && (digits >= least || whole && summed > 1) &&
		(summed > 1 || summed == 1 && (!s.labelled || s.keyed || counted && s.named))
}

// isWhole reports whether the sum is the whole of which all above are shares: 1, or 100 %.
func (a *addend) isWhole(reading int) bool {
	v := a.last.value[reading]
	return a.min[reading] >= 0 && a.max[reading] < v && (v == 1 || a.last.share && v == 100)
}

// spans reports whether each of the record's numbers is how far the least and the greatest number of its column are apart, three or more of
// which do not begin with nothing.
//
//	Day,       Meter 1,Meter 2,Meter 3
//	2024-12-31,1520,   880,    2110
//	2025-12-31,1992,   1120,   2748
//	Used,      472,    240,    638
func (s addition) spans(reading int) bool {
	apart, digits := 0, 0
	for _, a := range s.columns {
		if !(math.Abs(a.max[reading]-a.min[reading]-a.last.value[reading]) <= 1e-9) || a.n < leastApart {
			return false
		}
		if a.min[reading] > 0 {
			apart++
			digits += a.last.digits
		}
	}
	return apart >= severalSums && digits >= sumDigits
}

// countsOn reports whether the first column numbers the rows from 1 on, and so the record as well.
//
//	13,Harbour,1204,880
//	14,Mill,    930,412
//	15,All,   17308,9046
func (a *addend) countsOn(reading int) bool {
	n := float64(a.n)
	return a.column == 0 && a.min[reading] == 1 && a.max[reading] == n && a.last.value[reading] == n+1 && a.sum[reading] == n*(n+1)/2
}

// averages reports whether each of the record's numbers, three or more in columns that differ, is the average of its column, read in
// one way.
func (s addition) averages(reading int) bool {
	same, digits := 0, 0
	for _, a := range s.columns {
		if a.n < LeastRows || !a.isMean(a.last, reading) {
			return false
		}
		if a.differ(reading) {
			same++
			digits += a.last.digits
		}
	}
	return same >= severalSums && digits >= sumDigits
}

// counts reports whether the record's numbers, two or more in columns that have none, say how many cells there are filled, and the others
// are sums.
//
//	Name,   2 April,9 April,Times
//	Abt,    x,      x,      2
//	Beil,   x,      ,       1
//	Christ, ,       x,      1
//	Present,2,      2,      4
func (s addition) counts(reading int) bool {
	counted := 0
	for _, a := range s.columns {
		v := a.last.value[reading]
		switch {
		case a.n > 0 && !a.equals(a.last, reading), a.n == 0 && v != float64(a.filled):
			return false
		case a.n == 0 && a.filled > 0:
			counted++
		}
	}
	return counted >= narrow
}
