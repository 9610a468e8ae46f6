// Package gridtest holds readers of workbooks to what package grid promises.
package gridtest

import (
	"errors"
	"io"
	"slices"
	"testing"
	"unicode/utf8"

	"sheetdrop/internal/sheet/grid"
)

// SmallLimits are within a fuzzer's reach.
func SmallLimits() grid.Limits {
	l := grid.DefaultLimits()
	l.CellBytes, l.RowBytes, l.Columns, l.Rows, l.Cells, l.UnzippedBytes = 64, 256, 100, 50, 200, 1<<20
	return l
}

// Code returns the code of an *Error, "" for any other error.
func Code(err error) grid.Code {
	if e, ok := errors.AsType[*grid.Error](err); ok {
		return e.Code
	}
	return ""
}

// CheckBook reads all sheets of a book, and its first one again, whose opening returned err: whatever is wrong is the
// file's fault, and rows are as they should be.
func CheckBook(t testing.TB, book grid.Book, err error, l grid.Limits) {
	t.Helper()
	if err != nil {
		if Code(err) == "" {
			t.Fatal(err)
		}
		return
	}
	sheets := book.Sheets()
	for _, s := range append(slices.Clone(sheets), sheets[0]) {
		if s.Kind == grid.Worksheet && !checkSheet(t, book, s.Number, l) {
			break
		}
	}
	if err := book.Close(); err != nil {
		t.Fatal(err)
	}
}

// checkSheet reads a sheet, and reports whether others can be read.
func checkSheet(t testing.TB, book grid.Book, number int, l grid.Limits) bool {
	t.Helper()
	rows, err := book.Rows(number)
	seen := map[int64]bool{}
	for n := 0; err == nil; n++ {
		var row *grid.Row
		if row, err = rows.Next(); err == nil {
			checkRow(t, row, l)
			if seen[row.No] && row.Fault == "" || n > int(l.Rows) {
				t.Fatalf("row %d comes twice, or there are too many", row.No)
			}
			seen[row.No] = true
		}
	}
	if !errors.Is(err, io.EOF) && Code(err) == "" {
		t.Fatal(err)
	}
	return errors.Is(err, io.EOF)
}

func checkRow(t testing.TB, row *grid.Row, l grid.Limits) {
	t.Helper()
	if row.No < 1 || row.No > grid.LastRow && row.Fault == "" || len(row.Cells) == 0 && row.Fault == "" {
		t.Fatalf("no row: %+v", row)
	}
	size, columns := 0, []int{}
	for i, c := range row.Cells {
		size += len(c.Text)
		columns = append(columns, c.Column)
		sound := c.Column >= 1 && c.Column <= l.Columns && utf8.Valid(c.Text) && !slices.Contains(c.Text, 0) &&
			(i == 0 || c.Column > row.Cells[i-1].Column) && (c.Kind != 0 || c.Warning != "")
		if !sound && c.Fault == "" || len(c.Text) > l.CellBytes {
			t.Fatalf("cell %d of %+v", i, row)
		}
	}
	if size > l.RowBytes || !slices.IsSorted(columns) || len(columns) > l.Columns {
		t.Fatalf("over a limit or out of order: %+v", row)
	}
}
