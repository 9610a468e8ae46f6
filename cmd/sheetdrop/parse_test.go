package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"
)

// runOn runs the program on a pipe that holds that text.
func runOn(t *testing.T, text string, args ...string) (status int, p *program) {
	t.Helper()
	cmd := exec.Command(os.Args[0], args...)
	cmd.Stdin = strings.NewReader(text)
	p = startCommand(t, cmd, "")
	return p.end(), p
}

const (
	refusedPDF = `{"type":"error","code":"unsupported_format","message":"The file is a PDF document, which cannot be read. Copy its table into a spreadsheet and save that as an Excel workbook (xlsx) or CSV.","message_ja":"このファイルはPDF文書で、読めません。表を表計算ソフトにコピーし、Excelブック（xlsx）かCSVとして保存してください。"}
`
	refusedBlank = `{"type":"file","format":"csv","encoding":"utf-8","bytes":2}
{"type":"sheet","sheet":1,"name":"","visible":true,"dialect":{"delimiter":",","quote":"\"","escape":"\"","newline":"\n","header_rows":1,"preamble_rows":0},"columns":[]}
{"type":"record","sheet":1,"row":1,"line":1,"offset":0,"kind":"skip","cells":[""],"errors":[]}
{"type":"record","sheet":1,"row":2,"line":2,"offset":1,"kind":"skip","cells":[""],"errors":[]}
{"type":"error","code":"empty_file","message":"The file contains only blank lines.","message_ja":"ファイルには空行しかありません。"}
`
	everyKind = `{"type":"file","format":"csv","encoding":"utf-8","bytes":51}
{"type":"sheet","sheet":1,"name":"","visible":true,"dialect":{"delimiter":";","quote":"\"","escape":"\"","newline":"\n","header_rows":1,"preamble_rows":0},"columns":["a","b","b_2"]}
{"type":"record","sheet":1,"row":1,"line":1,"offset":3,"kind":"skip","cells":[""],"errors":[]}
{"type":"record","sheet":1,"row":2,"line":2,"offset":4,"kind":"header","cells":["a","b","b"],"errors":[]}
{"type":"record","sheet":1,"row":3,"line":3,"offset":11,"kind":"row","cells":["1","x\"<\n\t>",""],"errors":[]}
{"type":"record","sheet":1,"row":4,"line":5,"offset":25,"kind":"skip","cells":[" "],"errors":[]}
{"type":"record","sheet":1,"row":5,"line":6,"offset":28,"kind":"reject","cells":["2"],"errors":[{"code":"missing_cell","column":2,"last_column":3,"column_name":"b","message":"2 cells are missing: the record has 1 cell, but the header has 3.","message_ja":"2個のセルがありません。このレコードのセルは1個、見出しは3個です。"}]}
{"type":"record","sheet":1,"row":6,"line":7,"offset":31,"kind":"reject","cells":["3","","","4"],"errors":[{"code":"extra_cell","column":4,"last_column":4,"column_name":null,"message":"One cell too many: the record has 4 cells, but the header has 3.","message_ja":"セルが余分です。このレコードのセルは4個、見出しは3個です。"}]}
{"type":"record","sheet":1,"row":7,"line":8,"offset":38,"kind":"reject","cells":["5",null,"ü"],"errors":[{"code":"invalid_encoding","column":2,"last_column":2,"column_name":"b","message":"The text is not valid utf-8: the byte at offset 40 of the file cannot be decoded.","message_ja":"文字コードutf-8として読めません（ファイルの先頭から40バイト目）。"}]}
{"type":"record","sheet":1,"row":8,"line":9,"offset":46,"kind":"reject","cells":["6","\u0000","z"],"errors":[{"code":"invalid_character","column":2,"last_column":2,"column_name":"b","message":"The cell contains the character U+0000, which the database cannot store.","message_ja":"セルに文字U+0000があり、データベースのテキストに格納できません。"}]}
{"type":"summary","rows_read":7,"rows_loaded":1,"rows_rejected":4,"rows_skipped":2,"sheets":[{"sheet":1,"columns":[{"name":"a","type":"integer"},{"name":"b","type":"text"},{"name":"b_2","type":"text"}]}]}
`
	acceptedOnly = `{"type":"file","format":"csv","encoding":"cp932","bytes":19}
{"type":"sheet","sheet":1,"name":"","visible":true,"dialect":{"delimiter":",","quote":"\"","escape":"\"","newline":"\n","header_rows":1,"preamble_rows":0},"columns":["事;z","x"]}
{"type":"record","sheet":1,"row":4,"line":4,"offset":12,"kind":"row","cells":["文;1","y"],"errors":[]}
{"type":"summary","rows_read":3,"rows_loaded":1,"rows_rejected":1,"rows_skipped":1,"sheets":[{"sheet":1,"columns":[{"name":"事;z","type":"text"},{"name":"x","type":"text"}]}]}
`
	tooLong = `{"type":"file","format":"csv","encoding":"utf-8","bytes":35}
{"type":"sheet","sheet":1,"name":"","visible":true,"dialect":{"delimiter":",","quote":"\"","escape":"\"","newline":"\n","header_rows":1,"preamble_rows":0},"columns":["a"]}
{"type":"record","sheet":1,"row":1,"line":1,"offset":0,"kind":"header","cells":["a"],"errors":[]}
{"type":"record","sheet":1,"row":2,"line":2,"offset":2,"kind":"reject","cells":[],"errors":[{"code":"record_too_long","column":null,"last_column":null,"column_name":null,"message":"The record is longer than 20 bytes and was truncated; reading continued on the next line.","message_ja":"レコードが20バイトを超えています。先頭部分だけを残し、次の行から読み取りを続けました。"}]}
{"type":"record","sheet":1,"row":3,"line":3,"offset":33,"kind":"row","cells":["1"],"errors":[]}
{"type":"summary","rows_read":2,"rows_loaded":1,"rows_rejected":1,"rows_skipped":0,"sheets":[{"sheet":1,"columns":[{"name":"a","type":"integer"}]}]}
`
)

