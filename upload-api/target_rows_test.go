package upload

import (
	"bytes"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"

	"sheetdrop/upload-api/internal/export"
	"sheetdrop/upload-api/internal/problem"
	"sheetdrop/upload-api/internal/targets"
)

// everyType has a column of each type, and names that attack whoever does not quote them.
const everyType = `{"name": "al\"l", "key": ["shop.eq", "n\"o"], "columns": [
  {"name": "shop.eq", "label": "店舗", "type": "text", "required": true}, {"name": "n\"o", "type": "integer", "required": true},
  {"name": "net", "type": "decimal", "digits": 30, "scale": 2}, {"name": "stock", "type": "boolean"}, {"name": "day", "type": "date"},
  {"name": "at", "type": "time"}, {"name": "made", "type": "timestamp"}, {"name": "seen", "type": "instant"}, {"name": "took", "type": "duration"},
  {"name": "shop", "type": "text"}]}`

// everyValue has a target with a row of each kind: usual values, empty cells, and what PostgreSQL has and ISO 8601 and JSON have not.
func everyValue(d *testAPI, headers ...string) Target {
	d.t.Helper()
	made := d.target(everyType, headers...)
	table := fmt.Sprintf(`%q."al""l"`, made.Table.Schema)
	d.exec(`insert into ` + table + ` ("shop.eq", "n""o", net, stock, day, at, made, seen, took, shop, _load, _row) values
('a', 1, 1234.5, true, '2026-01-31', '09:05:00', '2026-01-31 09:05:00.5', '2026-01-31T09:05:00+09:00', '27:30:00', '=1+1', 7, 1),
('a', 12345678901234567, 12345678901234567.25, false, '0044-03-15 BC', '24:00:00', '-infinity', 'infinity', '-01:30:00', '', 7, 3),
('b', -1, null, null, null, null, null, null, null, null, 0, 0)`)
	d.exec(`insert into sheetdrop.target_load (id, target_id, task_id, file_id, file_name, sheet_number, version, mode, columns, mapping)
values (7, $1, $1, $1, '一覧.csv', 1, 1, 'insert', '{}', '{}')`, made.ID)
	return made
}

// filters returns the query that has these filters.
func filters(all ...string) string { return "?" + url.Values{"filter": all}.Encode() }

// What a target's table has comes out in the shape of its types, in the order of the key, with where each row comes from if one asks.
func TestRowsOfATarget(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	rows := pathOf(everyValue(d)) + "/rows"
	want := `{"columns": [{"name": "shop.eq", "label": "店舗", "type": "text"}, {"name": "n\"o", "type": "integer"}, {"name": "net", "type": "decimal"},
  {"name": "stock", "type": "boolean"}, {"name": "day", "type": "date"}, {"name": "at", "type": "time"}, {"name": "made", "type": "timestamp"},
  {"name": "seen", "type": "instant"}, {"name": "took", "type": "duration"}, {"name": "shop", "type": "text"}],
"rows": [["a", 1, 1234.50, true, "2026-01-31", "09:05:00", "2026-01-31T09:05:00.5", "2026-01-31T00:05:00Z", "PT27H30M", "=1+1"],
  ["a", "12345678901234567", "12345678901234567.25", false, "0044-03-15 BC", "24:00:00", "-infinity", "infinity", "-PT1H30M", ""],
  ["b", -1, null, null, null, null, null, null, null, null]], "next": null}`
	if got := d.get(rows); !equalJSON(got.body, []byte(want)) {
		t.Errorf("%d %s", got.status, got.body)
	}
	want = `{"shop":"=1+1","n\"o":1,"_load":7,"_row":1,"_file":"一覧.csv","_edited":false}
{"shop":"","n\"o":"12345678901234567","_load":7,"_row":3,"_file":"一覧.csv","_edited":false}
{"shop":null,"n\"o":-1,"_load":0,"_row":0,"_file":null,"_edited":false}
`
	if got := d.get(rows + `?format=ndjson&shape=objects&provenance=true&columns=` + url.QueryEscape(`shop,"n""o"`)); strings.ReplaceAll(string(got.body), "\n}", "}") != want {
		t.Errorf("%d %q", got.status, got.body)
	}
	csv := "shop.eq,\"n\"\"o\",net,stock,day,at,made,seen,took,shop\r\n" +
		"a,1,1234.50,true,2026-01-31,09:05:00,2026-01-31T09:05:00.5,2026-01-31T00:05:00Z,PT27H30M,'=1+1\r\n" +
		"a,12345678901234567,12345678901234567.25,false,0044-03-15 BC,24:00:00,'-infinity,infinity,-PT1H30M,\"\"\r\n" +
		"b,-1,,,,,,,,\r\n"
	answer := d.get(rows + "?format=csv")
	if got := csvOf(answer); got != csv || answer.header.Get("Content-Disposition") != `attachment; filename=al_l.csv` {
		t.Errorf("%q, %s", got, answer.header)
	}
	if got := csvOf(d.get(rows + "?format=csv&limit=1&columns=shop&formulas=keep&bom=true")); got != "\ufeffshop\r\n=1+1\r\n" {
		t.Errorf("with a byte order mark: %q", got)
	}
	if got := d.get(rows + "?format=csv&encoding=cp932&provenance=true&columns=shop&limit=1").body; !bytes.Contains(got, []byte("\x88\xea\x97\x97.csv")) {
		t.Errorf("as CP932: %q", got)
	}
	book := bookOf(d.get(rows + "?format=xlsx"))
	for cell, want := range map[string]string{"A1": "shop.eq", "B2": "1", "C2": "1234.50", "E2": "2026-01-31", "I2": "27:30:00", "J2": "=1+1", "B3": "12345678901234567", "E3": "0044-03-15 BC"} {
		if got, err := book.GetCellValue("Sheet1", cell); err != nil || got != want {
			t.Errorf("%s is %q, %v; want %q", cell, got, err, want)
		}
	}
	content := d.get(rows + "?format=parquet").body
	file, err := parquet.OpenFile(bytes.NewReader(content), int64(len(content)))
	if err != nil || file.NumRows() != 3 || file.Schema().Fields()[7].Type().String() != "STRING" { // infinity is no time of Parquet's
		t.Errorf("parquet: %v, %v", err, file)
	}
	content = d.get(rows + "?format=parquet&limit=1").body
	if file, err = parquet.OpenFile(bytes.NewReader(content), int64(len(content))); err != nil || !strings.HasPrefix(file.Schema().Fields()[7].Type().String(), "TIMESTAMP(isAdjustedToUTC=true") {
		t.Errorf("parquet: %v, %v", err, file.Schema())
	}
}

