package sheet

import (
	"fmt"
	"strings"
	"testing"
)

// What stands below a worksheet's table is no row of it, however many rows the table has, and is listed with its reason.
func TestRowsBelowTheTable(t *testing.T) {
	t.Parallel()
	for _, rows := range []int{5, headRows - 2, headRows, headRows + 3*tailRows + 1} {
		for name, c := range map[string]struct {
			below  string // of the row after the table, in which %d is its number
			option string
			loaded int // of the rows below
		}{
			"a total":              {below: `<row r="%d"><c t="str"><v>Total</v></c><c><v>9</v></c><c><v>9</v></c></row>`},
			"a source":             {below: `<row r="%d"><c t="str"><v>Source: ledger of May</v></c></row>`},
			"the day of the data":  {below: `<row r="%d"><c t="str"><v>Data as of 31 March 2024</v></c></row>`},
			"a record that is not": {below: `<row r="%d"><c t="str"><v>Call the supplier</v></c></row>`, loaded: 1},
			"a total, as a row":    {below: `<row r="%d"><c t="str"><v>Total</v></c><c><v>9</v></c><c><v>9</v></c></row>`, option: "none", loaded: 1},
		} {
			t.Run(fmt.Sprintf("%s below %d", name, rows), func(t *testing.T) {
				t.Parallel()
				var b strings.Builder
				b.WriteString(text(1, "part", "qty", "amount"))
				for i := range rows {
					fmt.Fprintf(&b, `<row r="%d"><c t="str"><v>P%d</v></c><c><v>%d</v></c><c><v>%d.5</v></c></row>`, i+2, i, i%7, i%11)
				}
				fmt.Fprintf(&b, c.below, rows+2)
				_, s := openFirst(t, pack(t, parts(b.String(), nil)), Options{Footer: c.option})
				kinds := map[string]int{}
				for rec := range recordsOf(t, s) {
					kinds[fmt.Sprint(rec.Kind, rec.Reason)]++
				}
				if got := kinds[fmt.Sprint(Row, "")]; got != rows+c.loaded {
					t.Errorf("%d rows, want %d", got, rows+c.loaded)
				}
				if got := kinds[fmt.Sprint(Skip, SkipBelow)]; got != 1-c.loaded {
					t.Errorf("%d rows are skipped below the table, want %d", got, 1-c.loaded)
				}
			})
		}
	}
}
