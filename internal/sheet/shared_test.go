package sheet

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// Real files of public bodies, which stand beside the checkout where they are at hand.
func TestFilesOfPublicBodies(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		encoding string
		columns  int
		rows     int
		cells    []string // "record column-number text"
	}{
		"syukujitsu.csv": {"cp932", 2, 1067, []string{"1 1 国民の祝日・休日月日", "2 1 1955/1/1", "2 2 元日", "3 2 成人の日"}},
		"222127_aed.csv": {"utf-8", 22, 82, []string{"2 5 市役所本館", "2 6 シヤクショホンカン", "2 12 (054)626-1139"}},
		"222127_tourism.csv": {"utf-8", 50, 205, []string{
			"1 1 都道府県コード又は市区町村コード", "2 5 松乃寿司", "2 16 11:00～14:00(LO.13:30)/17:00～21:00（LO.20:30）",
		}},
		"temperature.xlsx": {"", 2, 2, []string{"1 1 label", "2 1 celsius", "2 2 22.2222", "3 2 72"}},
		"Attendance.xlsx":  {"", 9, 23, []string{"2 2 Ben \nAshley", "3 1 2020-10-01", "3 2 FALSE"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			content, err := os.ReadFile(filepath.Join("..", "..", "..", "shared", "samples", name))
			if err != nil {
				t.Skip("the file is not beside the checkout: ", err) //nolint:forbidigo // it is not ours to commit
			}
			book, s := openFirst(t, string(content), Options{})
			rows, missing := 0, slices.Clone(c.cells)
			for rec := range recordsOf(t, s) {
				if rec.Kind == Reject {
					t.Error(brief(rec))
				}
				if rec.Kind == Row {
					rows++
				}
				missing = slices.DeleteFunc(missing, func(cell string) bool { return holds(rec, cell) })
			}
			if rows != c.rows || len(s.Columns()) != c.columns || book.Encoding() != c.encoding || len(missing) > 0 {
				t.Errorf("%d rows of %d columns in %q; not found: %q", rows, len(s.Columns()), book.Encoding(), missing)
			}
		})
	}
}

// holds reports whether the record has the cell, written as "record column-number text".
func holds(rec *Record, cell string) bool {
	for i, text := range rec.Cells {
		if fmt.Sprintf("%d %d %s", rec.No, i+1, text) == cell {
			return true
		}
	}
	return false
}
