package pollution

import (
	"strconv"
	"strings"
)

// Measure is precision, recall and their harmonic mean, from 0 to 1.
type Measure struct{ Precision, Recall, F1 float64 }

// Score is how well a file was read.
type Score struct {
	Success                float64 // 1 if it was read at all
	Header, Records, Cells Measure
}

// Sum is 10 at most.
func (s Score) Sum() float64 {
	sum := s.Success
	for _, m := range []Measure{s.Header, s.Records, s.Cells} {
		sum += m.Precision + m.Recall + m.F1
	}
	return sum
}

// Rate compares what was read with what was expected. Header cells, records and cells are compared as multisets:
// records as tuples of all their cells.
func Rate(want, got Content) Score {
	return Score{
		1,
		compare(cells(want.Header), cells(got.Header)),
		compare(tuples(want.Records), tuples(got.Records)),
		compare(cells(want.Records), cells(got.Records)),
	}
}

func cells(rows [][]string) []string {
	var list []string
	for _, row := range rows {
		list = append(list, row...)
	}
	return list
}

func tuples(rows [][]string) []string {
	list := make([]string, len(rows))
	for i, row := range rows {
		var b strings.Builder
		for _, cell := range row {
			b.WriteString(strconv.Quote(cell))
		}
		list[i] = b.String()
	}
	return list
}

func compare(want, got []string) Measure {
	if len(want) == 0 && len(got) == 0 {
		return Measure{1, 1, 1}
	}
	left := make(map[string]int, len(want))
	for _, w := range want {
		left[w]++
	}
	found := 0.0
	for _, g := range got {
		if left[g] > 0 {
			left[g]--
			found++
		}
	}
	if found == 0 {
		return Measure{}
	}
	p, r := found/float64(len(got)), found/float64(len(want))
	return Measure{p, r, 2 * p * r / (p + r)}
}
