package e2e_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"sheetdrop/verify/e2e"
)

// rejected is a reject as the API shows it, as far as these tests look at it.
type rejected struct {
	RowNo      int64 `json:"row_no"`
	Code       string
	ColumnName string `json:"column_name"`
	Raw        []byte
}

func rejectsOf(t *testing.T, app *e2e.App, task e2e.Task) (list []rejected) {
	t.Helper()
	var page struct{ Items []rejected }
	app.Get(t, "/api/tasks/"+task.ID.String()+"/sheets/1/rejects", &page)
	return page.Items
}

// download returns an answer that has to be there.
func download(t *testing.T, app *e2e.App, path string, header http.Header) []byte {
	t.Helper()
	answer := app.Do(t, http.MethodGet, path, header, nil)
	if answer.StatusCode != http.StatusOK {
		t.Fatalf("GET %s: %s %s", path, answer.Status, answer.Text)
	}
	return answer.Text
}

// correct sends a file of corrections to the first sheet of a task and returns its own task, ended.
func correct(t *testing.T, app *e2e.App, target e2e.Task, name string, content []byte) e2e.Task {
	t.Helper()
	path := "/api/files?name=" + url.QueryEscape(name) + "&corrects=" + url.QueryEscape(target.ID.String()+"/1")
	answer := app.Do(t, http.MethodPost, path, http.Header{"Content-Type": {"application/octet-stream"}}, bytes.NewReader(content))
	if answer.StatusCode != http.StatusAccepted {
		t.Fatalf("upload %s: %s %s", name, answer.Status, answer.Text)
	}
	return app.Await(t, taskIn(t, answer).ID)
}

// taskIn returns the task in the answer to an upload.
func taskIn(t *testing.T, answer e2e.Answer) e2e.Task {
	t.Helper()
	var accepted struct{ Task e2e.Task }
	if err := json.Unmarshal(answer.Text, &accepted); err != nil {
		t.Fatal(err)
	}
	return accepted.Task
}

// wantCounts compares what a task counts: read = loaded + rejected + skipped.
func wantCounts(t *testing.T, task e2e.Task, loaded, rejected, skipped int64) {
	t.Helper()
	if s := task.Summary; task.Status != "COMPLETED" || s.RowsLoaded != loaded || s.RowsRejected != rejected || s.RowsSkipped != skipped ||
		s.RowsRead != loaded+rejected+skipped {
		t.Fatalf("the task is %s %+v with %+v, want %d loaded, %d rejected, %d skipped", task.Status, task.Error, task.Summary, loaded, rejected, skipped)
	}
}

// rawRows returns the rows of a task's first sheet as text, a line for each.
func rawRows(t *testing.T, app *e2e.App, task e2e.Task) string {
	t.Helper()
	return string(download(t, app, "/api/tasks/"+task.ID.String()+"/sheets/1/rows?values=raw&format=csv&formulas=keep", nil))
}

