package parse_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"sheetdrop/internal/postgres/pgtest"
)

// What is found of more sheets than are kept in memory is there as well, each under its own sheet, whether the file is loaded or FAILS.
func TestManyWideSheets(t *testing.T) {
	t.Parallel()
	const sheets, columns = 6, 4000
	f := newFixture(t)
	content := workbook(t, func(b *excelize.File) error {
		for s := range sheets {
			name := fmt.Sprintf("Sheet%d", s+1)
			if _, err := b.NewSheet(name); err != nil {
				return err
			}
			header, row := make([]any, columns), make([]any, columns)
			for c := range columns {
				header[c], row[c] = fmt.Sprintf("s%d<c%d>", s+1, c), strings.Repeat("<", 60)
			}
			if err := b.SetSheetRow(name, "A1", &header); err != nil {
				return err
			}
			if err := b.SetSheetRow(name, "A2", &row); err != nil {
				return err
			}
		}
		one := "too many"
		return b.SetSheetRow(fmt.Sprintf("Sheet%d", sheets), "A3", &[]any{columns: one})
	})
	for options, want := range map[string]string{`{"header":1}`: "COMPLETED", `{"header":1,"policy":"fail"}`: "FAILED"} {
		u := f.uploadWith(t, string(content), options)
		handle(t, f.worker(t, usual, ""), u)
		if got := pgtest.Query[string](t, f.Database, `select status from sheetdrop.task where id = $1`, u.TaskID); got != want {
			t.Errorf("%s: %s, want %s", options, got, want)
		}
		right := pgtest.Query[int](t, f.Database, `select count(*) from sheetdrop.sheet where task_id = $1 and jsonb_array_length(columns) = $2::int
and columns->($2::int - 1)->>'label' = format('s%s<c%s>', number, $2::int - 1) and dialect->>'header_rows' = '1'`, u.TaskID, columns)
		if right != sheets {
			t.Errorf("%s: %d of %d sheets have their own columns", options, right, sheets)
		}
	}
}
