package xlsb

import (
	"testing"

	"sheetdrop/internal/sheet/grid/gridtest"
	"sheetdrop/internal/sheet/sheettest/biff12"
)

// fuzzedParts are the parts of a workbook that hold records.
var fuzzedParts = [...]string{workbookPart, sheetPart, "xl/styles.bin", "xl/sharedStrings.bin", "xl/tables/table1.bin"}

// manyThings is a workbook that has something of all that is read.
func manyThings() []biff12.File {
	book := biff12.Book{
		Sheets: []biff12.Sheet{
			{
				Name:   "S",
				Rows:   [][]biff12.Cell{{{Value: "a", Style: 1}, {Value: "b"}}, {{Value: 0.1}, {Value: true}}, {{Value: 45413.0, Style: 2}, {Value: biff12.Error(7), Formula: true}}},
				Merged: []biff12.Area{{Top: 1, Bottom: 3, Left: 1, Right: 1}}, Frozen: 1, Titles: [2]int{1, 1},
				Filter: biff12.Area{Top: 1, Bottom: 3, Left: 1, Right: 2}, Tables: []biff12.Table{{Area: biff12.Area{Top: 1, Bottom: 3, Left: 1, Right: 2}}},
			},
			{Name: "T", State: 1, Rows: [][]biff12.Cell{{{Value: "a"}, {Value: "text", Formula: true}}}},
		},
		Styles: []biff12.Style{{}, {Bold: true}, {Format: 164, Code: "yyyy-mm-dd"}, {Filled: true}},
	}
	return book.Files()
}

// FuzzParts reads any bytes as the parts of a workbook. It must not panic, and all that is wrong is the file's fault.
func FuzzParts(f *testing.F) {
	files := manyThings()
	var parts [len(fuzzedParts)][]byte
	for i, name := range fuzzedParts {
		for _, file := range files {
			if file.Name == name {
				parts[i] = file.Content
			}
		}
	}
	f.Add(parts[0], parts[1], parts[2], parts[3], parts[4])
	f.Fuzz(func(t *testing.T, workbook, sheet, styles, strings, table []byte) {
		fuzzed := files
		for i, content := range [...][]byte{workbook, sheet, styles, strings, table} {
			fuzzed = biff12.Replace(fuzzed, fuzzedParts[i], content)
		}
		l := gridtest.SmallLimits()
		b, err := openFiles(fuzzed, Options{Limits: l, FillDown: true})
		if err != nil {
			gridtest.CheckBook(t, nil, err, l)
			return
		}
		gridtest.CheckBook(t, b, nil, l)
	})
}
