package upload

import (
	"bytes"
	"fmt"
	"mime"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/xuri/excelize/v2"
	"golang.org/x/text/encoding/japanese"

	"sheetdrop/upload-api/internal/export"
	"sheetdrop/upload-api/internal/problem"
)

// bookOf returns an answer that has to be a workbook.
func bookOf(a answer) *excelize.File {
	a.t.Helper()
	if a.status != http.StatusOK || a.header.Get("Content-Type") != export.TypeXLSX {
		a.t.Fatalf("%d %s: %.200s", a.status, a.header.Get("Content-Type"), a.body)
	}
	book, err := excelize.OpenReader(bytes.NewReader(a.body))
	if err != nil {
		a.t.Fatal(err)
	}
	a.t.Cleanup(func() { book.Close() })
	return book
}

// A workbook has numbers, dates, times and booleans as such, and everything else as text.
func TestTypedWorkbook(t *testing.T) {
	t.Parallel()
	d, path := typed(t)
	book := bookOf(d.get(path + "?format=xlsx"))
	for cell, want := range map[string]struct {
		kind       excelize.CellType
		raw, shown string
	}{
		"A1": {excelize.CellTypeInlineString, "Stück", "Stück"},
		"A2": {excelize.CellTypeUnset, "1200", "1,200"},
		"B2": {excelize.CellTypeInlineString, "12345678901234567890", "12345678901234567890"}, // more digits than Excel keeps
		"C2": {excelize.CellTypeUnset, "-1234.50", "-1,234.50"},
		"D2": {excelize.CellTypeBool, "0", "FALSE"},
		"E2": {excelize.CellTypeUnset, "43586", "2019-05-01"},
		"F2": {excelize.CellTypeUnset, "0.3784722222222222", "09:05:00"},
		"G2": {excelize.CellTypeUnset, "45351.99930555555", "2024-02-29 23:59:00"},
		"H2": {excelize.CellTypeUnset, "1.1458333333333333", "27:30:00"},
		"I2": {excelize.CellTypeInlineString, `007 "<＆>"`, `007 "<＆>"`},
		"A5": {excelize.CellTypeInlineString, "about 5", "about 5"},
		"E5": {excelize.CellTypeInlineString, "2024-13-01", "2024-13-01"},
	} {
		kind, err := book.GetCellType("Sheet1", cell)
		raw, err2 := book.GetCellValue("Sheet1", cell, excelize.Options{RawCellValue: true})
		shown, err3 := book.GetCellValue("Sheet1", cell)
		if err != nil || err2 != nil || err3 != nil || kind != want.kind || raw != want.raw || shown != want.shown {
			t.Errorf("%s is type %d, %q, shown as %q, want %+v", cell, kind, raw, shown, want)
		}
	}
	if panes, err := book.GetPanes("Sheet1"); err != nil || !panes.Freeze || panes.YSplit != 1 {
		t.Errorf("the header does not stay in view: %+v, %v", panes, err)
	}
	if rows, err := book.GetRows("Sheet1"); err != nil || len(rows) != 5 {
		t.Errorf("%d rows, %v", len(rows), err)
	}
	book = bookOf(d.get(path+"?values=raw&limit=1", "Accept: "+export.TypeXLSX))
	if rows, _ := book.GetRows("Sheet1"); len(rows) != 2 || rows[1][2] != "-1.234,50" || rows[1][4] != "令和元年5月1日" {
		t.Errorf("raw: %q", rows)
	}
}

