package sheet_test

import (
	"fmt"
	"strings"
	"testing"

	"sheetdrop/internal/sheet"
)

// Files that are too large for the corpus are made here: wide tables, and records of megabytes.
func TestLargeFiles(t *testing.T) {
	t.Parallel()
	limits := sheet.DefaultLimits()
	const phrase = "Lorem ipsum, "
	cell := strings.Repeat(phrase, limits.CellBytes/len(phrase))
	many := "2," + strings.Repeat("Lorem ipsum ", 100) + "\n"
	rows := 2 * limits.RecordBytes / len(many)
	for _, c := range []struct {
		corpusFile
		text string
	}{
		{corpusFile{"a thousand columns", "utf-8", ";", 0, 1, counts{3, 0, 0}, wideRow(1000, "c%04d"), [2]string{"2 row " + wideRow(1000, "1,%d")}},
			strings.ReplaceAll(wideRow(1000, "c%04d")+"\n"+strings.Repeat(wideRow(1000, "1,%d")+"\n", 3), "|", ";")},
		{corpusFile{"a record of a megabyte", "utf-8", ",", 0, 1, counts{2, 0, 0}, "id|text", [2]string{"2 row 1|" + cell, "3 row 2|short"}},
			"id,text\n1,\"" + cell + "\"\n2,short\n"},
		{corpusFile{"a cell that is too long", "utf-8", ",", 0, 1, counts{1, 1, 0}, "id|text", [2]string{"3 row 2|short"}},
			"id,text\n1,\"" + cell + cell + "\"\n2,short\n"},
		{corpusFile{"a record that is too long", "utf-8", ",", 0, 1, counts{1, 1, 0}, "id|text", [2]string{"3 row 2|short"}},
			"id,text\n1," + strings.Repeat(cell, 4) + "\n2,short\n"},
		{corpusFile{"a quote that never ends", "utf-8", ",", 0, 1, counts{rows, 1, 0}, "id|text",
			[2]string{"2 reject 1|\"one"}}, "id,text\n1,\"one\n" + strings.Repeat(many, rows)},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.check(t, printBook(t, []byte(c.text)))
		})
	}
}

// wideRow is n cells as the tables of the corpus show them.
func wideRow(n int, format string) string {
	cells := make([]string, n)
	for i := range cells {
		cells[i] = fmt.Sprintf(format, i)
	}
	return shown(cells)
}
