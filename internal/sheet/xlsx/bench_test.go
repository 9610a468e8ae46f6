package xlsx

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"
)

// The benchmarks open and read the same file, so that their ratio means something: BenchmarkExcelize is the measure.
func BenchmarkRows(b *testing.B) {
	file := orders(b, 20_000)
	b.SetBytes(int64(len(file)))
	b.ReportAllocs()
	for b.Loop() {
		book, err := Open(bytes.NewReader(file), int64(len(file)), Options{Limits: DefaultLimits()})
		if err != nil {
			b.Fatal(err)
		}
		rows, err := book.Rows(1)
		if err != nil {
			b.Fatal(err)
		}
		n := 0
		for {
			if _, err = rows.Next(); err != nil {
				break
			}
			n++
		}
		if !errors.Is(err, io.EOF) || n != 20_000 {
			b.Fatal(n, err)
		}
		if err := book.Close(); err != nil {
			b.Fatal(err)
		}
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

// orders is a workbook as Excel writes exports: ids, codes, names and notes as shared strings, dates, amounts, a formula.
func orders(t testing.TB, rows int) []byte {
	shared := []string{}
	share := func(s string) int {
		shared = append(shared, "<si><t>"+s+"</t></si>")
		return len(shared) - 1
	}
	statuses := []int{share("open"), share("shipped"), share("returned")}
	var sheet strings.Builder
	for i := range rows {
		no := i + 1
		fmt.Fprintf(&sheet, `<row r="%d" spans="1:10" x14ac:dyDescent="0.25"><c r="A%d"><v>%d</v></c>`, no, no, i)
		fmt.Fprintf(&sheet, `<c r="B%d" t="s"><v>%d</v></c>`, no, share(fmt.Sprintf("K%06d", i*7919%1000000)))
		fmt.Fprintf(&sheet, `<c r="C%d" t="s"><v>%d</v></c>`, no, share(fmt.Sprintf("Customer &amp; Sons %d", i%977)))
		fmt.Fprintf(&sheet, `<c r="D%d" s="1"><v>%d</v></c>`, no, 45000+i%365)
		fmt.Fprintf(&sheet, `<c r="E%d" s="2"><v>%d.%d</v></c>`, no, 45000+i%365, 1000+i)
		fmt.Fprintf(&sheet, `<c r="F%d" s="3"><v>%d.%02d</v></c>`, no, i%1000, i%100)
		fmt.Fprintf(&sheet, `<c r="G%d"><v>%d.10000000000000001</v></c>`, no, i%90)
		fmt.Fprintf(&sheet, `<c r="H%d" t="s"><v>%d</v></c>`, no, statuses[i%3])
		fmt.Fprintf(&sheet, `<c r="I%d" t="b"><v>%d</v></c>`, no, i%2)
		fmt.Fprintf(&sheet, `<c r="J%d"><f>F%d*G%d</f><v>%d</v></c></row>`, no, no, no, i*3)
	}
	return workbookOf(sheet.String(), shared, "14", "22", "#,##0.00").zip(t)
}
