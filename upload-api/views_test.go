package upload

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"

	"sheetdrop/internal/sheet"
	"sheetdrop/internal/sheet/types"
	"sheetdrop/internal/task"
	"sheetdrop/upload-api/internal/export"
	"sheetdrop/upload-api/internal/problem"
)

// view makes the view of a task's first sheet that a JSON body asks for, "" for none.
func (d *testAPI) view(taskID uuid.UUID, body string, headers ...string) (v View) {
	d.t.Helper()
	a := d.viewAnswer(taskID, body, headers...)
	if a.status != http.StatusCreated && a.status != http.StatusOK {
		d.t.Fatalf("view %s: %d %s", body, a.status, a.body)
	}
	if err := json.Unmarshal(a.body, &v); err != nil {
		d.t.Fatal(err)
	}
	return v
}

func (d *testAPI) viewAnswer(taskID uuid.UUID, body string, headers ...string) answer {
	d.t.Helper()
	if body != "" {
		headers = append(headers, "Content-Type: application/json")
	}
	return d.send(http.MethodPost, "/api/tasks/"+taskID.String()+"/sheets/1/view", strings.NewReader(body), headers...)
}

func (d *testAPI) remove(path string) {
	d.t.Helper()
	if a := d.send(http.MethodDelete, path, nil); a.status != http.StatusNoContent {
		d.t.Fatalf("DELETE %s: %d %s", path, a.status, a.body)
	}
}

// loaded uploads a file and completes its task with a sheet of one column of integers, from 1 to rows.
func (d *testAPI) loaded(name string, rows int, headers ...string) FileAndTask {
	d.t.Helper()
	taken := d.upload(url.QueryEscape(name), "qty\n", headers...)
	d.load(taken.Task.ID, types.Integer, rows)
	return taken
}

func (d *testAPI) load(taskID uuid.UUID, of types.Type, rows int) {
	d.t.Helper()
	id := sheetOf(d, taskID, "qty")
	d.exec(`update sheetdrop.sheet set columns = $2, rows_read = $3, rows_loaded = $3 where id = $1`, id,
		jsonOf([]sheet.Column{{Name: "qty", Label: "qty", Report: types.Report{Type: of}}}), rows)
	d.exec(`update sheetdrop.task set summary = jsonb_build_object('rows_read', $2::int, 'rows_loaded', $2::int, 'rows_rejected', 0, 'rows_skipped', 0, 'sheets',
  jsonb_build_array(jsonb_build_object('number', 1, 'name', '', 'rows_loaded', $2::int, 'rows_rejected', 0))) where id = $1`, taskID, rows)
	d.exec(`insert into sheetdrop.sheet_row (sheet_id, row_no, line, cells) select $1, i, i, array[i::text] from generate_series(1, $2::int) i`, id, rows)
}

// parsedAgain adds a newer reading of a file.
func (d *testAPI) parsedAgain(file uuid.UUID, of types.Type, rows int) uuid.UUID {
	d.t.Helper()
	var made Task
	d.send(http.MethodPost, "/api/files/"+file.String()+"/tasks", nil).into(http.StatusAccepted, &made)
	d.load(made.ID, of, rows)
	return made.ID
}

// sum runs the statement of a view, as it was answered.
func (d *testAPI) sum(v View) (sum int) {
	d.t.Helper()
	d.query(&sum, `select coalesce(sum(qty::int), 0) from (`+v.SQL+`) as rows`)
	return sum
}

// One request turns a sheet into something that SQL reads, under a name that tells what it is; repeated it is the same view.
func TestViewOfASheet(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	taken := d.loaded("受注 2024.csv", 4)
	a := d.viewAnswer(taken.Task.ID, "")
	var made View
	a.into(http.StatusCreated, &made)
	if made.SQL != `select * from data."受注_2024"` || d.sum(made) != 10 || made.Pinned || *made.TaskID != taken.Task.ID || made.FileID != taken.File.ID {
		t.Errorf("%+v with the sum %d", made, d.sum(made))
	}
	var again View
	d.viewAnswer(taken.Task.ID, `{}`).into(http.StatusOK, &again)
	if again.ID != made.ID {
		t.Errorf("again: %+v", again)
	}
	named := d.view(taken.Task.ID, `{"name":"Orders"}`)
	if named.SQL != "select * from data.orders" || d.sum(named) != 10 {
		t.Errorf("%+v", named)
	}
	d.viewAnswer(taken.Task.ID, `{"name":"orders"}`).into(http.StatusOK, &again)
	var list export.List[View]
	d.get("/api/views").into(http.StatusOK, &list)
	if len(list.Items) != 2 || list.Items[0].ID != named.ID || list.Items[0].FileName != "受注 2024.csv" {
		t.Errorf("%+v", list)
	}
	d.remove("/api/views/" + named.ID.String())
	d.send(http.MethodDelete, "/api/views/"+named.ID.String(), nil).problem(problem.NotFound)
	var views int
	if d.query(&views, `select count(*)::int from pg_views where schemaname = 'data'`); views != 1 || d.count("sheet_view") != 1 {
		t.Errorf("%d views and %d rows are left", views, d.count("sheet_view"))
	}
}

