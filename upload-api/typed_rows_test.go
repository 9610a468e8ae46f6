package upload

import (
	"net/http"
	"slices"
	"testing"

	"sheetdrop/internal/sheet"
	"sheetdrop/internal/sheet/types"
	"sheetdrop/upload-api/internal/export"
	"sheetdrop/upload-api/internal/problem"
)

// typed has a column of each type, whose rows are: full of values, empty cells, no cells, and values that are not of the type.
func typed(t *testing.T) (d *testAPI, path string) {
	t.Helper()
	d = newTestAPI(t)
	taken := d.upload("a.csv", "a\n")
	columns := []struct {
		label, kind, format string
		digits              int
	}{
		{"Stück", "integer", "#,##0", 4}, {"account", "integer", "0", 20}, {"Preis", "decimal", "#.##0,0", 6}, {"在庫", "boolean", "はい/いいえ", 0},
		{"納期", "date", "era", 0}, {"at", "time", "hh:mm", 0}, {"made", "timestamp", "YYYY/MM/DD hh:mm", 0}, {"took", "duration", "hh:mm:ss", 0},
		{"備考 ", "text", "", 0},
	}
	shown := make([]sheet.Column, len(columns))
	for i, c := range columns {
		shown[i] = sheet.Column{Name: c.label, Label: c.label, Report: types.Report{Type: types.Type(c.kind), Format: c.format, Digits: c.digits}}
	}
	shown[8].Name = "備考"
	sheetID := sheetOf(d, taken.Task.ID)
	d.exec(`update sheetdrop.sheet set columns = $1`, jsonOf(shown))
	d.exec(`insert into sheetdrop.sheet_row (sheet_id, row_no, line, cells) values
($1, 2, 2, array['1,200', '12345678901234567890', '-1.234,50', 'いいえ', '令和元年5月1日', '9:05', '2024/2/29 23:59', '27:30:00', '007 "<＆>"']),
($1, 3, 3, array['', '  ', '　', '', '', '', '', '', '']),
($1, 4, null, array[null, null, null, null, null, null, null, null, null]::text[]),
($1, 5, 5, array['about 5', 'x', '', 'maybe', '2024-13-01', '25h', '', '', 'x'])`, sheetID)
	return d, "/api/tasks/" + taken.Task.ID.String() + "/sheets/1/rows"
}

// Cells come in the types of their columns, what is empty as null; numbers that JSON's readers would round come as strings.
func TestTypedRows(t *testing.T) {
	t.Parallel()
	d, path := typed(t)
	want := []string{
		`[1200,"12345678901234567890",-1234.50,false,"2019-05-01","09:05:00","2024-02-29T23:59:00","PT27H30M","007 \"<＆>\""]`,
		`[null,null,null,null,null,null,null,null,""]`,
		`[null,null,null,null,null,null,null,null,null]`,
		`["about 5","x",null,"maybe","2024-13-01","25h",null,null,"x"]`,
	}
	if got := ndjson(d.get(path + "?format=ndjson")); !slices.Equal(got, want) {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	want = []string{`{"Stück":1200,"account":"12345678901234567890","Preis":-1234.50,"在庫":false,"納期":"2019-05-01","at":"09:05:00",` +
		`"made":"2024-02-29T23:59:00","took":"PT27H30M","備考":"007 \"<＆>\""}`}
	if got := ndjson(d.get(path + "?format=ndjson&shape=objects&values=typed&limit=1")); !slices.Equal(got, want) {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// values=raw is the file's own text, and tells an empty cell from none.
func TestRawRows(t *testing.T) {
	t.Parallel()
	d, path := typed(t)
	want := []string{
		`["1,200","12345678901234567890","-1.234,50","いいえ","令和元年5月1日","9:05","2024/2/29 23:59","27:30:00","007 \"<＆>\""]`,
		`["","  ","　","","","","","",""]`,
		`[null,null,null,null,null,null,null,null,null]`,
		`["about 5","x","","maybe","2024-13-01","25h","","","x"]`,
	}
	if got := ndjson(d.get(path + "?format=ndjson&values=raw")); !slices.Equal(got, want) {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	d.get(path + "?values=cooked").problem(problem.InvalidParameter)
}

// The answer says of each column what its values are and how the file writes them.
func TestTypesOfRows(t *testing.T) {
	t.Parallel()
	d, path := typed(t)
	var page export.Rows
	d.get(path+"?limit=1").into(http.StatusOK, &page)
	if got, want := page.Columns[4], (export.RowColumn{Name: "納期", Label: "納期", Type: "date", Format: "era"}); len(page.Columns) != 9 || got != want {
		t.Errorf("%d columns, one is %+v, want %+v", len(page.Columns), got, want)
	}
	if got, want := page.Columns[8], (export.RowColumn{Name: "備考", Label: "備考 ", Type: "text"}); got != want {
		t.Errorf("a column is %+v, want %+v", got, want)
	}
}

// Rows from before there were types are text.
func TestRowsOfAnOldTask(t *testing.T) {
	t.Parallel()
	d, path := typed(t)
	d.exec(`update sheetdrop.sheet set columns = (select jsonb_agg(jsonb_build_object('name', c->'name', 'label', c->'label', 'type', 'text', 'nulls', 2))
from jsonb_array_elements(columns) c)`)
	if got, want := ndjson(d.get(path + "?format=ndjson&limit=1"))[0], ndjson(d.get(path + "?format=ndjson&limit=1&values=raw"))[0]; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
