package sheet

import (
	"testing"

	"github.com/xuri/excelize/v2"
)

// Names alone are rows where the column of names is coloured in all rows: only rows coloured as others are not are titles of parts.
func TestNamesAloneInAColouredColumnAreRows(t *testing.T) {
	t.Parallel()
	f := excelize.NewFile()
	defer f.Close()
	const name = "Sheet1"
	may := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	rows := [][]any{{"Who", "Mon", "Tue", "Wed", "Thu", "Fri"}, {"Ann Lee", "x"}, {"Bo Ray", nil, "x"}, {"Cy Fox"}, {"Di Orr", nil, nil, "x"},
		{"Ed Low"}, {"Flo Day", nil, nil, nil, "x"}, {"Gus Elk", nil, nil, nil, nil, "x"}}
	for i, row := range rows {
		at, err := excelize.CoordinatesToCellName(1, i+1)
		may(err)
		may(f.SetSheetRow(name, at, &row))
	}
	style, err := f.NewStyle(&excelize.Style{Fill: excelize.Fill{Type: "pattern", Pattern: 1, Color: []string{"DDEBF7"}}})
	may(err)
	may(f.SetCellStyle(name, "A2", "A8", style))
	out, err := f.WriteToBuffer()
	may(err)
	_, s := openFirst(t, out.String(), Options{})
	n := 0
	for rec := range recordsOf(t, s) {
		if rec.Kind == Row {
			n++
		}
	}
	if n != len(rows)-1 {
		t.Errorf("%d rows, not %d", n, len(rows)-1)
	}
}
