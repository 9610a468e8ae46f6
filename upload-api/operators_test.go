package upload

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"sheetdrop/internal/task"
	"sheetdrop/upload-api/internal/export"
	"sheetdrop/upload-api/internal/operate"
	"sheetdrop/upload-api/internal/problem"
)

// postJSON sends a JSON body.
func (d *testAPI) postJSON(path, body string, headers ...string) answer {
	d.t.Helper()
	return d.send(http.MethodPost, path, strings.NewReader(body), append([]string{"Content-Type: application/json"}, headers...)...)
}

// failMessage makes the message of a task one that was refused for good.
func failMessage(d *testAPI, taskID uuid.UUID) (id uuid.UUID) {
	d.t.Helper()
	d.query(&id, `update sheetdrop.outbox_message set status = 'FAILED', next_attempt_at = 'infinity', attempts = 5, rejections = 5, last_error = 'refused'
where task_id = $1 returning id`, taskID)
	return id
}

// Messages that were refused for good come first in the list, and go again when somebody says so: one, or those of a filter.
func TestRedrive(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	waits := d.upload("a.csv", "a\n")
	var failed []uuid.UUID
	for range 3 {
		failed = append(failed, failMessage(d, d.upload("a.csv", "a\n").Task.ID))
	}
	d.exec(`update sheetdrop.outbox_message set event_type = 'BLOB_DELETE' where id = $1`, failed[2])
	d.exec(`update sheetdrop.outbox_message set created_at = now() - interval '1 day' where id = $1`, failed[1])

	var seen []uuid.UUID
	for cursor := ""; ; {
		var page export.List[operate.Message]
		d.get("/api/outbox?limit=2&cursor="+cursor).into(http.StatusOK, &page)
		for _, m := range page.Items {
			seen = append(seen, m.ID)
			if isFailed := m.Status == "FAILED"; isFailed != (m.NextAttemptAt == nil) || isFailed != (m.LastError != nil) {
				t.Errorf("message %+v", m)
			}
		}
		if page.Next == nil {
			break
		}
		cursor = *page.Next
	}
	if len(seen) != 4 || !slices.Equal(seen[:3], failed) {
		t.Errorf("listed are %v, want %v and the one that waits", seen, failed)
	}
	for query, want := range map[string]int{
		"status=FAILED": 3, "event_type=BLOB_DELETE": 1, "status=PENDING": 1, "task_id=" + waits.Task.ID.String(): 1,
		"created_before=" + waits.File.CreatedAt.Format("2006-01-02T15:04:05Z"): 1,
	} {
		var page export.List[operate.Message]
		if d.get("/api/outbox?"+query).into(http.StatusOK, &page); len(page.Items) != want {
			t.Errorf("%s finds %d, want %d", query, len(page.Items), want)
		}
	}

	var changed operate.Changed
	d.change(http.MethodPost, "/api/outbox/"+failed[0].String()+"/redrive").into(http.StatusOK, &changed)
	d.change(http.MethodPost, "/api/outbox/"+failed[0].String()+"/redrive").problem(problem.NotFailed)
	d.change(http.MethodPost, "/api/outbox/"+uuid.NewString()+"/redrive").problem(problem.NotFound)
	if d.postJSON("/api/outbox/redrive", `{"event_type":"BLOB_DELETE"}`).into(http.StatusOK, &changed); changed.Count != 1 || changed.More {
		t.Errorf("by event: %+v", changed)
	}
	if d.postJSON("/api/outbox/redrive", `{}`).into(http.StatusOK, &changed); changed.Count != 1 {
		t.Errorf("the rest: %+v", changed)
	}
	if n := d.count("outbox_message where status = 'PENDING' and attempts = 0 and rejections = 0 and next_attempt_at <= now() and last_error is null"); n != 4 {
		t.Errorf("%d messages are due, want all 4", n)
	}
	for _, id := range failed {
		if !slices.Contains(d.nudges(), id) {
			t.Errorf("the relay was not told of %s", id)
		}
	}
}

// Failed tasks go again by what they failed of, when, and whose they are; never those of deleted files.
func TestRetryByFilter(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	var tasks []uuid.UUID
	for range 5 {
		taken := d.upload("a.csv", "a\n")
		setStatus(d, taken.Task.ID, task.Failed)
		tasks = append(tasks, taken.Task.ID)
	}
	d.exec(`delete from sheetdrop.outbox_message`)
	d.exec(`update sheetdrop.task set error_code = 'internal_error' where id = $1`, tasks[0])
	d.exec(`update sheetdrop.task set finished_at = now() - interval '1 day' where id = $1`, tasks[1])
	d.exec(`update sheetdrop.source_file set owner = 'ann' where id = (select source_file_id from sheetdrop.task where id = $1)`, tasks[2])
	d.exec(`update sheetdrop.source_file set deleted_at = now() where id = (select source_file_id from sheetdrop.task where id = $1)`, tasks[4])
	var dayBefore string
	d.query(&dayBefore, `select to_char((now() - interval '1 h') at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`)
	for _, step := range []struct {
		filter string
		want   uuid.UUID
	}{
		{`{"error_code":"internal_error"}`, tasks[0]}, {`{"finished_before":"` + dayBefore + `"}`, tasks[1]}, {`{"owner":"ann"}`, tasks[2]},
		{`{"ids":["` + tasks[3].String() + `","` + tasks[4].String() + `"]}`, tasks[3]},
	} {
		var changed operate.Changed
		d.postJSON("/api/tasks/retry", step.filter).into(http.StatusOK, &changed)
		var status string
		d.query(&status, `select t.status from sheetdrop.task t join sheetdrop.outbox_message m on m.task_id = t.id where t.id = $1`, step.want)
		if changed.Count != 1 || status != "PENDING" {
			t.Errorf("%s: %+v, the task is %s", step.filter, changed, status)
		}
	}
	var changed operate.Changed
	if d.postJSON("/api/tasks/retry", `{}`).into(http.StatusOK, &changed); changed.Count != 0 {
		t.Errorf("then %+v", changed)
	}
}

