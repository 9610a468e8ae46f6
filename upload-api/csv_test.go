package upload

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"sheetdrop/internal/sheet"
	"sheetdrop/upload-api/internal/export"
	"sheetdrop/upload-api/internal/problem"
)

// csvOf returns an answer that has to be CSV.
func csvOf(a answer) string {
	a.t.Helper()
	if a.status != http.StatusOK || a.header.Get("Content-Type") != "text/csv; charset=utf-8; header=present" {
		a.t.Fatalf("%d %s: %.200s", a.status, a.header.Get("Content-Type"), a.body)
	}
	return string(a.body)
}

// Cells come in the types of their columns, what is null as nothing and an empty text as "".
func TestTypedCSV(t *testing.T) {
	t.Parallel()
	d, path := typed(t)
	want := "Stück,account,Preis,在庫,納期,at,made,took,備考\r\n" +
		`1200,12345678901234567890,-1234.50,false,2019-05-01,09:05:00,2024-02-29T23:59:00,PT27H30M,"007 ""<＆>"""` + "\r\n" +
		`"",,,,,,,,""` + "\r\n" + // a record is no blank line
		`"",,,,,,,,` + "\r\n" +
		"about 5,x,,maybe,2024-13-01,25h,,,x\r\n"
	if got := csvOf(d.get(path + "?format=csv")); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	want = "Stück,account,Preis,在庫,納期,at,made,took,備考\r\n" +
		`"1,200",12345678901234567890,"-1.234,50",いいえ,令和元年5月1日,9:05,2024/2/29 23:59,27:30:00,"007 ""<＆>"""` + "\r\n"
	if got := csvOf(d.get(path+"?values=raw&limit=1", "Accept: text/csv")); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// A form that CSV does not have is refused, and none is chosen that was not asked for.
func TestAskForCSV(t *testing.T) {
	t.Parallel()
	d, path := typed(t)
	if p := d.get(path + "?format=csv&shape=objects").problem(problem.InvalidParameter); len(p.Errors) != 1 || p.Errors[0].Location != "query.shape" {
		t.Errorf("problem %+v", p)
	}
	d.get(path+"?shape=objects", "Accept: text/csv").problem(problem.InvalidParameter)
	d.get(path + "?format=csv&formulas=run").problem(problem.InvalidParameter)
	csvOf(d.get(path + "?format=csv&shape=arrays"))
	for accept, want := range map[string]string{
		"text/html,application/xhtml+xml,*/*;q=0.8": export.TypeJSON, "*/*": export.TypeJSON, "application/json;q=0.1, text/csv;q=0.2": export.TypeCSV + "; charset=utf-8; header=present",
	} {
		if got := d.get(path, "Accept: "+accept).header.Get("Content-Type"); got != want {
			t.Errorf("who accepts %s gets %s, want %s", accept, got, want)
		}
	}
}

// Nobody's cells run as formulas in somebody else's spreadsheet program; numbers and names of types are none, and who asks for it gets the
// cells as they are.
func TestFormulasInCSV(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	taken := d.upload("a.csv", "a\n")
	sheetID := sheetOf(d, taken.Task.ID, "=HYPERLINK(A1)", "n", "took")
	d.exec(`update sheetdrop.sheet set columns = jsonb_set(jsonb_set(columns, '{1}', columns->1 || '{"type":"integer","format":"¥#,##0"}'),
'{2}', columns->2 || '{"type":"duration","format":"hh:mm:ss"}')`)
	d.exec(`insert into sheetdrop.sheet_row (sheet_id, row_no, cells) values
($1, 2, array['@SUM(1)', '-¥1,200', '-1:30:00']), ($1, 3, array['-5', '=1+1', '=1+1'])`, sheetID)
	path := "/api/tasks/" + taken.Task.ID.String() + "/sheets/1/rows?format=csv"
	for query, want := range map[string]string{
		"":                             "'=HYPERLINK(A1),n,took\r\n'@SUM(1),-1200,-PT1H30M\r\n-5,'=1+1,'=1+1\r\n",
		"&values=raw":                  "'=HYPERLINK(A1),n,took\r\n'@SUM(1),\"-¥1,200\",-1:30:00\r\n-5,'=1+1,'=1+1\r\n",
		"&formulas=keep":               "=HYPERLINK(A1),n,took\r\n@SUM(1),-1200,-PT1H30M\r\n-5,=1+1,=1+1\r\n",
		"&formulas=keep&values=raw":    "=HYPERLINK(A1),n,took\r\n@SUM(1),\"-¥1,200\",-1:30:00\r\n-5,=1+1,=1+1\r\n",
		"&formulas=keep&limit=1":       "=HYPERLINK(A1),n,took\r\n@SUM(1),-1200,-PT1H30M\r\n",
		"&cursor=" + after(2, sheetID): "'=HYPERLINK(A1),n,took\r\n-5,'=1+1,'=1+1\r\n",
	} {
		if got := csvOf(d.get(path + query)); got != want {
			t.Errorf("%s: got  %q\nwant %q", query, got, want)
		}
	}
	if got := d.get(path).header.Get("Content-Disposition"); got != "attachment; filename=a.sheet1.csv" {
		t.Errorf("Content-Disposition: %s", got)
	}
}

func after(row, sheetID int64) string {
	return export.EncodeCursor(fmt.Sprintf("rows/%d", sheetID), row)
}

// With formulas=keep the cells come back as they stand in the database, for encoding/csv and for our own engine.
func TestCSVRoundTrip(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	taken := d.upload("a.csv", "a\n")
	names := []string{"=a", `b"c`, "d,e", "f;g\th"}
	sheetID := sheetOf(d, taken.Task.ID, names...)
	want := [][]string{names}
	cells := []string{"", " ", "=1+1", "@x", "'=", `"`, `""`, ",", ";", "a\nb", "\n", "\t", "|", "東京", "\ufeffx", " x ", "-5", `\"`, "\\", "#", "a,b;c\td|e"}
	for i, cell := range cells {
		row := []string{fmt.Sprint("row ", i), cell, cells[(i+1)%len(cells)], cells[(i+5)%len(cells)]}
		d.exec(`insert into sheetdrop.sheet_row (sheet_id, row_no, cells) values ($1, $2, $3)`, sheetID, i+2, row)
		want = append(want, row)
	}
	text := csvOf(d.get("/api/tasks/" + taken.Task.ID.String() + "/sheets/1/rows?format=csv&formulas=keep"))
	read, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil || !slices.EqualFunc(read, want, slices.Equal) {
		t.Errorf("encoding/csv reads %q, %v\nwant %q", read, err, want)
	}
	if read := readByEngine(t, text); !slices.EqualFunc(read, want, slices.Equal) {
		t.Errorf("the engine reads %q\nwant %q", read, want)
	}
}

// readByEngine returns the header and the rows of a text that is known to be CSV.
func readByEngine(t *testing.T, text string) (records [][]string) {
	t.Helper()
	options, err := sheet.ParseOptions(map[string][]string{"delimiter": {","}, "quote": {`"`}, "escape": {`"`}, "header": {"1"}, "skip": {"0"}, "footer": {"none"}})
	if err != nil {
		t.Fatal(err)
	}
	book, err := sheet.Open(t.Context(), strings.NewReader(text), options, sheet.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	defer book.Close()
	s, err := book.Next()
	if err != nil {
		t.Fatal(err)
	}
	for {
		rec, err := s.Read()
		if errors.Is(err, io.EOF) {
			return records
		}
		if err != nil || len(rec.Errors) > 0 {
			t.Fatalf("record %q: %v, %v", rec.Raw, rec.Errors, err)
		}
		record := make([]string, len(rec.Cells))
		for i, cell := range rec.Cells {
			record[i] = string(bytes.Clone(cell))
		}
		records = append(records, record)
	}
}

// Rejects come as CSV, too, a line for each reason, the bytes in the record's first: what the file says in them is made
// harmless, what we say is not touched.
func TestRejectsAsCSV(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	taken := d.upload("orders.xlsx", "a\n")
	sheetID := sheetOf(d, taken.Task.ID, "a")
	d.exec(`insert into sheetdrop.row_reject (sheet_id, row_no, error_no, line, byte_offset, column_no, column_name, code, message, message_ja, raw) values
($1, 3, 1, 4, 20, 1, '=a', 'not_allowed', '=1 is not allowed', '＝1は不可', '\xfbff'), ($1, 4, 1, null, null, null, null, 'bad_reference', 'bad, bad', null, null)`, sheetID)
	d.exec(`insert into sheetdrop.row_reject (sheet_id, row_no, error_no, column_no, last_column_no, code, message, more_errors, raw) values
($1, 5, 1, 2, 4, 'missing_cell', 'few', '[{"column_no":1,"last_column_no":1,"column_name":"=a","code":"bad_value","message":"m"}]', 'x')`, sheetID)
	path := "/api/tasks/" + taken.Task.ID.String() + "/sheets/1/rejects?format=csv"
	const header = "row_no,error_no,line,byte_offset,cell_ref,column_no,column_name,code,message,message_ja,raw,last_column_no\r\n"
	want := header + "3,1,4,20,,1,'=a,not_allowed,'=1 is not allowed,'＝1は不可,+/8=,1\r\n" + "4,1,,,,,,bad_reference,\"bad, bad\",,,\r\n" +
		"5,1,,,,2,,missing_cell,few,,eA==,4\r\n5,1,,,,1,'=a,bad_value,m,,,1\r\n"
	a := d.get(path)
	if got := csvOf(a); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if got := a.header.Get("Content-Disposition"); got != "attachment; filename=orders.sheet1.rejects.csv" {
		t.Errorf("Content-Disposition: %s", got)
	}
	if got := csvOf(d.get(path + "&formulas=keep&limit=1")); got != header+"3,1,4,20,,1,=a,not_allowed,=1 is not allowed,＝1は不可,+/8=,1\r\n" {
		t.Errorf("kept: %q", got)
	}
}

// P3: CSV gives all that there is, page after page, and a broken connection where it cannot.
func TestAllRowsAsCSV(t *testing.T) {
	t.Parallel()
	const rows = 2*export.PageRows + 1
	d, path, _ := completed(t, rows)
	read, err := csv.NewReader(strings.NewReader(csvOf(d.get(path + "?format=csv")))).ReadAll()
	if err != nil || len(read) != rows+1 || !slices.Equal(read[0], []string{"sku", "what is it"}) {
		t.Fatalf("%d records, %v", len(read), err)
	}
	for i, record := range read[1:] {
		if record[0] != fmt.Sprint("r", i+1) {
			t.Fatalf("row %d is %q", i+1, record)
		}
	}
}
