package sheet

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"github.com/xuri/excelize/v2"

	"sheetdrop/internal/sheet/types"
)

// Hours of a day are a duration where the workbook displays them as such, [h]:mm, and a time otherwise, as in a text.
func TestDurationsBelowADay(t *testing.T) {
	t.Parallel()
	const elapsed, clock = "[h]:mm", "hh:mm"
	got := shownTypes(t, []string{"name", "worked", "begins", "mixed", "long"}, []shownRow{
		{"n", []float64{8. / 24, 8. / 24, 7. / 24, 30. / 24}, []string{elapsed, clock, elapsed, elapsed}},
		{"n", []float64{7.5 / 24, 9. / 24, 8. / 24, 2. / 24}, []string{elapsed, clock, clock, elapsed}},
		{"n", []float64{6.25 / 24, 8.5 / 24, 9. / 24, 1. / 24}, []string{elapsed, clock, elapsed, elapsed}},
	})
	if want := []types.Type{types.Text, types.Duration, types.Time, types.Time, types.Duration}; !slices.Equal(got, want) {
		t.Errorf("%s, want %s", got, want)
	}
}

// Whole numbers are decimals where the workbook displays most of the column's with decimals, whatever stands above and below them.
func TestWholeNumbersWithDecimals(t *testing.T) {
	t.Parallel()
	const money, whole = "#,##0.00", "0"
	got := shownTypes(t, []string{"name", "price", "pieces", "mixed", "sum"}, []shownRow{
		{"n", []float64{0, 1, 2, 3}, []string{money, whole, whole, whole}},
		{"n", []float64{10, 11, 12, 13}, []string{money, whole, money, whole}},
		{"n", []float64{20, 21, 22, 23}, []string{money, whole, whole, whole}},
		{"n", []float64{30, 31, 32, 33}, []string{money, whole, whole, whole}},
		{"Total", []float64{40, 41, 42, 43}, []string{money, money, money, money}},
	})
	if want := []types.Type{types.Text, types.Decimal, types.Integer, types.Integer, types.Integer}; !slices.Equal(got, want) {
		t.Errorf("%s, want %s", got, want)
	}
}

// LibreOffice and Excel's XML say so by styles of their own.
func TestWholeNumbersWithDecimalsByStyles(t *testing.T) {
	t.Parallel()
	const fods = `<office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
 xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0" xmlns:number="urn:oasis:names:tc:opendocument:xmlns:datastyle:1.0"
 xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"
 office:mimetype="application/vnd.oasis.opendocument.spreadsheet"><office:automatic-styles>
<number:number-style style:name="N0"><number:number number:decimal-places="0"/></number:number-style>
<number:currency-style style:name="N2"><number:number number:decimal-places="2"/><number:text> €</number:text></number:currency-style>
<style:style style:name="whole" style:family="table-cell" style:data-style-name="N0"/>
<style:style style:name="money" style:family="table-cell" style:data-style-name="N2"/></office:automatic-styles>
<office:body><office:spreadsheet><table:table table:name="s">%s</table:table></office:spreadsheet></office:body></office:document>`
	const xml = `<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet">
<Styles><Style ss:ID="whole"><NumberFormat ss:Format="#,##0"/></Style><Style ss:ID="money"><NumberFormat ss:Format="#,##0.00\ &quot;€&quot;"/></Style>
</Styles><Worksheet ss:Name="s"><Table>%s</Table></Worksheet></Workbook>`
	for format, book := range map[string]struct{ frame, row, text, number string }{
		"fods": {fods, "<table:table-row>%s</table:table-row>", "<table:table-cell><text:p>%s</text:p></table:table-cell>",
			`<table:table-cell table:style-name="%s" office:value-type="float" office:value="%d"><text:p>1</text:p></table:table-cell>`},
		"xml": {xml, "<Row>%s</Row>", `<Cell><Data ss:Type="String">%s</Data></Cell>`, `<Cell ss:StyleID="%s"><Data ss:Type="Number">%d</Data></Cell>`},
	} {
		rows := fmt.Sprintf(book.row, fmt.Sprintf(book.text+book.text, "price", "pieces"))
		for i := range 3 {
			rows += fmt.Sprintf(book.row, fmt.Sprintf(book.number+book.number, "money", 10*i, "whole", i))
		}
		_, s := openFirst(t, fmt.Sprintf(book.frame, rows), Options{})
		for range recordsOf(t, s) {
		}
		if c := s.Columns(); len(c) != 2 || c[0].Type != types.Decimal || c[1].Type != types.Integer {
			t.Errorf("%s: %v, want a decimal and an integer", format, c)
		}
	}
}

// shownRow is a name and numbers, with the format by which each is displayed.
type shownRow struct {
	name    string
	numbers []float64
	formats []string
}

// shownTypes returns the types of the columns of a workbook with these rows.
func shownTypes(t *testing.T, names []string, rows []shownRow) (list []types.Type) {
	t.Helper()
	f := excelize.NewFile()
	defer f.Close()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(f.SetSheetRow("Sheet1", "A1", &names))
	for r, row := range rows {
		must(f.SetCellValue("Sheet1", cellName(t, 1, r+2), row.name))
		for c, number := range row.numbers {
			style, err := f.NewStyle(&excelize.Style{CustomNumFmt: &row.formats[c]})
			must(err)
			must(f.SetCellValue("Sheet1", cellName(t, c+2, r+2), number))
			must(f.SetCellStyle("Sheet1", cellName(t, c+2, r+2), cellName(t, c+2, r+2), style))
		}
	}
	var out bytes.Buffer
	must(f.Write(&out))
	_, s := openFirst(t, out.String(), Options{})
	for range recordsOf(t, s) {
	}
	for _, c := range s.Columns() {
		list = append(list, c.Type)
	}
	return list
}

func cellName(t *testing.T, column, row int) string {
	t.Helper()
	name, err := excelize.CoordinatesToCellName(column, row)
	if err != nil {
		t.Fatal(err)
	}
	return name
}
