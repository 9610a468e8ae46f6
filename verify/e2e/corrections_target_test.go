package e2e_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"sheetdrop/internal/postgres/pgtest"
	"sheetdrop/verify/e2e"
)

// makeTarget makes a target and returns its path.
func makeTarget(t *testing.T, app *e2e.App, definition string) string {
	t.Helper()
	made := app.Do(t, http.MethodPost, "/api/targets", http.Header{"Content-Type": {"application/json"}}, strings.NewReader(definition))
	if made.StatusCode != http.StatusCreated {
		t.Fatalf("create the target: %s %s", made.Status, made.Text)
	}
	var target struct{ ID string }
	if err := json.Unmarshal(made.Text, &target); err != nil {
		t.Fatal(err)
	}
	return "/api/targets/" + target.ID
}

// sendInto uploads a file into a target and returns its task, ended.
func sendInto(t *testing.T, app *e2e.App, target, name, content string) e2e.Task {
	t.Helper()
	answer := app.Do(t, http.MethodPost, "/api/files?target="+target+"&name="+name, http.Header{"Content-Type": {"text/csv"}}, strings.NewReader(content))
	if answer.StatusCode != http.StatusAccepted {
		t.Fatalf("upload %s: %s %s", name, answer.Status, answer.Text)
	}
	return app.Await(t, taskIn(t, answer).ID)
}

const stock = `{"name": "stock", "key": ["id"], "mode": "upsert", "columns": [{"name": "id", "type": "integer", "required": true},
  {"name": "day", "label": "Tag", "type": "date"}, {"name": "net", "type": "decimal"}]}`

// A person gets the rejects of a file that was loaded into a target as a workbook, corrects some of them and sends it back: they are rows of the
// target, once however often it is sent, from both files. An undo of the corrections opens their rejects again, and one of the first file leaves
// nothing of either.
func TestCorrectedRejectsOfATarget(t *testing.T) {
	t.Parallel()
	app := e2e.Start(t, e2e.Options{})
	target := makeTarget(t, app, stock)
	first := sendInto(t, app, "stock", "list.csv", "id,Tag,net\n1,2024-01-31,1.5\n2,soon,2.5\n3,2024-02-01,much\n")
	wantCounts(t, first, 1, 2, 0)
	rejects := "/api/tasks/" + first.ID.String() + "/sheets/1/rejects?format=xlsx"
	book, err := excelize.OpenReader(bytes.NewReader(download(t, app, rejects, nil)))
	if err != nil {
		t.Fatal(err)
	}
	if rows, err := book.GetRows("Sheet1"); err != nil || len(rows) != 3 || rows[1][4] != "soon" {
		t.Fatalf("the workbook has %q, %v", rows, err)
	}
	if err := book.SetCellStr("Sheet1", "E2", "2024-02-02"); err != nil {
		t.Fatal(err)
	}
	var sent bytes.Buffer
	if err := book.Write(&sent); err != nil {
		t.Fatal(err)
	}
	table := func() string {
		t.Helper()
		return pgtest.Query[string](t, app.Database, `select coalesce(string_agg(concat_ws(' ', s.id, day, net, l.file_name, o.file_name), ', ' order by s.id), '')
from data.stock s join sheetdrop.target_load l on l.id = s._load left join sheetdrop.target_load o on o.id = l.corrects`)
	}
	const before, after = "1 2024-01-31 1.5 list.csv", "1 2024-01-31 1.5 list.csv, 2 2024-02-02 2.5 fixed.xlsx list.csv"
	second := correct(t, app, first, "fixed.xlsx", sent.Bytes())
	wantCounts(t, second, 1, 1, 0)
	wantCounts(t, app.Await(t, first.ID), 2, 1, 0)
	wantCounts(t, correct(t, app, first, "fixed.xlsx", sent.Bytes()), 0, 1, 1)
	if left := rejectsOf(t, app, first); table() != after || len(left) != 1 || string(left[0].Raw) != "3,2024-02-01,much" {
		t.Errorf("the table has %s, and the rejects are %+v", table(), left)
	}

	var loads struct {
		Items []struct {
			ID, Corrects int64
			TaskID       string `json:"task_id"`
		}
	}
	app.Get(t, target+"/loads", &loads)
	if len(loads.Items) != 3 || loads.Items[1].Corrects != loads.Items[2].ID || loads.Items[1].TaskID != second.ID.String() {
		t.Fatalf("the loads are %+v", loads.Items)
	}
	undo := func(load int64) {
		t.Helper()
		answer := app.Do(t, http.MethodPost, fmt.Sprintf("%s/loads/%d/undo", target, load), nil, nil)
		if answer.StatusCode != http.StatusAccepted {
			t.Fatalf("undo: %s %s", answer.Status, answer.Text)
		}
		var made e2e.Task
		if err := json.Unmarshal(answer.Text, &made); err != nil {
			t.Fatal(err)
		}
		if ended := app.Await(t, made.ID); ended.Status != "COMPLETED" {
			t.Fatalf("undo: %+v", ended)
		}
	}
	undo(loads.Items[1].ID)
	wantCounts(t, app.Await(t, first.ID), 1, 2, 0)
	if left := rejectsOf(t, app, first); table() != before || len(left) != 2 || string(left[0].Raw) != "2,soon,2.5" || left[0].ColumnName != "Tag" {
		t.Errorf("undone, the table has %s, and the rejects are %+v", table(), left)
	}
	wantCounts(t, correct(t, app, first, "fixed.xlsx", sent.Bytes()), 1, 1, 0)
	undo(loads.Items[2].ID)
	if table() != "" {
		t.Errorf("with the first file undone the table has %s", table())
	}
	late := app.Do(t, http.MethodPost, "/api/files?name=fixed.xlsx&corrects="+url.QueryEscape(first.ID.String()+"/1"),
		http.Header{"Content-Type": {"application/octet-stream"}}, bytes.NewReader(sent.Bytes()))
	if late.StatusCode != http.StatusConflict || !strings.Contains(string(late.Text), "Parse its file again") {
		t.Errorf("corrections of a load that is undone: %s %s", late.Status, late.Text)
	}
}