// shopsAndNumbers returns the keys of all rows that a query finds, page by page.
func shopsAndNumbers(d *testAPI, path, query string) (keys []string) {
	d.t.Helper()
	for cursor := ""; ; {
		var page struct {
			Columns []export.TargetRowColumn
			Rows    [][]any
			Next    *string
		}
		d.get(path+query+"&limit=2"+cursor).into(http.StatusOK, &page)
		for _, row := range page.Rows {
			keys = append(keys, fmt.Sprint(row[0], row[1]))
		}
		if page.Next == nil {
			return keys
		}
		cursor = "&cursor=" + *page.Next
	}
}

// A filter is a condition on a column of the target, whatever stands in it, and pages of it are all rows that it selects, once.
func TestFiltersOfTargetRows(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	rows := pathOf(everyValue(d)) + "/rows"
	const one, big, none = "a1", "a12345678901234567", "b-1"
	for name, c := range map[string]struct{ filters, want []string }{
		"the longest name":   {[]string{"shop.eq.eq.b"}, []string{none}},
		"a name in a name":   {[]string{"shop.eq."}, []string{big}},
		"text":               {[]string{"shop.eq.eq.a", "shop.ne.x"}, []string{one, big}},
		"numbers":            {[]string{"n\"o.gt.-1", "net.le.1234.505"}, []string{one}},
		"big numbers":        {[]string{"n\"o.eq.12345678901234567"}, []string{big}},
		"a list":             {[]string{`n"o.in.1,-1,99`}, []string{one, none}},
		"quoted in a list":   {[]string{`shop.in.=1+1,"a,b"`}, []string{one}},
		"empty cells":        {[]string{"net.is_null"}, []string{none}},
		"cells with a value": {[]string{"shop.not_null"}, []string{one, big}},
		"beginning":          {[]string{"shop.prefix.=1"}, []string{one}},
		"no pattern":         {[]string{"shop.prefix.%"}, nil},
		"truth":              {[]string{"stock.eq.true"}, []string{one}},
		"days":               {[]string{"day.ge.2026-01-31"}, []string{one}},
		"times":              {[]string{"at.lt.10:00:00", "made.gt.2026-01-31T09:05:00"}, []string{one}},
		"moments":            {[]string{"seen.lt.2026-01-31T09:05:01+09:00", "seen.ge.2026-01-31T00:05:00Z"}, []string{one}},
		"durations":          {[]string{"took.eq.-PT1H30M"}, []string{big}},
		"a list of them":     {[]string{"took.in.PT27H30M,-PT1H30M"}, []string{one, big}},
		"quotes are values":  {[]string{`shop.eq.=1+1' or 'a'='a`}, nil},
		"so is SQL":          {[]string{`shop.eq.'; drop table sheetdrop.task; --`}, nil},
	} {
		if got := shopsAndNumbers(d, rows, filters(c.filters...)); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// What is no filter is refused with what is wrong, before the database is asked.
func TestWrongFiltersOfTargetRows(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	rows := pathOf(everyValue(d)) + "/rows"
	for _, filter := range []string{"shop", "shop.", "shop.is", "shop.eq", "shop.like.a", "shop.is_null.x", "nothing.eq.1", "_load.eq.7", "ctid.eq.(0,1)", "xmin.eq.1",
		`shop" is null or "shop.eq.1`, "net.eq.ten", "net.eq.1,5", "net.eq.NaN", "n\"o.eq.1.5", "n\"o.eq.99999999999999999999", "day.eq.2026-02-30", "day.eq.today",
		"seen.eq.2026-01-31T09:05:00", "made.eq.2026-01-31T09:05:00Z", "took.eq.soon", "stock.eq.perhaps", "net.prefix.1", `n"o.in.`, `n"o.in.1,x`, "shop.in.\"a",
		"shop.eq.\x00", "shop.eq.\xff", "shop.in." + strings.Repeat("a,", 1000)} {
		if p := d.get(rows + filters(filter)).problem(problem.InvalidParameter); len(p.Errors) != 1 || p.Errors[0].Location != "query.filter" {
			t.Errorf("%.60q: %+v", filter, p)
		}
	}
	for _, columns := range []string{"nothing", "_load", "ctid", "shop,shop", `"shop`, "shop\nnet", `1) from sheetdrop.task --`} {
		if p := d.get(rows + "?columns=" + url.QueryEscape(columns)).problem(problem.InvalidParameter); p.Errors[0].Location != "query.columns" {
			t.Errorf("%q: %+v", columns, p)
		}
	}
	d.get(rows + filters(slices.Repeat([]string{"shop.not_null"}, 21)...)).problem(problem.InvalidParameter)
	d.get(rows + "?format=csv&shape=objects").problem(problem.InvalidParameter)
	for _, position := range [][]string{{"a"}, {"a", "x"}, {"a", "1", "2"}, {"\x00", "1"}} {
		d.get(rows + "?cursor=" + export.EncodeCursor(strings.TrimPrefix(strings.TrimSuffix(rows, "/rows"), "/api/targets/"), position)).problem(problem.InvalidCursor)
		cursor := export.EncodeCursor("target-rows/"+strings.TrimPrefix(strings.TrimSuffix(rows, "/rows"), "/api/targets/"), position)
		d.get(rows + "?cursor=" + cursor).problem(problem.InvalidCursor)
	}
}

// Rows that people have added differ in nothing but their place, and none is left out or shown twice.
func TestRowsOfATargetWithoutAKey(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	made := d.target(`{"name": "notes", "columns": [{"name": "note", "type": "integer"}, {"name": "also", "type": "text"}]}`)
	d.exec(`insert into data.notes (note) select n from generate_series(1, 7) n`)
	d.exec(`insert into data.notes (note, _load, _row) select 7 + n, 3, n from generate_series(1, 4) n`)
	got := shopsAndNumbers(d, pathOf(made)+"/rows", "?")
	slices.Sort(got)
	if len(slices.Compact(got)) != 11 {
		t.Errorf("%q", got)
	}
}

// P8: the rows of a target are its owner's, and theirs with whom they are shared to be read; the right to load or to define shows none.
func TestRowsOfOthersTargets(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t, withEasyAuth())
	ann, bob, carol, dave, eve := signedIn("ann"), signedIn("bob", "shop"), signedIn("carol"), signedIn("dave"), signedIn("eve", operatorRole)
	made := everyValue(d, ann)
	d.sendJSON(http.MethodPut, pathOf(made)+"/shares", `{"shares": [{"grantee": "role:shop", "may": "read"}, {"grantee": "aad:tenant/carol", "may": "load"},
  {"grantee": "aad:tenant/dave", "may": "define"}]}`, ann).into(http.StatusOK, &targets.TargetShares{})
	for who, want := range map[string]int{ann: http.StatusOK, bob: http.StatusOK, carol: http.StatusForbidden, dave: http.StatusForbidden, eve: http.StatusNotFound} {
		if got := d.get(pathOf(made)+"/rows", who); got.status != want {
			t.Errorf("%d, want %d: %s", got.status, want, got.body)
		}
	}
	d.send(http.MethodDelete, pathOf(made), nil, ann).noContent()
	d.get(pathOf(made)+"/rows", ann).problem(problem.NotFound)
}

// A filter that would take long ends, and keeps no connection; and so does one of a table that somebody has changed.
func TestRowsOfATargetThatAreNotFound(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t, withHandler(func(h *Handler) { h.exporter.RowsTimeout = 50 * time.Millisecond }))
	made := d.target(pricesTarget)
	tx, err := d.sql.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback(t.Context())
	if _, err := tx.Exec(t.Context(), `lock table data.prices in access exclusive mode`); err != nil {
		t.Fatal(err)
	}
	d.get(pathOf(made) + "/rows" + filters("net.gt.1")).problem(problem.QueryTimeout)
	if err := tx.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	d.exec(`alter table data.prices drop column net`)
	d.get(pathOf(made) + "/rows").problem(problem.NotFound)
	d.exec(`drop table data.prices`)
	d.get(pathOf(made) + "/rows").problem(problem.NotFound)
	var idle int
	d.query(&idle, `select count(*) from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`)
	if idle != 0 {
		t.Errorf("%d transactions are open", idle)
	}
}