// A body that is none of the operation's is refused in words.
func TestBadBodies(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	for _, path := range []string{"/api/outbox/redrive", "/api/tasks/retry", "/api/bulk/tasks"} {
		for _, body := range []string{"", `{"colour":"red"}`, `{`, `[]`, `{"ids":["x"],"created_after":"x","items":1}`} {
			d.postJSON(path, body).problem(problem.InvalidBody)
		}
		d.send(http.MethodPost, path, strings.NewReader(`{}`), "Content-Type: text/csv").problem(problem.UnsupportedMediaType)
	}
	d.postJSON("/api/bulk/tasks", `{}`).problem(problem.InvalidBody)
	d.postJSON("/api/bulk/tasks", `{"filter":{},"items":[{"file_id":"`+uuid.NewString()+`"}]}`).problem(problem.InvalidBody)
}

// Everything that a person did is recorded in the transaction that did it: who, what, to what, and how many. What was refused is not.
func TestActions(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	taken := d.upload("a.csv", "a\n")
	own, file := "/api/tasks/"+taken.Task.ID.String(), "/api/files/"+taken.File.ID.String()
	d.change(http.MethodPost, own+"/retry").problem(problem.NotRetryable)
	d.change(http.MethodPost, own+"/cancel")
	d.change(http.MethodPost, own+"/cancel") // nothing to do any more
	d.change(http.MethodPost, own+"/retry")
	message := failMessage(d, taken.Task.ID) // and that of the retry
	d.change(http.MethodPost, "/api/outbox/"+message.String()+"/redrive")
	d.postJSON("/api/outbox/redrive", `{"event_type":"PARSE_TASK"}`)
	endTasks(d)
	d.change(http.MethodPost, file+"/tasks")
	endTasks(d)
	setStatus(d, taken.Task.ID, task.Failed)
	d.postJSON("/api/tasks/retry", `{"error_code":"damaged_file"}`)
	d.postJSON("/api/bulk/tasks", `{"items":[{"file_id":"`+taken.File.ID.String()+`"}]}`)
	setStatus(d, taken.Task.ID, task.Failed)
	d.change(http.MethodDelete, own)
	d.change(http.MethodDelete, file)

	var list export.List[operate.Action]
	d.get("/api/actions").into(http.StatusOK, &list)
	var got []string
	for _, a := range slices.Backward(list.Items) {
		target := ""
		switch {
		case a.Target == nil:
			target = string(a.Filter)
		case *a.Target == taken.Task.ID:
			target = "task"
		case *a.Target == taken.File.ID:
			target = "file"
		case *a.Target == message:
			target = "message"
		}
		got = append(got, fmt.Sprintf("%s %s %s %d", a.Caller, a.Action, target, a.Count))
	}
	want := []string{
		"local cancel_task task 1", "local retry_task task 1", "local redrive_message message 1",
		`local redrive_messages {"event_type": "PARSE_TASK"} 1`, "local parse_again file 1", `local retry_tasks {"error_code": "damaged_file"} 1`,
		`local parse_many {"items": [{"file_id": "` + taken.File.ID.String() + `"}]} 0`, "local delete_rows task 1", "local delete_file file 1",
	}
	if !slices.EqualFunc(got, want, func(a, b string) bool { return strings.ReplaceAll(a, " ", "") == strings.ReplaceAll(b, " ", "") }) {
		t.Errorf("recorded are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// An action whose COMMIT lost its answer takes effect once, also when it does so late.
func TestActionsLostCommitAnswer(t *testing.T) {
	t.Parallel()
	d, proxy := newTestAPIBehindProxy(t)
	taken := d.upload("a.csv", "a\n")
	again := "/api/files/" + taken.File.ID.String() + "/tasks"
	endTasks(d)
	proxy.CutAfterCommit(1)
	if a := d.change(http.MethodPost, again); a.status != http.StatusAccepted {
		t.Errorf("%d %s", a.status, a.body)
	}
	endTasks(d)
	held := proxy.HoldCommit()
	status := make(chan int, 1)
	go func() { status <- d.change(http.MethodPost, again).status }()
	d.untilLockAwaited()
	held.Release()
	if got := <-status; got != http.StatusAccepted {
		t.Errorf("late: %d", got)
	}
	if tasks, actions := d.count("task"), d.count("operator_action"); tasks != 3 || actions != 2 {
		t.Errorf("%d tasks and %d actions, want 3 and 2", tasks, actions)
	}
}

// Dead letters can be read, newest first.
func TestDeadLetters(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	d.exec(`insert into sheetdrop.dead_letter (id, queue_message_id, task_id, text, dequeue_count) values
('0197c7ba-0000-7000-8000-000000000001', 'a', null, 'no message', 5), ('0197c7ba-0000-7000-8000-000000000002', 'b', '0197c7ba-0000-7000-8000-000000000003', '{}', 6)`)
	var page, rest export.List[operate.DeadLetter]
	d.get("/api/dead-letters?limit=1").into(http.StatusOK, &page)
	if len(page.Items) != 1 || page.Items[0].QueueMessageID != "b" || page.Items[0].TaskID == nil || page.Items[0].DequeueCount != 6 || page.Next == nil {
		t.Fatalf("%+v", page)
	}
	if d.get("/api/dead-letters?cursor="+*page.Next).into(http.StatusOK, &rest); len(rest.Items) != 1 || rest.Items[0].Text != "no message" || rest.Next != nil {
		t.Errorf("%+v", rest)
	}
}
