package sheet

import (
	"fmt"
	"strings"
	"testing"
)

// Cells in quotes that fill the head hide neither the header nor the rows below, wherever they stand.
func TestLongCellsAtTheBeginning(t *testing.T) {
	t.Parallel()
	page := strings.Repeat("lorem ipsum, dolor; \"\"sit\"\" amet\n", 4000)
	for name, long := range map[string]func(row int) bool{
		"first":        func(row int) bool { return row == 0 },
		"third":        func(row int) bool { return row == 2 },
		"first to six": func(row int) bool { return row < 6 },
		"every other":  func(row int) bool { return row%2 == 1 },
		"none":         func(int) bool { return false },
	} {
		for _, rows := range []int{7, 60} {
			var b strings.Builder
			b.WriteString("id,name,page,price\n")
			for row := range rows {
				text := "short, text"
				if long(row) {
					text = page
				}
				fmt.Fprintf(&b, "%d,item %d,\"%s\",%d.50\n", row, row, text, row)
			}
			for range 9000 * min(rows-7, 1) { // the others are larger than the head already
				b.WriteString("1,item,\"a, b\",1.25\n")
				rows++
			}
			loaded, header := 0, ""
			err := eachRecord(t.Context(), []byte(b.String()), Options{}, DefaultLimits(), func(_ *Sheet, rec *Record) {
				switch rec.Kind {
				case Row:
					loaded++
				case Header:
					header = string(rec.Cells[0]) + string(rec.Cells[3])
				}
			})
			if err != nil || loaded != rows || header != "idprice" {
				t.Errorf("%s: %v, %d of %d rows, header %q", name, err, loaded, rows, header)
			}
		}
	}
}
