package upload

import (
	"fmt"
	"net/http"
	"slices"
	"testing"

	"github.com/google/uuid"

	"sheetdrop/internal/task"
	"sheetdrop/upload-api/internal/export"
	"sheetdrop/upload-api/internal/problem"
)

func (d *testAPI) change(method, path string, headers ...string) answer {
	d.t.Helper()
	return d.send(method, path, nil, headers...)
}

// Only FAILED and CANCELLED tasks can be retried, even if several people try at once. Everything about the earlier runs
// is reset except the attempt, which fences their workers; their results are deleted.
func TestRetry(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	for _, status := range []task.Status{task.Failed, task.Cancelled} {
		taken := d.upload("a.csv", "a\n1\n")
		sheetOf(d, taken.Task.ID, "a")
		setStatus(d, taken.Task.ID, status)
		d.exec(`update sheetdrop.task set attempt = 7, crashes = 5, shared_deaths = 2, faults = 3, enqueues = 2, cancel_requested_at = now() where id = $1`, taken.Task.ID)
		d.exec(`delete from sheetdrop.outbox_message`)
		var shown Task
		if d.change(http.MethodPost, "/api/tasks/"+taken.Task.ID.String()+"/retry").into(http.StatusOK, &shown); shown.Status != task.Pending || shown.Error != nil {
			t.Errorf("retried: %+v", shown)
		}
		var left string
		d.query(&left, `select concat_ws(' ', status, attempt, crashes, shared_deaths, faults, enqueues, cancel_requested_at is null, finished_at is null,
(select count(*) from sheetdrop.sheet s where s.task_id = t.id), (select count(*) from sheetdrop.outbox_message m where m.task_id = t.id and status = 'PENDING'))
from sheetdrop.task t where id = $1`, taken.Task.ID)
		if left != "PENDING 7 0 0 0 0 t t 0 1" {
			t.Errorf("%s, retried: %s", status, left)
		}
		var message uuid.UUID
		d.query(&message, `select id from sheetdrop.outbox_message where task_id = $1`, taken.Task.ID)
		if !slices.Contains(d.nudges(), message) {
			t.Errorf("%s, retried: the relay is not nudged, and the task waits for its timer", status)
		}
		d.change(http.MethodPost, "/api/tasks/"+taken.Task.ID.String()+"/retry").problem(problem.NotRetryable)
	}
	for _, status := range []task.Status{task.Processing, task.Completed} {
		taken := d.upload("a.csv", "a\n1\n")
		if setStatus(d, taken.Task.ID, task.Processing); status == task.Completed {
			d.exec(`update sheetdrop.task set locked_by = null, locked_until = null, status = 'COMPLETED', summary = '{}', finished_at = now() where id = $1`, taken.Task.ID)
		}
		d.change(http.MethodPost, "/api/tasks/"+taken.Task.ID.String()+"/retry").problem(problem.NotRetryable)
	}
}

// No new run of a deleted file can begin.
func TestNothingBeginsOnDeletedFile(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	taken := d.upload("a.csv", "a\n")
	d.change(http.MethodDelete, "/api/files/"+taken.File.ID.String())
	d.change(http.MethodPost, "/api/tasks/"+taken.Task.ID.String()+"/retry").problem(problem.NotFound)
	d.change(http.MethodPost, "/api/files/"+taken.File.ID.String()+"/tasks").problem(problem.NotFound)
	d.change(http.MethodDelete, "/api/tasks/"+taken.Task.ID.String()).problem(problem.NotFound)
	d.get("/api/files/" + taken.File.ID.String() + "/tasks").problem(problem.NotFound)
	if n := d.count("task where status <> 'CANCELLED'"); n != 0 {
		t.Errorf("%d tasks are alive", n)
	}
}

