package xlsx

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"sheetdrop/internal/sheet/grid"
)

// The benchmarks open and read the same file, so that their ratio means something: BenchmarkExcelize is the measure.
func BenchmarkRows(b *testing.B) {
	file := orders(b, 20_000)
	b.SetBytes(int64(len(file)))
	b.ReportAllocs()
	for b.Loop() {
		readAll(b, bytes.NewReader(file), int64(len(file)), 20_000)
	}
}

func BenchmarkExcelize(b *testing.B) {
	file := orders(b, 20_000)
	b.SetBytes(int64(len(file)))
	b.ReportAllocs()
	for b.Loop() {
		book, err := excelize.OpenReader(bytes.NewReader(file), excelize.Options{RawCellValue: true})
		if err != nil {
			b.Fatal(err)
		}
		rows, err := book.Rows("Sheet1")
		if err != nil {
			b.Fatal(err)
		}
		n := 0
		for rows.Next() {
			if _, err := rows.Columns(excelize.Options{RawCellValue: true}); err != nil {
				b.Fatal(err)
			}
			n++
		}
		if n != 20_000 {
			b.Fatal(n)
		}
		if err := book.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

func readAll(b *testing.B, src io.ReaderAt, size int64, want int) {
	book, err := Open(src, size, Options{Limits: grid.DefaultLimits()})
	if err != nil {
		b.Fatal(err)
	}
	rows, err := book.Rows(1)
	n := 0
	for ; err == nil; n++ {
		_, err = rows.Next()
	}
	if !errors.Is(err, io.EOF) || n-1 != want {
		b.Fatal(n, err)
	}
	if err := book.Close(); err != nil {
		b.Fatal(err)
	}
}

// orders is a workbook as Excel writes exports: ids, codes, names and notes as shared strings (2.95 in a row), dates, amounts, a formula.
func orders(t testing.TB, rows int) []byte {
	var sheet, shared strings.Builder
	n := 0
	share := func(format string, args ...any) int {
		shared.WriteString("<si><t>")
		fmt.Fprintf(&shared, format, args...)
		shared.WriteString("</t></si>")
		n++
		return n - 1
	}
	statuses := []int{share("open"), share("shipped"), share("returned")}
	for i := range rows {
		no := i + 1
		fmt.Fprintf(&sheet, `<row r="%d" spans="1:10" x14ac:dyDescent="0.25"><c r="A%d"><v>%d</v></c>`, no, no, i)
		fmt.Fprintf(&sheet, `<c r="B%d" t="s"><v>%d</v></c>`, no, share("K%06d", i*7919%1000000))
		fmt.Fprintf(&sheet, `<c r="C%d" t="s"><v>%d</v></c>`, no, share("Customer &amp; Sons %d", i))
		fmt.Fprintf(&sheet, `<c r="D%d" s="1"><v>%d</v></c>`, no, 45000+i%365)
		fmt.Fprintf(&sheet, `<c r="E%d" s="2"><v>%d.%d</v></c>`, no, 45000+i%365, 1000+i)
		fmt.Fprintf(&sheet, `<c r="F%d" s="3"><v>%d.%02d</v></c>`, no, i%1000, i%100)
		fmt.Fprintf(&sheet, `<c r="G%d"><v>%d.10000000000000001</v></c>`, no, i%90)
		fmt.Fprintf(&sheet, `<c r="H%d" t="s"><v>%d</v></c>`, no, statuses[i%3])
		if i%20 > 0 {
			fmt.Fprintf(&sheet, `<c r="I%d" t="s"><v>%d</v></c>`, no, share("deliver order %d to the back door", i))
		}
		fmt.Fprintf(&sheet, `<c r="J%d"><f>F%d*G%d</f><v>%d</v></c></row>`, no, no, no, i*3)
	}
	return workbookOf(sheet.String(), []string{shared.String()}, "14", "22", "#,##0.00").zip(t)
}