// P5: the lines that programs rely on.
func TestNDJSONIsAsDocumented(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		in     string
		args   []string
		status int
		want   string
	}{
		"every kind":         {"\xef\xbb\xbf\na;b;b\r\n1;\"x\"\"<\n\t>\";\r\n \r\n2\r\n3;;;4\r\n5;\xff;ü\r\n6;\x00;z", []string{"--encoding=utf-8"}, 0, everyKind},
		"accepted, options":  {"\n\x8e\x96;z,x\n1;2\n\x95\xb6;1,y\n", []string{"--encoding=cp932", "--delimiter=,", "--records=accepted"}, 0, acceptedOnly},
		"too long":           {"a\n" + strings.Repeat("x", 30) + "\n1\n", []string{"--max-line=20"}, 0, tooLong},
		"refused":            {"%PDF-1.7\n", nil, 1, refusedPDF},
		"refused at its end": {"\n\n", nil, 1, refusedBlank},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			status, p := runOn(t, c.in, append([]string{"parse", "--format=ndjson", "-"}, c.args...)...)
			if got := p.out.String(); status != c.status || got != c.want {
				t.Errorf("exit status %d and\n%swant %d and\n%s", status, got, c.status, c.want)
			}
			if said := p.progress.String(); (said == "") != (c.status == 0) {
				t.Errorf("said %q", said)
			}
		})
	}
}

const workbookLines = `{"type":"sheet","sheet":1,"name":"Empty","visible":true,"dialect":{"header_rows":1,"preamble_rows":0},"columns":[]}
{"type":"sheet","sheet":2,"name":"Secret","visible":false,"dialect":{"header_rows":1,"preamble_rows":0},"columns":[]}
{"type":"sheet","sheet":3,"name":"表 \u0026 1","visible":true,"dialect":{"header_rows":1,"preamble_rows":0},"columns":["a","column_2","c"]}
{"type":"record","sheet":3,"row":1,"ref":"A1","kind":"header","cells":["a",null,"c"],"errors":[]}
{"type":"record","sheet":3,"row":2,"ref":"B2","kind":"row","cells":[null,"0.1",null],"errors":[]}
{"type":"record","sheet":3,"row":3,"ref":"A3","kind":"skip","cells":[],"errors":[]}
{"type":"record","sheet":3,"row":4,"ref":"A4","kind":"reject","cells":["TRUE",null,null,null,"x"],"errors":[{"code":"extra_cell","column":5,"last_column":5,"column_name":null,"message":"One cell too many: the record has 5 cells, but the header has 3.","message_ja":"セルが余分です。このレコードのセルは5個、見出しは3個です。"}]}
{"type":"summary","rows_read":3,"rows_loaded":1,"rows_rejected":1,"rows_skipped":1,"sheets":[{"sheet":1,"columns":[]},{"sheet":2,"columns":[]},{"sheet":3,"columns":[{"name":"a","type":"text"},{"name":"column_2","type":"decimal"},{"name":"c","type":"text"}]}]}
`

// The records of a workbook have the place of their first cell, and hidden sheets are named.
func TestWorkbookIsReadWithItsHiddenSheets(t *testing.T) {
	t.Parallel()
	path := writeWorkbook(t)
	status, p := run(t, "parse", "--format", "ndjson", path)
	first, rest, _ := strings.Cut(p.out.String(), "\n")
	if want := strings.ReplaceAll(workbookLines, `\u0026`, "&"); status != 0 || rest != want {
		t.Errorf("exit status %d and\n%swant\n%s", status, rest, want)
	}
	want(t, first, `{"type":"file","format":"xlsx","bytes":`)

	for _, sought := range []string{"表 & 1", "3"} {
		status, p = run(t, "parse", "--format", "csv", "--sheet", sought, path)
		if got := p.out.String(); status != 0 || got != "a,column_2,c\r\n,0.1,\r\n" {
			t.Errorf("%s: exit status %d, %q", sought, status, got)
		}
	}
	_, p = run(t, "parse", "--format", "ndjson", "--sheet", "3", path)
	if strings.Count(p.out.String(), `"type":"sheet"`) != 1 {
		t.Errorf("not one sheet: %s", p.out)
	}
	_, p = run(t, "parse", path)
	want(t, p.out.String(), "book.xlsx, sheet Secret: hidden, not read\n", "cell A4", "  a     column_2  c\n  text  decimal   text\n        0.1\n",
		"book.xlsx: 3 rows read: 1 accepted, 1 rejected, 1 skipped\n")
}

