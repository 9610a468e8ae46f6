package export

import (
	"bytes"
	"context"
	"strconv"
	"testing"

	"github.com/xuri/excelize/v2"

	"sheetdrop/internal/sheet/types"
	"sheetdrop/upload-api/internal/workbook"
)

// More rows than a worksheet can have go on in another one, each under the header.
func TestWorkbookOfManyRows(t *testing.T) {
	t.Parallel()
	const rows = workbook.MaxRows + 1 // two of which stand in the second worksheet, since each has a header
	list := listing[int, int]{
		read: func(_ context.Context, after, limit int) ([]int, bool, error) {
			page := make([]int, min(limit, rows-after))
			for i := range page {
				page[i] = after + i + 1
			}
			return page, after+len(page) < rows, nil
		},
		place: func(n int) int { return n },
		table: table[int]{title: "long", columns: []tableColumn{{"n", types.Report{Type: types.Integer, Format: "0"}}}, values: func(n int) []value {
			return []value{{kind: types.Integer, text: strconv.Itoa(n)}}
		}},
	}
	book, err := excelize.OpenReader(bytes.NewReader(write(t, list, PageInput{Format: formatXLSX})))
	if err != nil {
		t.Fatal(err)
	}
	defer book.Close()
	for cell, want := range map[[2]string]string{
		{"long", "A1"}: "n", {"long", "A2"}: "1", {"long", "A1048576"}: "1048575", {"long (2)", "A1"}: "n", {"long (2)", "A2"}: "1048576",
		{"long (2)", "A3"}: "1048577", {"long (2)", "A4"}: "",
	} {
		if got, err := book.GetCellValue(cell[0], cell[1]); err != nil || got != want {
			t.Errorf("%v is %q, %v, want %q", cell, got, err, want)
		}
	}
}
