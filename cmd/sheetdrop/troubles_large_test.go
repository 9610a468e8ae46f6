package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"sheetdrop/internal/sheet"
)

// What is too large to be kept is made here: wide tables, and records of megabytes.
func TestLargeTroubles(t *testing.T) {
	t.Parallel()
	limits := sheet.DefaultLimits()
	const phrase = "Lorem ipsum, "
	cell := strings.Repeat(phrase, limits.CellBytes/len(phrase))
	many := "2," + strings.Repeat("Lorem ipsum ", 100) + "\n"
	rows := 2 * limits.RecordBytes / len(many)
	for _, c := range []struct {
		trouble
		text string
	}{
		{trouble{"a thousand columns", "utf-8", ";", 0, 1, counts{3, 0, 0}, row(1000, "c%04d"), [2]string{"2 row " + row(1000, "1,%d")}},
			strings.ReplaceAll(row(1000, "c%04d")+"\n"+strings.Repeat(row(1000, "1,%d")+"\n", 3), "|", ";")},
		{trouble{"a record of a megabyte", "utf-8", ",", 0, 1, counts{2, 0, 0}, "id|text", [2]string{"2 row 1|" + cell, "3 row 2|short"}},
			"id,text\n1,\"" + cell + "\"\n2,short\n"},
		{trouble{"a cell that is too long", "utf-8", ",", 0, 1, counts{1, 1, 0}, "id|text", [2]string{"3 row 2|short"}},
			"id,text\n1,\"" + cell + cell + "\"\n2,short\n"},
		{trouble{"a record that is too long", "utf-8", ",", 0, 1, counts{1, 1, 0}, "id|text", [2]string{"3 row 2|short"}},
			"id,text\n1," + strings.Repeat(cell, 4) + "\n2,short\n"},
		{trouble{"a quote that never ends", "utf-8", ",", 0, 1, counts{rows, 1, 0}, "id|text",
			[2]string{"2 reject 1|\"one"}}, "id,text\n1,\"one\n" + strings.Repeat(many, rows)},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "large.csv")
			write(t, path, c.text)
			c.check(t, parseFile(t, path))
		})
	}
}

// row is n cells as the tables of troubles show them.
func row(n int, format string) string {
	cells := make([]string, n)
	for i := range cells {
		cells[i] = fmt.Sprintf(format, i)
	}
	return shown(cells)
}
