package export

import (
	"context"
	"fmt"
	"io"
	"testing"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/sheet"
	"sheetdrop/internal/sheet/types"
	"sheetdrop/internal/task"
)

// BenchmarkFormats writes 50,000 rows of ten columns in each format, without a database: what the formats take beside each other.
func BenchmarkFormats(b *testing.B) {
	const rows = 50_000
	kinds := []types.Report{
		{Type: types.Integer, Format: "0"}, {Type: types.Text}, {Type: types.Date, Format: "YYYY/MM/DD"}, {Type: types.Decimal, Format: "#,##0.0", Digits: 8},
		{Type: types.Text}, {Type: types.Timestamp, Format: "YYYY-MM-DD hh:mm:ss"}, {Type: types.Boolean, Format: "はい/いいえ"}, {Type: types.Text},
		{Type: types.Integer, Format: "#,##0"}, {Type: types.Decimal, Format: "0.0%"},
	}
	columns := make([]sheet.Column, len(kinds))
	for i, k := range kinds {
		columns[i] = sheet.Column{Name: fmt.Sprint("列", i), Report: k}
	}
	converters, err := sheet.NewConverters(columns)
	if err != nil {
		b.Fatal(err)
	}
	all := make([]postgres.SheetRow, rows)
	for i := range all {
		cells := []string{fmt.Sprint(i), fmt.Sprint("A-", i%977), "2024/1/31", fmt.Sprintf("%d,234.5%d", i%900+1, i%10), "東京都千代田区丸の内", "2024-01-31 09:05:00",
			"はい", "a text; of some words", "1,200", "12.5%"}
		all[i] = postgres.SheetRow{RowNo: int64(i + 1)}
		for _, c := range cells {
			all[i].Cells = append(all[i].Cells, []byte(c))
		}
	}
	for _, in := range []PageInput{
		{Format: formatNDJSON}, {Format: formatCSV}, {Format: formatCSV, Encoding: encodingCP932}, {Format: formatXLSX}, {Format: formatParquet},
	} {
		b.Run(in.Format+in.Encoding, func(b *testing.B) {
			wanted := RowsInput{PageInput: in}
			form := wanted.form(columns, converters)
			list := listing[postgres.SheetRow, int64]{
				read: func(_ context.Context, after int64, limit int) ([]postgres.SheetRow, bool, error) {
					page := all[after:min(len(all), int(after)+limit)]
					return page, int(after)+len(page) < rows, nil
				},
				place: func(r postgres.SheetRow) int64 { return r.RowNo },
				json:  func(dst []byte, r postgres.SheetRow) []byte { return form.append(dst, r.Cells) },
				table: wanted.table(task.Task{}, postgres.Sheet{Name: "表"}, columns, converters),
			}
			for b.Loop() {
				if err := writeTo(b.Context(), io.Discard, list, in); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(rows*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
		})
	}
}
