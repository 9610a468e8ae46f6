package upload

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"sheetdrop/internal/sheet"
	"sheetdrop/internal/sheet/types"
	"sheetdrop/internal/task"
	"sheetdrop/upload-api/internal/export"
	"sheetdrop/upload-api/internal/problem"
)

// sheetOf completes a task with one sheet of the given columns, as a worker would, and returns the sheet's id.
func sheetOf(d *testAPI, taskID uuid.UUID, columns ...string) (sheetID int64) {
	d.t.Helper()
	shown := make([]sheet.Column, len(columns))
	for i, name := range columns {
		shown[i] = sheet.Column{Name: name, Label: name, Report: types.Report{Type: types.Text}}
	}
	d.exec(`update sheetdrop.task set status = 'COMPLETED', attempt = 1, started_at = now(), finished_at = now(),
summary = '{"rows_read":0,"rows_loaded":0,"rows_rejected":0,"rows_skipped":0,"sheets":[]}' where id = $1`, taskID)
	d.query(&sheetID, `insert into sheetdrop.sheet
(id, task_id, number, name, visible, dialect, columns, rows_read, rows_loaded, rows_rejected, rows_skipped)
values (nextval('sheetdrop.sheet_id'), $1, 1, 'Sheet1', true, '{"delimiter":","}', $2, 0, 0, 0, 0) returning id`, taskID, jsonOf(shown))
	return sheetID
}

// fill gives a sheet rows that each skip a number, as a file with blank lines does.
func fill(d *testAPI, sheetID int64, rows int) {
	d.t.Helper()
	d.exec(`insert into sheetdrop.sheet_row (sheet_id, row_no, line, cells)
select $1, 2 * i, 2 * i, array['r' || i, case when i % 10 = 0 then null else '"<x>\' end] from generate_series(1, $2::int) i`, sheetID, rows)
}

func completed(t testing.TB, rows int) (d *testAPI, rowsPath string, sheetID int64) {
	t.Helper()
	d = newTestAPI(t)
	taken := d.upload("a.csv", "a\n")
	sheetID = sheetOf(d, taken.Task.ID, "sku", "what is it")
	fill(d, sheetID, rows)
	return d, "/api/tasks/" + taken.Task.ID.String() + "/sheets/1/rows", sheetID
}