// Nobody's text becomes a formula in a workbook, whatever it begins with, and none of its characters is lost.
func TestTextsInWorkbook(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	taken := d.upload("%E6%B3%A8%E6%96%87%20%E4%B8%80.csv", "a\n")
	sheetID := sheetOf(d, taken.Task.ID, "=HYPERLINK(A1)", "b")
	texts := []string{"=1+1", "+1", "-1", "@SUM(1)", "＝1", "\t=1", "a\r\nb", "_x0041_", "_x000d_", "\u0001\u001f", "<&>\"'", "𠮷野家", " x ", "007", "\uffff", "1E5"}
	for i, text := range texts {
		d.exec(`insert into sheetdrop.sheet_row (sheet_id, row_no, cells) values ($1, $2, $3)`, sheetID, i+2, []string{text, ""})
	}
	long := strings.Repeat("長", 33_000) + "𠮷"
	d.exec(`insert into sheetdrop.sheet_row (sheet_id, row_no, cells) values ($1, 100, $2)`, sheetID, []string{long, "b"})
	a := d.get("/api/tasks/" + taken.Task.ID.String() + "/sheets/1/rows?format=xlsx")
	if _, params, err := mime.ParseMediaType(a.header.Get("Content-Disposition")); err != nil || params["filename"] != "注文 一.sheet1.xlsx" {
		t.Errorf("Content-Disposition: %s", a.header.Get("Content-Disposition"))
	}
	book := bookOf(a)
	for i, text := range append([]string{"=HYPERLINK(A1)"}, texts...) {
		cell := fmt.Sprint("A", i+1)
		got, err := book.GetCellValue("Sheet1", cell)
		formula, _ := book.GetCellFormula("Sheet1", cell)
		if err != nil || got != text || formula != "" {
			t.Errorf("%s is %q with the formula %q, %v, want %q", cell, got, formula, err, text)
		}
	}
	cut, _ := book.GetCellValue("Sheet1", fmt.Sprint("A", len(texts)+2))
	if want := strings.Repeat("長", 32_766) + "…"; cut != want {
		t.Errorf("a text of 33,001 characters became one of %d", len([]rune(cut)))
	}
	if rows, err := book.GetRows("Shortened"); err != nil || len(rows) != 2 || rows[1][0] != fmt.Sprint("Sheet1!A", len(texts)+2) {
		t.Errorf("the list of shortened texts is %q, %v", rows, err)
	}
}

// parquetOf returns the columns, with their types, and the rows of an answer that has to be Parquet.
func parquetOf(a answer) (columns []string, rows [][]string) {
	a.t.Helper()
	if a.status != http.StatusOK || a.header.Get("Content-Type") != export.TypeParquet {
		a.t.Fatalf("%d %s: %.200s", a.status, a.header.Get("Content-Type"), a.body)
	}
	file, err := parquet.OpenFile(bytes.NewReader(a.body), int64(len(a.body)))
	if err != nil {
		a.t.Fatal(err)
	}
	for _, c := range file.Root().Columns() {
		columns = append(columns, c.Name()+" "+c.Type().String())
	}
	reader := parquet.NewReader(file)
	defer reader.Close()
	buffer := make([]parquet.Row, 1)
	for {
		n, err := reader.ReadRows(buffer)
		if n == 0 {
			return columns, rows
		}
		if err != nil && n == 0 {
			a.t.Fatal(err)
		}
		row := make([]string, len(columns))
		for _, v := range buffer[0] {
			row[v.Column()] = v.String()
		}
		rows = append(rows, row)
	}
}

// A Parquet file has each column in the type that holds all its values, and a column with one that does not fit as text.
func TestTypedParquet(t *testing.T) {
	t.Parallel()
	d, path := typed(t)
	columns, rows := parquetOf(d.get(path + "?format=parquet"))
	want := []string{"Stück STRING", "account STRING", "Preis DECIMAL(18,2)", "在庫 STRING", "納期 STRING", "at STRING", "made TIMESTAMP(isAdjustedToUTC=false,unit=MICROS)", "took STRING", "備考 STRING"}
	if !slices.Equal(columns, want) {
		t.Errorf("columns %q\nwant %q", columns, want)
	}
	if len(rows) != 4 || rows[0][0] != "1200" || rows[1][0] != "<null>" || rows[3][0] != "about 5" {
		t.Errorf("rows %q", rows)
	}
	d.exec(`delete from sheetdrop.sheet_row where row_no = 5`)
	columns, rows = parquetOf(d.get(path+"?limit=100", "Accept: application/vnd.apache.parquet"))
	want = []string{"Stück INT(64,true)", "account DECIMAL(38,0)", "Preis DECIMAL(18,2)", "在庫 BOOLEAN", "納期 DATE", "at TIME(isAdjustedToUTC=false,unit=MICROS)",
		"made TIMESTAMP(isAdjustedToUTC=false,unit=MICROS)", "took STRING", "備考 STRING"}
	if !slices.Equal(columns, want) {
		t.Errorf("columns %q\nwant %q", columns, want)
	}
	if len(rows) != 3 || rows[0][2] != "-123450" || rows[0][3] != "false" || rows[0][4] != "18017" || rows[0][5] != "32700000000" || rows[0][7] != "PT27H30M" {
		t.Errorf("rows %q", rows)
	}
	if got := rows[1]; got[8] != "" || got[7] != "<null>" {
		t.Errorf("an empty text and a null are %q", got)
	}
}