// A file is parsed again with other options, or as the last time; its tasks can be listed.
func TestParseAgain(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	taken := d.upload("a.csv&delimiter=semicolon", "a\n")
	tasks := "/api/files/" + taken.File.ID.String() + "/tasks"
	var same, other, last Task
	endTasks(d)
	same0 := d.change(http.MethodPost, tasks)
	same0.into(http.StatusAccepted, &same)
	if got := same0.header.Get("Location"); got != "/api/tasks/"+same.ID.String() {
		t.Errorf("Location %q", got)
	}
	endTasks(d)
	d.change(http.MethodPost, tasks+"?delimiter=tab&column=a:text;required").into(http.StatusAccepted, &other)
	endTasks(d)
	d.change(http.MethodPost, tasks).into(http.StatusAccepted, &last)
	d.change(http.MethodPost, tasks+"?header=many").problem(problem.InvalidOption)
	d.change(http.MethodPost, tasks+"?colour=red").problem(problem.UnknownOption)
	for _, pair := range [][2]Task{{same, taken.Task}, {last, other}} {
		if !equalJSON(pair[0].Options, pair[1].Options) || pair[0].Status != task.Pending {
			t.Errorf("%+v is not as %+v", pair[0], pair[1])
		}
	}
	if equalJSON(same.Options, other.Options) {
		t.Errorf("options %s were not taken", other.Options)
	}
	var list export.List[Task]
	d.get(tasks+"?limit=3").into(http.StatusOK, &list)
	if len(list.Items) != 3 || list.Items[0].ID != last.ID || list.Items[1].ID != other.ID || list.Items[2].ID != same.ID || list.Next == nil {
		t.Errorf("tasks %+v", list)
	}
	var rest export.List[Task]
	if d.get(tasks+"?cursor="+*list.Next).into(http.StatusOK, &rest); len(rest.Items) != 1 || rest.Items[0].ID != taken.Task.ID || rest.Next != nil {
		t.Errorf("the rest %+v", rest)
	}
	if n := d.count("outbox_message where event_type = 'PARSE_TASK'"); n != 4 {
		t.Errorf("%d messages, want 4", n)
	}
}

// What a task found can be deleted once it has ended; the task stays and says so.
func TestDeleteRows(t *testing.T) {
	t.Parallel()
	d, rows, sheetID := completed(t, 3)
	path := rows[:len("/api/tasks/")+36]
	for range 2 {
		if a := d.change(http.MethodDelete, path); a.status != http.StatusNoContent {
			t.Fatalf("%d %s", a.status, a.body)
		}
	}
	for _, gone := range []string{rows, path + "/sheets", path + "/sheets/1/rejects"} {
		d.get(gone).problem(problem.RowsDeleted)
	}
	var shown Task
	if d.get(path).into(http.StatusOK, &shown); shown.Status != task.Completed || shown.RowsDeletedAt == nil {
		t.Errorf("the task is %+v", shown)
	}
	var left string
	if d.query(&left, `select concat_ws(' ', sheet_id, position, last_row) from sheetdrop.sheet_purge`); left != fmt.Sprint(sheetID)+" 0 6" {
		t.Errorf("to be purged: %s", left)
	}
	running := d.upload("b.csv", "a\n")
	d.change(http.MethodDelete, "/api/tasks/"+running.Task.ID.String()).problem(problem.NotFinished)
}

// Tasks can be listed by status.
func TestTasksByStatus(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t, withEasyAuth())
	ann, bob := signedIn("ann"), signedIn("bob", operatorRole)
	failed, pending := d.upload("a.csv", "a\n", ann), d.upload("b.csv", "a\n", ann)
	setStatus(d, failed.Task.ID, task.Failed)
	for path, want := range map[string][]uuid.UUID{
		"/api/tasks": {pending.Task.ID, failed.Task.ID}, "/api/tasks?status=FAILED": {failed.Task.ID}, "/api/tasks?status=COMPLETED": {},
	} {
		var list export.List[Task]
		d.get(path, ann).into(http.StatusOK, &list)
		if len(list.Items) != len(want) {
			t.Errorf("%s: %+v", path, list)
			continue
		}
		for i, id := range want {
			if list.Items[i].ID != id {
				t.Errorf("%s: %+v", path, list)
			}
		}
	}
	d.get("/api/tasks?all=true", ann).problem(problem.NotOperator)
	d.get("/api/tasks?status=DONE", ann).problem(problem.InvalidParameter)
	var own, all export.List[Task]
	d.get("/api/tasks", bob).into(http.StatusOK, &own)
	d.get("/api/tasks?all=true&status=FAILED", bob).into(http.StatusOK, &all)
	if len(own.Items) != 0 || len(all.Items) != 1 {
		t.Errorf("bob sees %+v and %+v", own, all)
	}
}