// Who looks at a task sees the statement that reads each of its sheets, or where to get one.
func TestTaskSaysItsSQL(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	taken := d.loaded("prices.csv", 2)
	path := "/api/tasks/" + taken.Task.ID.String()
	var shown Task
	d.get(path).into(http.StatusOK, &shown)
	if s := shown.Summary.Sheets[0]; s.MakeView != path+"/sheets/1/view" || s.SQL != "" {
		t.Fatalf("without a view: %+v", s)
	}
	d.send(http.MethodPost, shown.Summary.Sheets[0].MakeView, nil).into(http.StatusCreated, &View{})
	var withView Task
	d.get(path).into(http.StatusOK, &withView)
	if s := withView.Summary.Sheets[0]; s.SQL != "select * from data.prices" || s.MakeView != "" {
		t.Errorf("with a view: %+v", s)
	}
	d.remove(path)
	var deleted Task
	d.get(path).into(http.StatusOK, &deleted)
	if s := deleted.Summary.Sheets[0]; s.SQL != "" || s.MakeView != "" {
		t.Errorf("once its rows are deleted: %+v", s)
	}
}

// A sheet of a workbook with several has its own name in that of its view.
func TestViewOfAWorkbooksSheet(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	taken := d.loaded("stock.xlsx", 1)
	d.exec(`update sheetdrop.sheet set name = '在庫 A' where task_id = $1`, taken.Task.ID)
	d.exec(`update sheetdrop.task set summary = jsonb_set(summary, '{sheets}', '[{"number":1,"name":"在庫 A"},{"number":2,"name":"b"}]') where id = $1`, taken.Task.ID)
	if v := d.view(taken.Task.ID, ""); v.SQL != `select * from data."stock_在庫_a"` {
		t.Error(v.SQL)
	}
}

// Nobody's reports change their source unasked: a name that is taken is refused, or numbered where nobody chose it.
func TestTakenNames(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	first, second := d.loaded("prices.csv", 2), d.loaded("prices.csv", 3)
	old := d.view(first.Task.ID, "")
	if v := d.view(second.Task.ID, ""); v.Name != "prices_2" || d.sum(v) != 6 || d.sum(old) != 3 {
		t.Errorf("%+v, sums %d and %d", v, d.sum(v), d.sum(old))
	}
	p := d.viewAnswer(second.Task.ID, `{"name":"prices"}`).problem(problem.ViewNameTaken)
	if !strings.Contains(p.Detail, "data.prices shows sheet 1 of prices.csv") || !strings.Contains(p.Detail, "replace") {
		t.Error(p.Detail)
	}
	if v := d.view(second.Task.ID, `{"name":"prices","replace":true}`); v.ID != old.ID || d.sum(v) != 6 {
		t.Errorf("%+v with the sum %d", v, d.sum(v))
	}
	if v := d.view(first.Task.ID, `{"replace":true}`); v.ID != old.ID || d.sum(v) != 3 {
		t.Errorf("%+v with the sum %d", v, d.sum(v))
	}
	d.exec(`create table data.mine (id int)`)
	d.viewAnswer(first.Task.ID, `{"name":"mine","replace":true}`).problem(problem.ViewNameTaken)
	d.exec(`create type data.kind as enum ('a')`)
	d.viewAnswer(first.Task.ID, `{"name":"kind"}`).problem(problem.ViewNameTaken)
}

