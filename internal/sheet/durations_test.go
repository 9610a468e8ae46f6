package sheet

import (
	"bytes"
	"testing"

	"github.com/xuri/excelize/v2"

	"sheetdrop/internal/sheet/types"
)

// Hours of a day are a duration where the workbook displays them as such, [h]:mm, and a time otherwise, as in a text.
func TestDurationsBelowADay(t *testing.T) {
	t.Parallel()
	f := excelize.NewFile()
	defer f.Close()
	const elapsed, clock = "[h]:mm", "hh:mm"
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	must(f.SetSheetRow("Sheet1", "A1", &[]string{"name", "worked", "begins", "mixed", "long"}))
	for r, row := range [][]float64{{8, 8, 7, 30}, {7.5, 9, 8, 2}, {6.25, 8.5, 9, 1}} {
		must(f.SetCellValue("Sheet1", cellName(t, 1, r+2), "n"))
		for c, hours := range row {
			format := elapsed
			if c == 1 || c == 2 && r == 1 {
				format = clock
			}
			style, err := f.NewStyle(&excelize.Style{CustomNumFmt: &format})
			must(err)
			must(f.SetCellValue("Sheet1", cellName(t, c+2, r+2), hours/24))
			must(f.SetCellStyle("Sheet1", cellName(t, c+2, r+2), cellName(t, c+2, r+2), style))
		}
	}
	var out bytes.Buffer
	must(f.Write(&out))
	_, s := openFirst(t, out.String(), Options{})
	for range recordsOf(t, s) {
	}
	for i, want := range []types.Type{types.Text, types.Duration, types.Time, types.Time, types.Duration} {
		if c := s.Columns()[i]; c.Type != want {
			t.Errorf("%s: %s, want %s", c.Name, c.Type, want)
		}
	}
}

func cellName(t *testing.T, column, row int) string {
	t.Helper()
	name, err := excelize.CoordinatesToCellName(column, row)
	if err != nil {
		t.Fatal(err)
	}
	return name
}
