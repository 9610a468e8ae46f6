package sheet

import (
	"fmt"
	"strings"
	"testing"
)

// What the last row of a worksheet sums up is known however many of its rows were returned before it was read, up to a limit.
func TestLastRowsOfLongWorksheets(t *testing.T) {
	t.Parallel()
	for _, rows := range []int{5, headRows, headRows + tailRows, headRows + 3*tailRows + 1, 900, 1100} {
		for name, c := range map[string]struct {
			first string // cell of the last row
			more  int    // than the sum, in its second number
			none  bool   // it is none of the table
		}{
			"a sum by any name":        {first: "Everywhere", none: rows < 1000},
			"a row as large as a sum":  {first: "Everywhere", more: 1},
			"a sum with a word for it": {first: "Total", none: true},
		} {
			t.Run(fmt.Sprintf("%s below %d", name, rows), func(t *testing.T) {
				t.Parallel()
				var b strings.Builder
				b.WriteString(text(1, "place", "visits", "sales"))
				row := func(no int, name string, visits, sales int) {
					fmt.Fprintf(&b, `<row r="%d"><c t="str"><v>%s</v></c><c><v>%d</v></c><c><v>%d</v></c></row>`, no, name, visits, sales)
				}
				visits, sales := 0, 0
				for i := range rows {
					v, s := 1000+i*7%977, 2000+i*13%1009
					visits, sales = visits+v, sales+s
					row(i+2, fmt.Sprintf("place %d", i), v, s)
				}
				row(rows+2, c.first, visits, sales+c.more)
				_, s := openFirst(t, pack(t, parts(b.String(), nil)), Options{})
				loaded := 0
				for rec := range recordsOf(t, s) {
					if rec.Kind == Row {
						loaded++
					}
				}
				want := rows + 1
				if c.none {
					want = rows
				}
				if loaded != want {
					t.Errorf("%d rows, want %d", loaded, want)
				}
			})
		}
	}
}
