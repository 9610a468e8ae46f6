package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/xuri/excelize/v2"
)

// Rows come out in each format, into a file or the standard output, and the rejects as a workbook that goes back corrected.
func TestRowsOutAndRejectsBack(t *testing.T) {
	t.Parallel()
	running, query := runLocal(t)
	folder := t.TempDir()
	file := filepath.Join(folder, "list.csv")
	write(t, file, "id,name\n1,東京\n2\n3,𠮷野\n")
	if status, p := run(t, "upload", "--url", running.APIURL, file); status != 0 {
		t.Fatalf("upload: %s", p.progress.String())
	}
	task := query(`select id::text from sheetdrop.task`)
	get := func(succeeds bool, args ...string) *program {
		t.Helper()
		status, p := run(t, append(args, "--url", running.APIURL)...)
		if (status == 0) != succeeds {
			t.Fatalf("%q: exit status %d, %s", args, status, p.progress.String())
		}
		return p
	}
	out := func(name string) string { return filepath.Join(folder, name) }
	read := func(name string) []byte {
		t.Helper()
		content, err := os.ReadFile(out(name))
		if err != nil {
			t.Fatal(err)
		}
		return content
	}

	if got := get(true, "rows", task).out.String(); got != "id,name\r\n1,東京\r\n3,𠮷野\r\n" {
		t.Errorf("standard output: %q", got)
	}
	get(true, "rows", task, "-o", out("rows.ndjson"))
	if got := string(read("rows.ndjson")); got != "[1,\"東京\"]\n[3,\"𠮷野\"]\n" {
		t.Errorf("ndjson: %q", got)
	}
	var objects []map[string]any
	if err := json.Unmarshal([]byte(get(true, "rows", task, "--format=json").out.String()), &objects); err != nil || len(objects) != 2 || objects[1]["name"] != "𠮷野" {
		t.Errorf("json: %v, %v", objects, err)
	}
	get(true, "rows", task, "-o", out("rows.parquet"))
	if content := read("rows.parquet"); len(content) > 0 {
		if f, err := parquet.OpenFile(bytes.NewReader(content), int64(len(content))); err != nil || f.NumRows() != 2 {
			t.Errorf("parquet: %v", err)
		}
	}
	for _, command := range []string{"rows", "rejects"} {
		status, p := run(t, command, task, "--sheet=2", "--url", running.APIURL)
		if status != 2 {
			t.Errorf("%s of a sheet that is not there: exit status %d", command, status)
		}
		want(t, p.progress.String(), "--sheet: there is no sheet 2; those that there are: 1\n")
	}
	want(t, get(false, "rows", task, "--encoding=cp932", "-o", out("rows.csv")).progress.String(), "not_encodable", "U+20BB7")
	if entries, err := os.ReadDir(folder); err != nil || len(entries) != 3 {
		t.Errorf("what could not be written left %v, %v", entries, err)
	}
	get(true, "rows", task, "--encoding=cp932", "--unmappable=geta", "-o", out("rows.csv"))
	if got := read("rows.csv"); !bytes.Contains(got, []byte("3,\x81\xac")) {
		t.Errorf("cp932: %q", got)
	}

	get(true, "rejects", task, "--language=ja", "-o", out("rejects.xlsx"))
	book, err := excelize.OpenFile(out("rejects.xlsx"))
	if err != nil {
		t.Fatal(err)
	}
	if reason, _ := book.GetCellValue("Sheet1", "C2"); !strings.Contains(reason, "セルがありません") {
		t.Errorf("the reason is %q", reason)
	}
	if err := book.SetCellStr("Sheet1", "E2", "大阪"); err != nil {
		t.Fatal(err)
	}
	if err := book.Save(); err != nil {
		t.Fatal(err)
	}
	if got := get(true, "upload", "--corrects", task+"/1", out("rejects.xlsx")).out.String(); strings.Contains(got, "select * from") {
		t.Errorf("a view is made of the corrections themselves: %s", got)
	}
	if got := get(true, "rows", task).out.String(); got != "id,name\r\n1,東京\r\n2,大阪\r\n3,𠮷野\r\n" {
		t.Errorf("with the corrected row: %q", got)
	}
	if got := get(true, "rejects", task, "--format=json").out.String(); got != "[]\n" {
		t.Errorf("the rejects that are left: %q", got)
	}
}