// A view whose columns stay what they are keeps what was built on it; else it is refused, with what that is, and nothing changes.
func TestReplacedViewKeepsDependants(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	january, february := d.loaded("january.csv", 2), d.loaded("february.csv", 3)
	prices := d.view(january.Task.ID, `{"name":"prices"}`)
	d.exec(`create view public.report as select sum(qty) as total from data.prices`)
	d.exec(`create materialized view public."Kept" as select qty from data.prices`)
	d.exec(`create function public.first_of() returns bigint begin atomic select min(qty) from data.prices; end`)
	d.exec(`create table public.of_rows (r data.prices)`)
	d.view(february.Task.ID, `{"name":"prices","replace":true}`)
	var total int
	if d.query(&total, `select total from public.report`); total != 6 {
		t.Errorf("the report says %d, want 6", total)
	}
	march := d.loaded("march.csv", 0)
	d.exec(`update sheetdrop.sheet set columns = replace(columns::text, 'integer', 'text')::jsonb where task_id = $1`, march.Task.ID)
	p := d.viewAnswer(march.Task.ID, `{"name":"prices","replace":true}`).problem(problem.InUseBy)
	var found []string
	for _, f := range p.Errors {
		found = append(found, f.Message)
	}
	if got := strings.Join(found, ", "); got != `column r of table of_rows, function first_of(), public."Kept", public.report` {
		t.Errorf("in use by %s", got)
	}
	d.send(http.MethodDelete, "/api/views/"+prices.ID.String(), nil).problem(problem.InUseBy)
	var shown View
	d.get("/api/views/"+prices.ID.String()).into(http.StatusOK, &shown)
	if d.sum(prices) != 6 || *shown.TaskID != february.Task.ID {
		t.Errorf("%+v with the sum %d", shown, d.sum(prices))
	}
	d.exec(`drop view public.report; drop materialized view public."Kept"; drop function public.first_of; drop table public.of_rows`)
	d.view(march.Task.ID, `{"name":"prices","replace":true}`)
	var is string
	if d.query(&is, `select data_type from information_schema.columns where table_schema = 'data' and table_name = 'prices' and column_name = 'qty'`); is != "text" {
		t.Errorf("the column is %s", is)
	}
}

// Who changes a view that somebody reads for long is told so, and does not wait for the reader.
func TestViewThatIsBeingRead(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	v := d.view(d.loaded("a.csv", 2).Task.ID, "")
	other := d.loaded("b.csv", 3)
	reader, err := d.sql.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := reader.Exec(t.Context(), v.SQL); err != nil {
		t.Fatal(err)
	}
	d.viewAnswer(other.Task.ID, `{"name":"a","replace":true}`).problem(problem.Busy)
	d.send(http.MethodDelete, "/api/views/"+v.ID.String(), nil).problem(problem.Busy)
	if err := reader.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	if d.sum(v) != 3 || strings.Contains(d.log.String(), `"level":"ERROR"`) {
		t.Errorf("the sum is %d; the log: %s", d.sum(v), d.log.String())
	}
	d.remove("/api/views/" + v.ID.String())
}

// Who has dropped a view in SQL, or all of them, sees none, and gets it again by asking again.
func TestViewThatWasDroppedInSQL(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	first, second := d.loaded("a.csv", 2), d.loaded("b.csv", 3)
	v, other := d.view(first.Task.ID, ""), d.view(second.Task.ID, "")
	d.exec(`drop schema data cascade`)
	var list export.List[View]
	var shown Task
	d.get("/api/views").into(http.StatusOK, &list)
	d.get("/api/tasks/"+first.Task.ID.String()).into(http.StatusOK, &shown)
	if len(list.Items) != 0 || shown.Summary.Sheets[0].MakeView == "" {
		t.Errorf("views %+v, the task says %+v", list.Items, shown.Summary.Sheets[0])
	}
	if again := d.view(first.Task.ID, ""); again.ID != v.ID || d.sum(again) != 3 {
		t.Errorf("%+v", again)
	}
	if again := d.view(first.Task.ID, `{"name":"b"}`); again.ID != other.ID || d.sum(again) != 3 {
		t.Errorf("%+v", again)
	}
	d.exec(`drop view data.b; create table data.b (mine int)`)
	d.viewAnswer(second.Task.ID, `{"name":"b","replace":true}`).problem(problem.ViewNameTaken)
	d.remove("/api/views/" + other.ID.String())
	d.exec(`insert into data.b values (1)`)
}