// A person gets the rejects as a workbook, corrects some of them and sends it back: exactly these become rows, in their places, once however
// often it is sent. What is still wrong, or was removed, stays a reject; what has another key becomes nothing.
func TestCorrectedRejects(t *testing.T) {
	t.Parallel()
	app := e2e.Start(t, e2e.Options{})
	const file = "id,day,amount,note\r\n1,2024-01-31,10,=a\r\n2,yesterday,20,b\r\n3,2024-02-01,x,c\r\n4,2024-02-02,30\r\n5,2024-02-30,y,e\r\n6,2024-02-03,40,f\r\n"
	first := app.Await(t, uploadDeclared(t, app, file, "id:integer;required;unique", "day:date", "amount:integer").ID)
	wantCounts(t, first, 2, 4, 0)
	path := "/api/tasks/" + first.ID.String() + "/sheets/1/rejects?format=xlsx"
	book, err := excelize.OpenReader(bytes.NewReader(download(t, app, path, http.Header{"Accept-Language": {"ja,en;q=0.5"}})))
	if err != nil {
		t.Fatal(err)
	}
	rows, err := book.GetRows("Sheet1")
	if err != nil || len(rows) != 5 || !slices.Equal(rows[0], []string{"sheetdrop_key", "行", "理由", "id", "day", "amount", "note"}) {
		t.Fatalf("the workbook has %q, %v", rows, err)
	}
	if got := rows[1][1:]; got[0] != "3" || !strings.HasPrefix(got[1], "day: 値が型 date") || !slices.Equal(got[2:], []string{"2", "yesterday", "20", "b"}) {
		t.Errorf("the first reject is %q", got)
	}
	if visible, err := book.GetColVisible("Sheet1", "A"); err != nil || visible {
		t.Errorf("the keys can be seen: %v", err)
	}
	comments, err := book.GetComments("Sheet1")
	if err != nil || len(comments) != 5 || comments[0].Cell != "E2" {
		t.Errorf("comments %+v, %v", comments, err)
	}
	styled, _ := book.GetCellStyle("Sheet1", "E2")
	plain, _ := book.GetCellStyle("Sheet1", "D2")
	if style, err := book.GetStyle(styled); err != nil || styled == plain || len(style.Fill.Color) == 0 {
		t.Errorf("the wrong cell looks like the others: %+v, %v", style, err)
	}

	set := func(cell, value string) {
		t.Helper()
		if err := book.SetCellStr("Sheet1", cell, value); err != nil {
			t.Fatal(err)
		}
	}
	set("E2", "2024-01-30") // right
	set("F3", "yy")         // still wrong
	set("G4", "=d")         // the missing cell
	set("A5", rows[1][0][:len(rows[1][0])-1]+"0")
	set("E5", "2024-02-28")
	set("F5", "7")
	var sent bytes.Buffer
	if err := book.Write(&sent); err != nil {
		t.Fatal(err)
	}
	second := correct(t, app, first, "fixed.xlsx", sent.Bytes())
	wantCounts(t, second, 2, 2, 0)
	want := "id,day,amount,note\r\n1,2024-01-31,10,=a\r\n2,2024-01-30,20,b\r\n4,2024-02-02,30,=d\r\n6,2024-02-03,40,f\r\n"
	if got := rawRows(t, app, first); got != want {
		t.Errorf("the rows are\n%s\nwant\n%s", got, want)
	}
	wantRejects := func() {
		t.Helper()
		left := rejectsOf(t, app, first)
		if len(left) != 2 || left[0].RowNo != 4 || string(left[0].Raw) != "3,2024-02-01,x,c" || left[0].ColumnName != "amount" || left[1].RowNo != 6 {
			t.Errorf("the rejects are %+v", left)
		}
	}
	wantRejects()
	wantCounts(t, app.Await(t, first.ID), 4, 2, 0)
	if own := rejectsOf(t, app, second); len(own) != 2 || own[0].Code != "type_mismatch" || own[1].Code != "key_unknown" {
		t.Errorf("the rejects of the corrections are %+v", own)
	}

	third := correct(t, app, first, "fixed.xlsx", sent.Bytes())
	wantCounts(t, third, 0, 2, 2)
	if got := rawRows(t, app, first); got != want {
		t.Errorf("sent again, the rows are\n%s\nwant\n%s", got, want)
	}
	wantRejects()
	wantCounts(t, app.Await(t, first.ID), 4, 2, 0)
	app.Database.Await(t, fmt.Sprintf(`select count(*) = 2 and bool_and(c.task_id = '%s' and c.raw is not null and r.row_no = c.target_row_no)
from sheetdrop.corrected_reject c join sheetdrop.sheet_row r on r.sheet_id = c.target_sheet_id and r.row_no = c.loaded_row_no`, second.ID))

	// The next workbook has what the person wrote, and goes on from there.
	text := string(download(t, app, strings.Replace(path, "xlsx", "csv&layout=records", 1), nil))
	if !strings.Contains(text, ",3,2024-02-01,yy,c\r\n") || strings.Count(text, "\r\n") != 3 {
		t.Fatalf("the rejects that are left are\n%s", text)
	}
	fourth := correct(t, app, first, "fixed.csv", []byte(strings.ReplaceAll(strings.ReplaceAll(text, ",yy,", ",25,"), "5,2024-02-30,y,e", "6,2024-02-20,8,e")))
	wantCounts(t, fourth, 1, 1, 0) // 6 is the id of another row
	if own := rejectsOf(t, app, fourth); len(own) != 1 || own[0].Code != "not_unique" || own[0].ColumnName != "id" {
		t.Errorf("the id that another row has is %+v", own)
	}
	wantCounts(t, app.Await(t, first.ID), 5, 1, 0)
}

// uploadDeclared sends a CSV file with declared columns.
func uploadDeclared(t *testing.T, app *e2e.App, content string, columns ...string) e2e.Task {
	t.Helper()
	query := url.Values{"name": {"orders.csv"}, "column": columns}
	answer := app.Do(t, http.MethodPost, "/api/files?"+query.Encode(), http.Header{"Content-Type": {"text/csv"}}, strings.NewReader(content))
	if answer.StatusCode != http.StatusAccepted {
		t.Fatalf("upload: %s %s", answer.Status, answer.Text)
	}
	return taskIn(t, answer)
}
