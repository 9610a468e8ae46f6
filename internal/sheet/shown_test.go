package sheet

import (
	"bytes"
	"testing"

	"github.com/xuri/excelize/v2"

	"sheetdrop/internal/sheet/types"
)

// Whole numbers are decimals where the workbook displays most of the column's with decimals, whatever stands above and below them.
func TestWholeNumbersWithDecimals(t *testing.T) {
	t.Parallel()
	f := excelize.NewFile()
	defer f.Close()
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	const money, whole = "#,##0.00", "0"
	must(f.SetSheetRow("Sheet1", "A1", &[]string{"name", "price", "pieces", "mixed", "sum"}))
	formats := [][]string{
		{money, whole, whole, whole}, {money, whole, money, whole}, {money, whole, whole, whole}, {money, whole, whole, whole},
		{money, money, money, money},
	}
	for r, row := range formats {
		name := "n"
		if r == len(formats)-1 {
			name = "Total"
		}
		must(f.SetCellValue("Sheet1", cellName(t, 1, r+2), name))
		for c, format := range row {
			style, err := f.NewStyle(&excelize.Style{CustomNumFmt: &format})
			must(err)
			must(f.SetCellValue("Sheet1", cellName(t, c+2, r+2), 10*r+c))
			must(f.SetCellStyle("Sheet1", cellName(t, c+2, r+2), cellName(t, c+2, r+2), style))
		}
	}
	var out bytes.Buffer
	must(f.Write(&out))
	_, s := openFirst(t, out.String(), Options{})
	for range recordsOf(t, s) {
	}
	for i, want := range []types.Type{types.Text, types.Decimal, types.Integer, types.Integer, types.Integer} {
		if c := s.Columns()[i]; c.Type != want {
			t.Errorf("%s: %s, want %s", c.Name, c.Type, want)
		}
	}
}
