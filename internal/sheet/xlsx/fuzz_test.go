package xlsx

import (
	"archive/zip"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"sheetdrop/internal/sheet/grid"
)

// smallLimits are within a fuzzer's reach.
func smallLimits() grid.Limits {
	l := grid.DefaultLimits()
	l.CellBytes, l.RowBytes, l.Columns, l.Rows, l.Cells, l.UnzippedBytes = 64, 256, 100, 50, 200, 1<<20
	return l
}

// FuzzOpen reads any bytes as a workbook. It must not panic, and all that is wrong is the file's fault.
func FuzzOpen(f *testing.F) {
	agile, err := os.ReadFile("testdata/agile-encrypted.xlsx")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(agile)
	f.Add(workbookOf(oneCell, []string{"<si><t>x</t></si>"}, "14").zip(f))
	f.Add(workbookOf(oneCell, nil).zip(f, zip.Store))
	f.Fuzz(func(t *testing.T, file []byte) {
		b, err := openBytes(t, file, Options{Limits: smallLimits()})
		if err != nil {
			if codeOf(err) == "" {
				t.Fatal(err)
			}
			return
		}
		for _, s := range b.Sheets() {
			if s.Kind == grid.Worksheet {
				checkSheet(t, b, s.Number)
			}
		}
	})
}

// FuzzSheet reads any text as a worksheet, shared strings and styles. It has the same rows when its cells are written in another way.
func FuzzSheet(f *testing.F) {
	f.Add(sheetOf(`<row r="2"><c r="C2" t="s"><v>0</v></c><c r="A2" s="1"><f>x</f><v>45000.5</v></c></row><row><c t="inlineStr"><is><r><t>x</t></r></is></c></row>`)+
		"", "<sst><si><t>a_x000D_</t></si><si><r><t>b</t></r><rPh><t>c</t></rPh></si></sst>", stylesOf("[h]:mm;@"))
	f.Add(`<worksheet><sheetData><row r="1"><c r="A1" t="d"><v>2024-01-01</v></c><c t="b"><v>1</v></c></row><row r="3"><c r="B3"><v>1e5</v></c></row></sheetData>`+
		`<mergeCells><mergeCell ref="A1:B3"/></mergeCells></worksheet>`, "<sst/>", stylesOf("yyyy;[Red]0"))
	f.Fuzz(func(t *testing.T, sheet, table, styles string) {
		write := func(sheet string) []byte {
			return workbookOf("", nil).with("xl/worksheets/sheet1.xml", sheet, "xl/sharedStrings.xml", table, "xl/styles.xml", styles).zip(t, zip.Store)
		}
		file := write(sheet)
		if !strings.Contains(sheet, "<!") && strings.Contains(sheet, "<c ") {
			want, err := read(t, file, Options{})
			got, err2 := read(t, write(unusual(sheet)), Options{})
			if !slices.Equal(got, want) || codeOf(err) != codeOf(err2) {
				t.Fatalf("got %q, %v, otherwise %q, %v", got, err2, want, err)
			}
		}
		for _, fill := range []bool{false, true} {
			b, err := openBytes(t, file, Options{Limits: smallLimits(), FillDown: fill})
			if err == nil {
				checkSheet(t, b, 1)
			} else if codeOf(err) == "" {
				t.Fatal(err)
			}
		}
	})
}

// checkSheet holds a worksheet to what Row and Cell promise.
func checkSheet(t *testing.T, b *Book, number int) {
	rows, err := b.Rows(number)
	seen := map[int64]bool{}
	for err == nil {
		var row *grid.Row
		if row, err = rows.Next(); err == nil {
			checkRow(t, row, b.options.Limits)
			if row.Fault == "" && seen[row.No] {
				t.Fatalf("row %d is there twice", row.No)
			}
			seen[row.No] = true
		}
	}
	if !errors.Is(err, io.EOF) && codeOf(err) == "" {
		t.Fatal(err)
	}
}

func checkRow(t *testing.T, row *grid.Row, l grid.Limits) {
	if row.No < 1 || row.No > grid.LastRow && row.Fault == "" || len(row.Cells) == 0 && row.Fault == "" {
		t.Fatalf("no row: %s", show(row))
	}
	size, columns := 0, []int{}
	for i, c := range row.Cells {
		size += len(c.Text)
		columns = append(columns, c.Column)
		sound := c.Column >= 1 && c.Column <= l.Columns && utf8.Valid(c.Text) && !slices.Contains(c.Text, 0) &&
			(i == 0 || c.Column > row.Cells[i-1].Column) && (c.Kind != 0 || c.Warning != "")
		if !sound && c.Fault == "" || len(c.Text) > l.CellBytes {
			t.Fatalf("cell %d of %s", i, show(row))
		}
	}
	if size > l.RowBytes || !slices.IsSorted(columns) || len(columns) > l.Columns {
		t.Fatalf("over a limit or out of order: %s", show(row))
	}
}