// A column of CP932 either has its characters, or the answer says which it cannot have, before the first byte; who says so gets 〓 for them.
func TestCSVInCP932(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	taken := d.upload("a.csv", "a\n")
	sheetID := sheetOf(d, taken.Task.ID, "氏名", "メモ")
	d.exec(`insert into sheetdrop.sheet_row (sheet_id, row_no, cells) values ($1, 2, '{髙橋〜,①㈱ﾃｽﾄ}'), ($1, 3, '{表ソ,"=1"}')`, sheetID)
	path := "/api/tasks/" + taken.Task.ID.String() + "/sheets/1/rows?format=csv"
	for _, encoding := range []string{"cp932", "shift_jis"} {
		a := d.get(path + "&encoding=" + encoding)
		text, err := japanese.ShiftJIS.NewDecoder().Bytes(a.body)
		if want := "氏名,メモ\r\n髙橋～,①㈱ﾃｽﾄ\r\n表ソ,'=1\r\n"; err != nil || string(text) != want || a.header.Get("Content-Type") != "text/csv; charset=windows-31j; header=present" {
			t.Errorf("%s %q, %v", a.header.Get("Content-Type"), text, err)
		}
	}
	d.exec(`insert into sheetdrop.sheet_row (sheet_id, row_no, cells) values ($1, 4, '{𠮷野,😀}')`, sheetID)
	if p := d.get(path + "&encoding=cp932").problem(problem.NotEncodable); !strings.Contains(p.Detail, `row 4, column "氏名": '𠮷', U+20BB7`) {
		t.Errorf("detail %q", p.Detail)
	}
	if text, _ := japanese.ShiftJIS.NewDecoder().Bytes(d.get(path + "&encoding=cp932&unmappable=geta").body); !strings.HasSuffix(string(text), "〓野,〓\r\n") {
		t.Errorf("replaced: %q", text)
	}
	if text := string(d.get(path + "&bom=true&limit=1").body); text != "\ufeff氏名,メモ\r\n髙橋〜,①㈱ﾃｽﾄ\r\n" {
		t.Errorf("with a byte order mark: %q", text)
	}
	for _, query := range []string{"&encoding=cp932&bom=true", "&unmappable=geta", "&encoding=latin1"} {
		d.get(path + query).problem(problem.InvalidParameter)
	}
	for _, query := range []string{"json&encoding=cp932", "xlsx&bom=true", "parquet&encoding=utf-8"} {
		d.get(strings.TrimSuffix(path, "csv") + query).problem(problem.InvalidParameter)
	}
}

// P3: a workbook and a Parquet file have all rows, page after page, and none twice.
func TestAllRowsAsTables(t *testing.T) {
	t.Parallel()
	const rows = 2*export.PageRows + 1
	d, path, _ := completed(t, rows)
	read, err := bookOf(d.get(path + "?format=xlsx")).GetRows("Sheet1")
	if err != nil || len(read) != rows+1 {
		t.Fatalf("%d rows, %v", len(read), err)
	}
	_, parquetRows := parquetOf(d.get(path + "?format=parquet"))
	if len(parquetRows) != rows {
		t.Fatalf("%d rows of Parquet", len(parquetRows))
	}
	for i := range rows {
		if want := fmt.Sprint("r", i+1); read[i+1][0] != want || parquetRows[i][0] != want {
			t.Fatalf("row %d is %q and %q", i+1, read[i+1], parquetRows[i])
		}
	}
}

// A sheet without rows is a table with a header alone, and one with more columns than a worksheet can have is refused as such.
func TestTablesWithoutRows(t *testing.T) {
	t.Parallel()
	d, path, sheetID := completed(t, 0)
	if rows, err := bookOf(d.get(path + "?format=xlsx")).GetRows("Sheet1"); err != nil || len(rows) != 1 {
		t.Errorf("rows %q, %v", rows, err)
	}
	if columns, rows := parquetOf(d.get(path + "?format=parquet")); len(columns) != 2 || len(rows) != 0 {
		t.Errorf("columns %q, rows %q", columns, rows)
	}
	d.exec(`update sheetdrop.sheet set columns = (select jsonb_agg(columns->0 || jsonb_build_object('name', 'c' || i)) from generate_series(1, 16385) i) where id = $1`, sheetID)
	d.get(path + "?format=xlsx").problem(problem.TooManyColumns)
	d.get(path + "?format=parquet").problem(problem.TooManyColumns)
}
