package table

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"sheetdrop/internal/sheet/dialect"
)

// cellsOfReports are what rules look for in cells. A byte of a fuzzed input is the index of one; greater ones end the row.
var cellsOfReports = strings.Split("|||a|b|Name|City|Total|Subtotal|Grand total|Average|Mean|1|2|3|12.5|3,5|100%|5%|(4)|-3|1 234|¥|USD 5|2024-01-01|"+
	"10:15|2019|2020|2021|Q1|Jan|Feb|1月|Name:|User:|Unit|%|(m)|m|EUR|単位：人|VAT|of which|others|合計|Carried forward|Opening balance|Closing balance|"+
	"Page 1|1/3|K-001|K-002|1.|2.1|A|B|x1|x2|Note: x|Source: y|see below for the notes of this table.|End of report|--|===|*|# c|#|N/A|yes|no|"+
	"integer|text|http://a.b/c|a@b.c", "|")

// Whatever the cells are, a table is found within them, as a worksheet and as a text, and each record can be asked whether it is a row.
func FuzzDecide(f *testing.F) {
	random := rand.New(rand.NewPCG(2024, 11))
	for range 300 {
		f.Add(randomReport(random))
	}
	f.Add(reportOf("City||Opening balance|of which|others", "City||Carried forward|of which|of which", "yes|a@b.c|Note: x|Total", "", ""))
	f.Add(reportOf("", "100%", "a|¥|others||Mean|K-001|1", "|USD 5|合計||Mean|K-001|1", "|USD 5|合計||Average|1/3|Mean",
		"|¥|合計||Average|1/3|Mean", "#", "Name:", "|USD 5|合計||Mean|K-001|Mean"))
	f.Fuzz(func(t *testing.T, report []byte) {
		grid := gridOf(report)
		l := DecideGrid(slices.Values(grid), Hints{Place: First}, Told{Strong: strongRows(report, len(grid))})
		if l.Preamble < 0 || l.Header < 0 || l.Preamble+l.Header > len(grid)+1 || l.Columns < 0 {
			t.Errorf("%d rows: a header of %d below %d, %d columns", len(grid), l.Header, l.Preamble, l.Columns)
		}
		l.BelowSums(slices.Values(grid), len(grid), Tail{})
		l.OtherBegins(slices.Values(grid))
		for _, cells := range grid {
			if l.Filter != nil {
				l.Filter.TitleOf(cells, true, true)
				l.Filter.Drops(cells)
			}
		}
		var text bytes.Buffer
		for _, cells := range grid {
			text.Write(append(bytes.Join(cells, []byte(";")), '\n'))
		}
		Decide([]dialect.Sample{{Text: text.Bytes(), Head: true, Tail: true}}, Hints{})
	})
}

// gridOf returns the rows that the bytes stand for. As in a worksheet no row ends with an empty cell, and a blank one has none.
func gridOf(report []byte) (grid [][][]byte) {
	var cells [][]byte
	for _, b := range report {
		if int(b) < len(cellsOfReports) {
			cells = append(cells, []byte(cellsOfReports[b]))
			continue
		}
		for len(cells) > 0 && len(cells[len(cells)-1]) == 0 {
			cells = cells[:len(cells)-1]
		}
		grid, cells = append(grid, cells), nil
	}
	return grid
}

// reportOf returns the bytes that stand for rows whose cells are between strokes.
func reportOf(rows ...string) (report []byte) {
	for _, r := range rows {
		for cell := range strings.SplitSeq(r, "|") {
			report = append(report, byte(slices.Index(cellsOfReports, cell)))
		}
		report = append(report, 0xfe)
	}
	return report
}

// strongRows returns which rows are bold, by the bytes that end them.
func strongRows(report []byte, rows int) []bool {
	strong := make([]bool, 0, rows)
	for _, b := range report {
		if int(b) >= len(cellsOfReports) {
			strong = append(strong, b == 0xff)
		}
	}
	return strong
}

// randomReport returns rows of up to seven cells, most of which are as those above.
func randomReport(random *rand.Rand) (report []byte) {
	usual := make([]int, 1+random.IntN(7))
	for i := range usual {
		usual[i] = random.IntN(len(cellsOfReports))
	}
	for range 1 + random.IntN(14) {
		alike, width := random.IntN(5), 1+random.IntN(len(usual))
		if alike > 1 {
			width = len(usual)
		}
		if random.IntN(6) == 0 {
			width = 0
		}
		for i := range width {
			cell := random.IntN(len(cellsOfReports))
			switch {
			case alike > 1:
				cell = min(usual[i]+random.IntN(2), len(cellsOfReports)-1)
			case alike == 1 && i > 0:
				cell = 0
			}
			report = append(report, byte(cell))
		}
		report = append(report, byte(0xfe+random.IntN(2)))
	}
	return report
}
