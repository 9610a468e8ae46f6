package sums

import (
	"bytes"
	"math"

	"sheetdrop/internal/sheet/kind"
)

// The two ways to read the marks of a number: the decimals stand behind a point, or behind a comma.
const (
	point = iota
	comma
	readings
)

var bothReadings = []int{point, comma}

// figure is what a cell is worth in both readings; NaN in one that its marks rule out.
type figure struct {
	value    [readings]float64
	decimals [readings]int
	digits   int // without zeros at both ends
	share    bool
}

// figureOf returns what a cell is worth that is a number, or minutes and seconds.
func figureOf(cell []byte) (f figure, ok bool) {
	switch k := kind.Of(cell); {
	case k == kind.Moment:
		return clockFigure(cell)
	case k != kind.Number || bytes.ContainsAny(cell, "eE"):
		return f, false
	}
	var m marked
	for _, r := range string(cell) {
		m.read(r)
	}
	return m.figure(), true
}

// marked is a number as far as it was read: its digits, and the marks among them.
type marked struct {
	whole         float64 // of all digits
	digits, zeros int     // without zeros in front, and zeros at the end
	negative      bool
	share         bool
	marks, behind [readings]int // marks of decimals, and digits behind the last one
}

func (m *marked) read(r rune) {
	switch {
	case r >= '0' && r <= '9':
		m.whole = m.whole*10 + float64(r-'0')
		m.behind[point]++
		m.behind[comma]++
		if m.digits > 0 || r != '0' {
			m.digits++
		}
		if m.zeros++; r != '0' {
			m.zeros = 0
		}
	case r == '.':
		m.marks[point]++
		m.behind[point] = 0
	case r == ',':
		m.marks[comma]++
		m.behind[comma] = 0
	case r == '(' || kind.IsSign(r) && r != '+':
		m.negative = true
	case r == '%':
		m.share = true
	}
}

// figure returns what the number is worth.
func (m *marked) figure() figure {
	f := figure{digits: max(0, m.digits-m.zeros), share: m.share}
	if m.negative {
		m.whole = -m.whole
	}
	for i := range readings {
		switch m.marks[i] {
		case 0:
			f.value[i], f.decimals[i] = m.whole, exactDecimals
		case 1:
			f.value[i], f.decimals[i] = m.whole/math.Pow10(m.behind[i]), min(m.behind[i], exactDecimals)
		default:
			f.value[i] = math.NaN()
		}
	}
	return f
}

// exactDecimals are those of a sum without any: then it is exact.
const exactDecimals = 6

// clockFigure returns how many of the smallest unit a time has, as 1:02:10 and 58:07.
func clockFigure(cell []byte) (f figure, ok bool) {
	value, part, digits := 0.0, 0.0, 0
	for _, c := range cell {
		switch {
		case c >= '0' && c <= '9':
			part = part*10 + float64(c-'0')
			digits++
		case c == ':' && digits > 0:
			value, part, ok = (value+part)*60, 0, true
		default:
			return f, false
		}
	}
	value += part
	return figure{[readings]float64{value, value}, [readings]int{exactDecimals, exactDecimals}, digits, false}, ok
}

// total is what stands in a column, and adds up to.
type total struct {
	filled        int // cells that are not empty
	n             int // numbers
	sum, min, max [readings]float64
}

func (t *total) add(f figure) {
	if t.n == 0 {
		t.min, t.max = f.value, f.value
	}
	t.n++
	for r, v := range f.value {
		t.sum[r] += v
		t.min[r], t.max[r] = math.Min(t.min[r], v), math.Max(t.max[r], v)
	}
}

// equals reports whether the numbers, read in one way, have that sum, which is rounded to its decimals; shares were each rounded.
func (t *total) equals(sum figure, reading int) bool {
	slack := math.Pow10(-sum.decimals[reading]) / 2
	if sum.share {
		slack *= float64(t.n)
	}
	return math.Abs(t.sum[reading]-sum.value[reading]) <= slack+1e-9
}

// encloses reports whether a number, read in one way, is none of several and lies between the least and the greatest of them.
func (t *total) encloses(f figure, reading int) bool {
	v := f.value[reading]
	return t.n > 1 && t.min[reading] < v && v < t.max[reading]
}

// goesOn reports whether three numbers or more, read in one way, rise by one, and the value is the next one.
func (t *total) goesOn(v float64, reading int) bool {
	return t.n >= evidence && t.max[reading]-t.min[reading] == float64(t.n-1) && v == t.max[reading]+1
}

// isMean reports whether the numbers, read in one way, have that average, which is rounded to its decimals.
func (t *total) isMean(f figure, reading int) bool {
	return math.Abs(t.sum[reading]/float64(t.n)-f.value[reading]) <= math.Pow10(-f.decimals[reading])/2+1e-9
}

// differ reports whether the numbers, read in one way, are not all the same.
func (t *total) differ(reading int) bool { return t.min[reading] < t.max[reading] }