func checkRow(t *testing.T, row []*string, i int) {
	t.Helper()
	good := len(row) == 2 && row[0] != nil && *row[0] == fmt.Sprint("r", i) && (row[1] == nil) == (i%10 == 0) && (row[1] == nil || *row[1] == `"<x>\`)
	if !good {
		t.Fatalf("row %d is %s", i, jsonOf(row))
	}
}

// Pages follow each other without gap or repetition, and the last one says so, also when it is full.
func TestRowPages(t *testing.T) {
	t.Parallel()
	d, path, _ := completed(t, 60)
	for _, limit := range []int{7, 20, 60, 61} {
		cursor, seen := "", 0
		for {
			var page struct {
				Columns []export.RowColumn
				Rows    [][]*string
				Next    *string
			}
			d.get(fmt.Sprintf("%s?limit=%d&cursor=%s", path, limit, cursor)).into(http.StatusOK, &page)
			if len(page.Columns) != 2 || page.Columns[1] != (export.RowColumn{Name: "what is it", Label: "what is it", Type: "text"}) {
				t.Fatalf("columns %+v", page.Columns)
			}
			for _, row := range page.Rows {
				seen++
				checkRow(t, row, seen)
			}
			if page.Next == nil {
				break
			}
			if len(page.Rows) != limit {
				t.Fatalf("a page of %d rows, and not the last", len(page.Rows))
			}
			cursor = *page.Next
		}
		if seen != 60 {
			t.Errorf("%d rows in pages of %d", seen, limit)
		}
	}
	d.get(path + "?cursor=" + export.EncodeCursor("rows/999", 5)).problem(problem.InvalidCursor)
}

// A row can be had as an object, whose members stand in the order of the columns.
func TestRowObjects(t *testing.T) {
	t.Parallel()
	d, path, _ := completed(t, 10)
	want := `{"sku":"r1","what is it":"\"<x>\\"}`
	if lines := ndjson(d.get(path + "?shape=objects&format=ndjson&limit=1")); len(lines) != 1 || lines[0] != want {
		t.Errorf("got %q, want %q", lines, want)
	}
	var page struct {
		Columns []export.RowColumn
		Rows    []map[string]*string
		Next    *string
	}
	d.get(path+"?shape=objects").into(http.StatusOK, &page)
	if len(page.Rows) != 10 || page.Rows[9]["what is it"] != nil || *page.Rows[9]["sku"] != "r10" || page.Next != nil {
		t.Errorf("page %s", jsonOf(page))
	}
}

func ndjson(a answer) []string {
	a.t.Helper()
	if a.status != http.StatusOK || a.header.Get("Content-Type") != export.TypeNDJSON {
		a.t.Fatalf("%d %s: %.200s", a.status, a.header.Get("Content-Type"), a.body)
	}
	return slices.Collect(strings.SplitSeq(strings.TrimSuffix(string(a.body), "\n"), "\n"))
}

// NDJSON gives all that there is from the cursor on, over the limit of a page, and as much as is asked for where a limit is given.
func TestNDJSON(t *testing.T) {
	t.Parallel()
	const rows = 2*export.PageRows + 1
	d, path, sheetID := completed(t, rows)
	lines := ndjson(d.get(path, "Accept: "+export.TypeNDJSON))
	if len(lines) != rows {
		t.Fatalf("%d lines", len(lines))
	}
	for i, line := range lines {
		var row []*string
		if err := json.Unmarshal([]byte(line), &row); err != nil {
			t.Fatal(err)
		}
		checkRow(t, row, i+1)
	}
	cursor := export.EncodeCursor(fmt.Sprintf("rows/%d", sheetID), int64(2*(rows-3)))
	if n := len(ndjson(d.get(path + "?format=ndjson&cursor=" + cursor))); n != 3 {
		t.Errorf("%d lines after the cursor, want 3", n)
	}
	if n := len(ndjson(d.get(path + "?format=ndjson&limit=12"))); n != 12 {
		t.Errorf("%d lines, want 12", n)
	}
	if a := d.get(path+"?format=json&limit=1", "Accept: "+export.TypeNDJSON); a.header.Get("Content-Type") != export.TypeJSON {
		t.Errorf("format does not win over Accept: %s", a.header.Get("Content-Type"))
	}
}

// P9: rows that are big come in smaller pages, without one missing.
func TestBigRows(t *testing.T) {
	t.Parallel()
	d, path, sheetID := completed(t, 0)
	d.exec(`insert into sheetdrop.sheet_row (sheet_id, row_no, cells) select $1, i, array[repeat('x', 3 << 20), i::text] from generate_series(1, 9) i`, sheetID)
	first, more, err := d.db.RowReader(sheetID).Page(t.Context(), 0, 9)
	if err != nil || !more || len(first) >= 9 {
		t.Errorf("a page of %d rows of 3 MiB, more %v: %v", len(first), more, err)
	}
	lines := ndjson(d.get(path + "?format=ndjson"))
	if len(lines) != 9 || !strings.HasSuffix(lines[8], `"9"]`) {
		t.Errorf("%d lines", len(lines))
	}
}

// P3: an answer that cannot be finished breaks the connection: a part of the rows must not look like all of them.
func TestUnfinishedStream(t *testing.T) {
	t.Parallel()
	d, path, sheetID := completed(t, 0)
	d.exec(`insert into sheetdrop.sheet_row (sheet_id, row_no, cells) select $1, i, array[repeat('x', 3000)] from generate_series(1, $2::int) i`, sheetID, 6*export.PageRows)
	for _, format := range []string{"ndjson", "csv", "json&limit=10000"} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, d.server.URL+path+"?format="+format, nil)
		if err != nil {
			t.Fatal(err)
		}
		response, err := d.server.Client().Do(r)
		if err != nil {
			t.Fatal(err)
		}
		d.exec(`update sheetdrop.source_file set deleted_at = now()`) // the server is ahead by what the sockets hold, a part of a page
		n, err := io.Copy(io.Discard, response.Body)
		response.Body.Close()
		d.exec(`update sheetdrop.source_file set deleted_at = null`)
		if err == nil {
			t.Errorf("%s: %d bytes that look complete", format, n)
		}
	}
}

// P3: rows are there exactly when the task is COMPLETED, rejects also when it FAILED.
func TestRowsOnlyWhenCompleted(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	taken := d.upload("a.csv", "a\n")
	sheetOf(d, taken.Task.ID, "a")
	path := "/api/tasks/" + taken.Task.ID.String()
	for status, rejects := range map[task.Status]int{
		task.Pending: http.StatusConflict, task.Processing: http.StatusConflict, task.Cancelled: http.StatusConflict, task.Failed: http.StatusOK,
	} {
		setStatus(d, taken.Task.ID, status)
		if p := d.get(path + "/sheets/1/rows").problem(problem.NotCompleted); !strings.Contains(p.Detail, string(status)) {
			t.Errorf("%s: it says %q", status, p.Detail)
		}
		for _, below := range []string{"/sheets", "/sheets/1/rejects"} {
			if got := d.get(path + below).status; got != rejects {
				t.Errorf("%s of a task that is %s: %d, want %d", below, status, got, rejects)
			}
		}
	}
}

// A dry run is COMPLETED and has no rows: asking for them is an error of its own, so that nobody takes the file for an empty one.
func TestRowsOfADryRun(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	taken := d.upload("a.csv&dry_run=true", "a\n1\n")
	sheetOf(d, taken.Task.ID, "a")
	d.exec(`update sheetdrop.sheet set rows_read = 1, rows_skipped = 1, rows_valid = 1`)
	path := "/api/tasks/" + taken.Task.ID.String() + "/sheets"
	d.get(path + "/1/rows").problem(problem.DryRun)
	var sheets export.List[export.Sheet]
	if d.get(path).into(http.StatusOK, &sheets); len(sheets.Items) != 1 || sheets.Items[0].Counts != (task.Counts{Read: 1, Skipped: 1, Valid: 1}) {
		t.Errorf("sheets %+v", sheets)
	}
	if a := d.get(path + "/1/rejects"); a.status != http.StatusOK {
		t.Errorf("rejects: %d", a.status)
	}
}

// setStatus puts a task into any state but COMPLETED.
func setStatus(d *testAPI, id uuid.UUID, status task.Status) {
	d.t.Helper()
	d.exec(`update sheetdrop.task set status = $2, summary = null, attempt = 1, started_at = now(),
finished_at  = case when $2 in ('FAILED', 'CANCELLED') then now() end,
error_code   = case $2 when 'FAILED' then 'damaged_file' end,
error_detail = case $2 when 'FAILED' then 'The workbook is cut off.' end,
locked_by    = case $2 when 'PROCESSING' then gen_random_uuid() end,
locked_until = case $2 when 'PROCESSING' then now() end
where id = $1`, id, status)
}

// endTasks ends all tasks that wait.
func endTasks(d *testAPI) {
	d.t.Helper()
	d.exec(`update sheetdrop.task set status = 'CANCELLED', finished_at = now() where status = 'PENDING'`)
}

// Rejects come in pages too, with all that is known of each. A record is one, with a list of reasons of which it shows the first; of before
// there was a list, each reason is one.
func TestRejects(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	taken := d.upload("a.csv", "a\n")
	sheetID := sheetOf(d, taken.Task.ID, "a")
	d.exec(`insert into sheetdrop.row_reject (sheet_id, row_no, error_no, line, byte_offset, column_no, column_name, code, message, message_ja, raw) values
($1, 3, 1, 4, 20, 1, 'a', 'invalid_encoding', 'no text', '文字ではない', '\x92ff'), ($1, 3, 2, 4, 20, null, null, 'extra_cell', 'one too many', null, '\x92ff')`, sheetID)
	d.exec(`insert into sheetdrop.row_reject (sheet_id, row_no, error_no, cell_ref, column_no, last_column_no, code, message, more_errors) values
($1, 9, 1, 'A9', 2, 5, 'missing_cell', 'four too few', '[{"code":"bad_reference","message":"nowhere"}]')`, sheetID)
	path := "/api/tasks/" + taken.Task.ID.String() + "/sheets/1/rejects"

	var page export.List[export.Reject]
	d.get(path+"?limit=2").into(http.StatusOK, &page)
	if len(page.Items) != 2 || page.Next == nil {
		t.Fatalf("first page %s", jsonOf(page))
	}
	want := `{"row_no":3,"error_no":1,"line":4,"byte_offset":20,"cell_ref":null,"column_no":1,"last_column_no":1,"column_name":"a","code":"invalid_encoding","message":"no text","message_ja":"文字ではない",` +
		`"errors":[{"column_no":1,"last_column_no":1,"column_name":"a","code":"invalid_encoding","message":"no text","message_ja":"文字ではない"}],"raw":"kv8="}`
	if got := jsonOf(page.Items[0]); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if page.Items[1].MessageJA != nil {
		t.Errorf("Japanese of a reject that has none: %q", *page.Items[1].MessageJA)
	}
	d.get(path+"?cursor="+*page.Next).into(http.StatusOK, &page)
	if len(page.Items) != 1 || page.Items[0].RowNo != 9 || *page.Items[0].CellRef != "A9" || page.Next != nil {
		t.Errorf("last page %s", jsonOf(page))
	}
	want = `[{"column_no":2,"last_column_no":5,"column_name":null,"code":"missing_cell","message":"four too few","message_ja":null},` +
		`{"column_no":null,"last_column_no":null,"column_name":null,"code":"bad_reference","message":"nowhere","message_ja":null}]`
	if got := jsonOf(page.Items[0].Errors); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if n := len(ndjson(d.get(path + "?format=ndjson"))); n != 3 {
		t.Errorf("%d lines, want 3", n)
	}
}

// The sheets tell their columns and counts.
func TestSheets(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	taken := d.upload("a.csv", "a\n")
	sheetOf(d, taken.Task.ID, "sku", "price")
	d.exec(`update sheetdrop.sheet set rows_read = 6, rows_loaded = 3, rows_rejected = 2, rows_skipped = 1,
warnings = '[{"code":"no_cached_value","count":12,"refs":["B2","B3"]}]'`)
	var list export.List[export.Sheet]
	d.get("/api/tasks/"+taken.Task.ID.String()+"/sheets").into(http.StatusOK, &list)
	want := export.Sheet{Number: 1, Name: "Sheet1", Visible: true, Dialect: sheet.Dialect{Delimiter: ","},
		Columns:  []sheet.Column{{Name: "sku", Label: "sku", Report: types.Report{Type: types.Text}}, {Name: "price", Label: "price", Report: types.Report{Type: types.Text}}},
		Warnings: []sheet.Warning{{Code: "no_cached_value", Count: 12, Refs: []string{"B2", "B3"}}},
		Counts:   task.Counts{Read: 6, Loaded: 3, Rejected: 2, Skipped: 1}}
	if len(list.Items) != 1 || !reflect.DeepEqual(list.Items[0], want) || list.Next != nil {
		t.Errorf("got %+v", list)
	}
	d.get("/api/tasks/" + taken.Task.ID.String() + "/sheets/2/rows").problem(problem.NotFound)
}

// P9: sheets come in pages, too, and a long list of wide ones is answered without being held.
func TestManySheets(t *testing.T) {
	t.Parallel()
	const sheets, columns, bound = 60, 4000, 96 << 20
	d := newTestAPI(t)
	withSheets := func(columns int) (path string) {
		taken := d.upload("a.xlsx", "a\n")
		sheetOf(d, taken.Task.ID, "a")
		d.exec(`insert into sheetdrop.sheet (id, task_id, number, name, visible, dialect, columns, rows_read, rows_loaded, rows_rejected, rows_skipped)
select nextval('sheetdrop.sheet_id'), $1, n, 'n' || n, true, '{}', list, 0, 0, 0, 0 from generate_series(2, $2::int) n,
  (select jsonb_agg(jsonb_build_object('name', 'c' || c, 'label', repeat('<', 200))) as list from generate_series(1, $3::int) c) columns`,
			taken.Task.ID, sheets, columns)
		return "/api/tasks/" + taken.Task.ID.String() + "/sheets"
	}
	path := withSheets(1)
	var numbers []int
	for next := "?limit=25"; next != ""; {
		var list export.List[export.Sheet]
		d.get(path+next).into(http.StatusOK, &list)
		for _, s := range list.Items {
			numbers = append(numbers, s.Number)
		}
		if next = ""; list.Next != nil {
			next = "?limit=25&cursor=" + *list.Next
		}
	}
	if len(numbers) != sheets || !slices.IsSorted(numbers) || numbers[sheets-1] != sheets {
		t.Errorf("sheets %v", numbers)
	}
	d.get(path + "?cursor=x").problem(problem.InvalidCursor)
	c := startChild(t, newChildParts(d.sql.Config().ConnString(), d.storage, 1<<20))
	if n := c.read(withSheets(columns)); n < sheets*columns*200 {
		t.Errorf("%d bytes", n)
	}
	if peak := c.end(); peak > bound {
		t.Errorf("held %d MiB", peak>>20)
	}
}

// The rows of a load are in a target's table, and nowhere else: whoever asks for them here is told so. Its rejects are here.
func TestRowsInATarget(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	taken := d.upload("a.csv", "a\n1\n")
	sheetOf(d, taken.Task.ID, "a")
	d.exec(`update sheetdrop.task set target_id = gen_random_uuid(), summary = '{"rows_read":1,"rows_loaded":1,"target":{"name":"list","load":7,"inserted":1}}'`)
	path := "/api/tasks/" + taken.Task.ID.String()
	d.get(path + "/sheets/1/rows").problem(problem.RowsInTarget)
	if a := d.get(path + "/sheets/1/rejects"); a.status != http.StatusOK {
		t.Errorf("rejects: %d", a.status)
	}
	var shown Task
	if d.get(path).into(http.StatusOK, &shown); shown.Summary == nil || shown.Summary.Target == nil || shown.Summary.Target.TargetSummary != (task.TargetSummary{Name: "list", Load: 7, Inserted: 1}) {
		t.Errorf("the task shows %+v", shown.Summary)
	}
}

// A file whose headers do not say what goes where shows how far they did, so that people can say the rest.
func TestMappingOfAFailedTask(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	taken := d.upload("a.csv", "a\n1\n")
	d.exec(`update sheetdrop.task set status = 'FAILED', started_at = now(), finished_at = now(), error_code = 'mapping_needed', error_detail = 'x', error_detail_ja = 'x',
  attempt = 1, mapping = '{"version":1,"columns":[{"header":"Netto","column_no":1,"suggestions":["net"]}],"missing":["net"]}'`)
	var shown Task
	d.get("/api/tasks/"+taken.Task.ID.String()).into(http.StatusOK, &shown)
	if m := shown.Mapping; m == nil || len(m.Columns) != 1 || m.Columns[0].Header != "Netto" || !slices.Equal(m.Missing, []string{"net"}) {
		t.Errorf("the mapping shown is %+v", m)
	}
}

// Any part of a sheet can be read at once, however large it is, and each row says where it stands in the file.
func TestRowsFromAnyPlace(t *testing.T) {
	t.Parallel()
	d, path, sheetID := completed(t, 60) // with the row numbers 2, 4, … 120
	d.exec(`insert into sheetdrop.row_reject (sheet_id, row_no, error_no, line, code, message) values ($1, 125, 1, 125, 'missing_cell', 'x')`, sheetID)
	var page struct {
		Columns []export.RowColumn
		Rows    []struct {
			RowNo int64 `json:"row_no"`
			Line  int64
			Cells []*string
		}
		LastRowNo int64 `json:"last_row_no"`
		Next      *string
	}
	readPage := func(query string) {
		t.Helper()
		page.Rows, page.Next = nil, nil
		d.get(path+query).into(http.StatusOK, &page)
	}
	readPage("?shape=numbered&limit=3&after=51")
	for i, row := range page.Rows {
		if want := int64(52 + 2*i); row.RowNo != want || row.Line != want {
			t.Errorf("row %d has the number %d and the line %d, want %d", i, row.RowNo, row.Line, want)
		}
		checkRow(t, row.Cells, 26+i)
	}
	if len(page.Rows) != 3 || page.Next == nil || page.LastRowNo != 125 {
		t.Fatalf("%d rows, next %v, last %d; want 3, a cursor, 125", len(page.Rows), page.Next, page.LastRowNo)
	}
	readPage("?shape=numbered&limit=3&after=1&cursor=" + *page.Next)
	if len(page.Rows) != 3 || page.Rows[0].RowNo != 58 {
		t.Errorf("after the cursor: %v", page.Rows)
	}
	if readPage("?shape=numbered&after=120"); len(page.Rows) != 0 || page.Next != nil {
		t.Errorf("behind the last row: %v", page.Rows)
	}
}
