package table

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// written is a table as a spreadsheet writes it: all records have as many cells as its widest one.
type written struct {
	width            int
	above            [][]string
	preamble, header int
	rows             [][]string
}

func (w written) text() string {
	var b strings.Builder
	for _, cells := range append(w.above, w.rows...) {
		b.WriteString(strings.Join(append(cells, make([]string, w.width-len(cells))...), ",") + "\n")
	}
	return b.String()
}

var someNames = []string{"day", "customer", "item", "qty", "amount", "place", "支店", "Preis", "remark", "unit", "code", "who"}

// anyTable is a table of this width, with at least one column of numbers.
func anyTable(random *rand.Rand, width, rows int) written {
	w := written{width: width, header: 1}
	header := make([]string, width)
	kinds := make([]int, width)
	for i := range width {
		header[i] = someNames[i%len(someNames)] + strings.Repeat("x", i/len(someNames))
		kinds[i] = random.IntN(3)
	}
	kinds[width-1] = 1
	w.rows = append(w.rows, header)
	for n := range rows {
		cells := make([]string, width)
		for i, kind := range kinds {
			cells[i] = []string{fmt.Sprintf("name %c", 'a'+n%26), fmt.Sprint(random.IntN(900) + 1), fmt.Sprintf("2024-04-%02d", n%28+1)}[kind]
		}
		w.rows = append(w.rows, cells)
	}
	return w
}

// Whatever stands above a table is no header of it, although a spreadsheet pads it to the table's width.
func TestLinesAboveAreNoHeader(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(20, 26))
	titles := []string{"Sales list", "売上明細表", "Report of the stock in all places", "Q3", "Umsatz 2024"}
	values := []string{"Kobe", "2024-04-30", "4711", "Meyer AG", "12.5 kg", "all"}
	for n := range 600 {
		width := 2 + random.IntN(11)
		w := anyTable(random, width, 3+random.IntN(60))
		for range random.IntN(3) { // titles, on the left or, if there is room, in the middle
			cells := make([]string, width)
			cells[random.IntN(2)*(width/2)] = titles[random.IntN(len(titles))]
			w.above = append(w.above, cells)
		}
		for i := range random.IntN(12) { // names with their values
			if width > 2 {
				w.above = append(w.above, []string{someNames[i%len(someNames)], values[random.IntN(len(values))]})
			}
		}
		if random.IntN(2) == 0 && len(w.above) > 0 {
			w.above = append(w.above, nil)
		}
		w.preamble = len(w.above)
		r := decide(w.text())
		if r.Preamble != w.preamble || r.Header != w.header || r.Columns != width {
			t.Fatalf("%d: %d header rows below %d of %d columns, want %d below %d of %d:\n%.500s",
				n, r.Header, r.Preamble, r.Columns, w.header, w.preamble, width, w.text())
		}
	}
}

// The names of groups above the header are part of it: over two columns each, or over some of them.
func TestGroupsAreHeader(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(20, 27))
	for n := range 200 {
		groups, span := 2+random.IntN(3), 2+random.IntN(2)
		width := 1 + groups*span
		w := written{width: width, header: 2}
		upper, lower := make([]string, width), make([]string, width)
		at := random.IntN(2)
		if upper[0] = "Region"; at == 1 {
			upper[0], lower[0] = "", "Region"
		}
		for g := range groups {
			upper[1+g*span] = []string{fmt.Sprint(2021 + g), fmt.Sprintf("%d年度", 4+g), "Group " + string(rune('A'+g))}[n%3]
			for c := range span {
				lower[1+g*span+c] = []string{"Sales", "Cost", "Margin"}[c]
			}
		}
		w.rows = [][]string{upper, lower}
		for range 3 + random.IntN(30) {
			cells := []string{[]string{"North", "South", "East"}[random.IntN(3)]}
			for range width - 1 {
				cells = append(cells, fmt.Sprintf("%d.5", random.IntN(90)))
			}
			w.rows = append(w.rows, cells)
		}
		if random.IntN(2) == 0 {
			w.above = [][]string{{"Sales by region and year"}, nil}
			w.preamble = 2
		}
		if r := decide(w.text()); r.Preamble != w.preamble || r.Header != 2 || r.Columns != width {
			t.Fatalf("%d: %d header rows below %d of %d columns, want 2 below %d of %d:\n%.500s",
				n, r.Header, r.Preamble, r.Columns, w.preamble, width, w.text())
		}
	}
}