// The preview shows the first rows and rejects of each sheet.
func TestPreviewShowsFirstRowsAndRejects(t *testing.T) {
	t.Parallel()
	_, p := run(t, "parse", filepath.Join("samples", "orders.csv"))
	want(t, p.out.String(), "㈱髙橋商店", "  … 55 more\n", "line 20  納品先住所  missing_cell", "orders.csv: 65 rows read: 60 accepted, 4 rejected, 1 skipped\n")
	_, p = runOn(t, "a,b\n"+strings.Repeat("1,2\n", 90)+strings.Repeat("1,2,3,x\n", 7), "parse", "-")
	want(t, p.out.String(), "  … 2 more: sheetdrop parse FILE --format=ndjson lists all\n")
	status, p := runOn(t, "id,name\n", "parse", "-") // no rows, but columns
	if status != 0 {
		t.Errorf("no rows: exit status %d", status)
	}
	want(t, p.out.String(), "\n  id    name\n  text  text\n\n", "0 rows read")
	_, p = run(t, "parse", filepath.Join("samples", "stock.xlsx"))
	want(t, p.out.String(), "sheet Stock\n  SKU ", "sheet Movements\n  At ", "  2024-06-03T08:30:00  00100 ", "  … 7 more\n", "cell A14 ")
}

func writeWorkbook(t *testing.T) string {
	t.Helper()
	f := excelize.NewFile()
	defer f.Close()
	var errs []error
	add := func(err error) { errs = append(errs, err) }
	add(f.SetSheetName("Sheet1", "Empty"))
	for _, name := range []string{"Secret", "表 & 1"} {
		_, err := f.NewSheet(name)
		add(err)
	}
	add(f.SetSheetVisible("Secret", false))
	for cell, value := range map[string]any{"A1": "a", "C1": "c", "B2": 0.1, "A4": true, "E4": "x"} {
		add(f.SetCellValue("表 & 1", cell, value))
	}
	path := filepath.Join(t.TempDir(), "book.xlsx")
	add(f.SaveAs(path))
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
	return path
}

// Bad usage is explained, and programs can distinguish it from an input error and from data.
func TestBadUsageHasItsOwnExitStatus(t *testing.T) {
	t.Parallel()
	book := writeWorkbook(t)
	for name, c := range map[string]struct{ args, says string }{
		"no file":            {"parse", "expected"},
		"no such file":       {"parse no-such.csv", "no-such.csv"},
		"a folder":           {"parse samples", "directory"},
		"unknown flag":       {"parse --colour=red " + book, "--colour"},
		"unknown format":     {"parse --format=xml " + book, "--format"},
		"bad option":         {"parse --delimiter=x " + book, "delimiter"},
		"option given twice": {"parse --encoding=utf-8 --encoding=cp932 " + book, "once"},
		"no record length":   {"parse --max-line=0 " + book, "--max-line"},
		"records of csv":     {"parse --format=csv --records=all " + book, "--records"},
		"several sheets":     {"parse --format=csv " + book, "choose one with --sheet: 1 Empty, 3 表 & 1"},
		"no such sheet":      {"parse --sheet=9 " + book, `no worksheet "9"; it has 1 Empty, 2 Secret, 3 表 & 1`},
		"no such sheet here": {"sniff --sheet=2 samples/orders.csv", "no sheet"},
		"no password":        {"parse --password-file=no-such " + book, "--password-file"},
		"an empty password":  {"parse --password-file=" + os.DevNull + " " + book, "empty"},
		"one standard input": {"parse --password-file=- -", "--password-file"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			status, p := run(t, strings.Fields(c.args)...)
			if out := p.out.String(); status != 2 || out != "" && !strings.HasPrefix(out, "Usage: ") {
				t.Errorf("exit status %d, printed %q", status, out)
			}
			want(t, p.progress.String(), c.says)
		})
	}
}

// A closed pipe ends the program without an error message: sheetdrop parse | head.
func TestOutputClosedEarly(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "long.csv")
	write(t, path, "a,b\n"+strings.Repeat("1,2\n", 1<<20)) // more than any pipe holds
	for _, format := range []string{"csv", "ndjson"} {
		out, in, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		var said bytes.Buffer
		cmd := exec.Command(os.Args[0], "parse", "--format", format, path)
		cmd.Env = append(os.Environ(), beSheetdrop+"=1")
		cmd.Stdout, cmd.Stderr = in, &said
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		in.Close()
		if _, err := io.ReadFull(out, make([]byte, 5)); err != nil {
			t.Error(err)
		}
		out.Close()
		if err := cmd.Wait(); err == nil || said.Len() > 0 {
			t.Errorf("%s: ended with %v and said %q", format, err, said.String())
		}
	}
}
