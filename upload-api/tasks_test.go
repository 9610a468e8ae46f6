package upload

import (
	"net/http"
	"strings"
	"testing"

	"sheetdrop/internal/task"
	"sheetdrop/upload-api/internal/problem"
)

// Who waits for a task is answered when it ends, and holds no connection to the database meanwhile.
func TestWait(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	taken := d.upload("a.csv", "a\n")
	path := "/api/tasks/" + taken.Task.ID.String()
	var shown Task
	if d.get(path+"?wait=60ms").into(http.StatusOK, &shown); shown.Status != task.Pending {
		t.Errorf("after a short wait: %s", shown.Status)
	}
	const waiters = 20 // more than there are connections
	ended := make(chan Task, waiters)
	for range waiters {
		go func() {
			var shown Task
			d.get(path+"?wait=60s").into(http.StatusOK, &shown)
			ended <- shown
		}()
	}
	d.get(path).into(http.StatusOK, &shown) // would wait for a connection as long as they do
	setStatus(d, taken.Task.ID, task.Failed)
	for range waiters {
		got := <-ended
		if got.Status != task.Failed || got.Error == nil || got.Error.Code != "damaged_file" || got.Error.Message == "" || got.FinishedAt == nil {
			t.Errorf("got %+v", got)
		}
	}
}

// A task that FAILED says why and what helps, in both languages; one from before there was Japanese says why in English.
func TestFailure(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	taken := d.upload("a.csv", "a\n")
	path := "/api/tasks/" + taken.Task.ID.String()
	setStatus(d, taken.Task.ID, task.Failed)
	var shown Task
	d.get(path).into(http.StatusOK, &shown)
	if got := jsonOf(shown.Error); !strings.HasPrefix(got, `{"code":"damaged_file","message":"The workbook is cut off.","message_ja":null,"advice":"Export it again`) {
		t.Errorf("error %s", jsonOf(shown.Error))
	}
	d.exec(`update sheetdrop.task set error_detail_ja = 'ブックが途中で切れています。'`)
	d.get(path).into(http.StatusOK, &shown)
	if shown.Error.MessageJA == nil || *shown.Error.MessageJA != "ブックが途中で切れています。" || !strings.HasPrefix(shown.Error.AdviceJA, "もう一度出力") {
		t.Errorf("error %s", jsonOf(shown.Error))
	}
}

// Who waits for a task that is deleted learns it.
func TestWaitForDeleted(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	taken := d.upload("a.csv", "a\n")
	answered := make(chan answer, 1)
	go func() { answered <- d.get("/api/tasks/" + taken.Task.ID.String() + "?wait=60s") }()
	d.send(http.MethodDelete, "/api/files/"+taken.File.ID.String(), nil)
	a := <-answered
	a.problem(problem.NotFound)
}

// A waiting task is cancelled at once, a running one is asked to end, and one that has ended stays as it is.
func TestCancel(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	for _, test := range []struct {
		before, after task.Status
		asked         bool
	}{
		{task.Pending, task.Cancelled, true},
		{task.Processing, task.Processing, true},
		{task.Cancelled, task.Cancelled, false},
	} {
		taken := d.upload("a.csv", "a\n")
		setStatus(d, taken.Task.ID, test.before)
		var shown Task
		d.send(http.MethodPost, "/api/tasks/"+taken.Task.ID.String()+"/cancel", nil).into(http.StatusOK, &shown)
		var asked bool
		d.query(&asked, `select cancel_requested_at is not null from sheetdrop.task where id = $1`, taken.Task.ID)
		if shown.Status != test.after || asked != test.asked {
			t.Errorf("%s: %s, asked %v", test.before, shown.Status, asked)
		}
	}
	failed, done := d.upload("a.csv", "a\n"), d.upload("a.csv", "a\n")
	setStatus(d, failed.Task.ID, task.Failed)
	sheetOf(d, done.Task.ID, "a")
	for _, taken := range []FileAndTask{failed, done} {
		d.send(http.MethodPost, "/api/tasks/"+taken.Task.ID.String()+"/cancel", nil).problem(problem.AlreadyFinished)
	}
}