// A view is of the newest reading, unless its owner asked for an older one.
func TestViewOfAnOlderReading(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	taken := d.loaded("a.csv", 2)
	newer := d.parsedAgain(taken.File.ID, types.Integer, 3)
	old, current := d.view(taken.Task.ID, `{"name":"old"}`), d.view(newer, `{"name":"new"}`)
	if !old.Pinned || current.Pinned || d.sum(old) != 3 || d.sum(current) != 6 {
		t.Errorf("%+v and %+v", old, current)
	}
	if v := d.view(taken.Task.ID, `{"name":"old","pinned":false}`); v.Pinned || v.ID != old.ID {
		t.Errorf("%+v", v)
	}
	if v := d.view(newer, `{"name":"fixed","pinned":true}`); !v.Pinned {
		t.Errorf("%+v", v)
	}
}

// What has no rows to show gets no view, and a name that is no name is refused.
func TestNoView(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	waiting, done := d.upload("a.csv", "a\n"), d.loaded("b.csv", 1)
	d.viewAnswer(waiting.Task.ID, "").problem(problem.NotCompleted)
	d.send(http.MethodPost, "/api/tasks/"+done.Task.ID.String()+"/sheets/2/view", nil).problem(problem.NotFound)
	d.viewAnswer(uuid.New(), "").problem(problem.NotFound)
	setStatus(d, waiting.Task.ID, task.Failed)
	d.viewAnswer(waiting.Task.ID, "").problem(problem.NotCompleted)
	dry := d.upload("c.csv&dry_run=true", "a\n")
	d.load(dry.Task.ID, types.Integer, 0)
	d.viewAnswer(dry.Task.ID, "").problem(problem.DryRun)
	for _, name := range []string{`a\"b`, `x; drop table sheetdrop.task`, `a\u0000b`, "data.x", "1a", strings.Repeat("商", 22), "x__was", `\ud800`} {
		p := d.viewAnswer(done.Task.ID, `{"name":"`+name+`"}`).problem(problem.InvalidBody)
		if len(p.Errors) != 1 || p.Errors[0].Location != "body.name" {
			t.Errorf("%s: %+v", name, p)
		}
	}
	d.viewAnswer(done.Task.ID, `{"name":7}`).problem(problem.InvalidBody)
	d.viewAnswer(done.Task.ID, `{"nam":"x"}`).problem(problem.InvalidBody)
	d.viewAnswer(done.Task.ID, `{`).problem(problem.InvalidBody)
	d.exec(`insert into sheetdrop.sheet_view (id, owner, name, sheet_id) select gen_random_uuid(), 'local', 'v' || i, 0 from generate_series(1, 1000) i`)
	if p := d.viewAnswer(done.Task.ID, "").problem(problem.TooManyViews); !strings.Contains(p.Detail, "1000") {
		t.Error(p.Detail)
	}
	d.remove("/api/tasks/" + done.Task.ID.String())
	d.viewAnswer(done.Task.ID, "").problem(problem.RowsDeleted)
	var views int
	if d.query(&views, `select count(*)::int from pg_views where schemaname = 'data'`); views != 0 {
		t.Errorf("%d views", views)
	}
}

// Requests at the same moment get a view each, and never one of another's sheet.
func TestViewsAtOnce(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	const n = 8
	tasks := make([]uuid.UUID, n)
	for i := range tasks {
		tasks[i] = d.loaded("prices.csv", i+1).Task.ID
	}
	made := make([]View, 2*n)
	var together sync.WaitGroup
	for i := range made {
		together.Go(func() { made[i] = d.view(tasks[i%n], "") })
	}
	together.Wait()
	for i, v := range made {
		if want := (i%n + 1) * (i%n + 2) / 2; v.ID != made[i%n].ID || d.sum(v) != want {
			t.Errorf("%+v has the sum %d, want %d", v, d.sum(v), want)
		}
	}
	if got := d.count("sheet_view"); got != n {
		t.Errorf("%d views, want %d", got, n)
	}
}

// Views are listed page by page.
func TestViewPages(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	taken := d.loaded("a.csv", 1)
	for i := range 5 {
		d.view(taken.Task.ID, fmt.Sprintf(`{"name":"v%d"}`, i))
	}
	names, cursor := "", ""
	for {
		var page export.List[View]
		d.get("/api/views?limit=2&cursor="+cursor).into(http.StatusOK, &page)
		for _, v := range page.Items {
			names += v.Name
		}
		if page.Next == nil {
			break
		}
		cursor = *page.Next
	}
	if names != "v4v3v2v1v0" {
		t.Errorf("views %s", names)
	}
}