// The same corrections of a target without a key, sent several times at the same moment, make each row once.
func TestCorrectionsOfATargetAtOnce(t *testing.T) {
	t.Parallel()
	app := e2e.Start(t, e2e.Options{})
	makeTarget(t, app, `{"name": "log", "mode": "insert", "columns": [{"name": "id", "type": "integer"}, {"name": "name", "type": "text"}]}`)
	const rejects, times = 200, 6
	first := sendInto(t, app, "log", "log.csv", "id,name\r\n"+strings.Repeat("1\r\n", rejects)+"1,a\r\n2,b\r\n")
	wantCounts(t, first, 2, rejects, 0)
	text := string(download(t, app, "/api/tasks/"+first.ID.String()+"/sheets/1/rejects?format=csv&layout=records", nil))
	sent := strings.ReplaceAll(text, ",1,\r\n", ",1,x\r\n")
	corrects := url.QueryEscape(first.ID.String() + "/1")
	var tasks []e2e.Task
	for range times {
		answer := app.Do(t, http.MethodPost, "/api/files?name=fixed.csv&corrects="+corrects, http.Header{"Content-Type": {"text/csv"}}, strings.NewReader(sent))
		if answer.StatusCode != http.StatusAccepted {
			t.Fatalf("%s %s", answer.Status, answer.Text)
		}
		tasks = append(tasks, taskIn(t, answer))
	}
	var loaded, skipped int64
	for _, task := range tasks {
		ended := app.Await(t, task.ID)
		if ended.Status != "COMPLETED" {
			t.Fatalf("%+v %+v", ended, ended.Error)
		}
		loaded, skipped = loaded+ended.Summary.RowsLoaded, skipped+ended.Summary.RowsSkipped
	}
	if loaded != rejects || skipped != (times-1)*rejects {
		t.Errorf("%d rows were loaded and %d skipped, want %d and %d", loaded, skipped, rejects, (times-1)*rejects)
	}
	wantCounts(t, app.Await(t, first.ID), rejects+2, 0, 0)
	if got := pgtest.Query[int](t, app.Database, `select count(*) from data.log where name = 'x'`); got != rejects {
		t.Errorf("%d rows were corrected, want %d", got, rejects)
	}
}
