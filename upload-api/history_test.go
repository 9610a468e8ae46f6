package upload

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"sheetdrop/internal/task"
	"sheetdrop/upload-api/internal/history"
	"sheetdrop/upload-api/internal/operate"
	"sheetdrop/upload-api/internal/problem"
)

// P8: an owner is told of their own tasks, an operator who asks as one of anybody's, with who did what, and that access is logged.
func TestHistoryIsForItsOwnerAndForOperators(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t, withEasyAuth())
	ann, bob, root := signedIn("ann"), signedIn("bob"), signedIn("root", operatorRole)
	taken := d.upload("a.csv", "a\n1\n", ann)
	setStatus(d, taken.Task.ID, task.Failed)
	d.postJSON("/api/tasks/retry", `{}`, root).into(http.StatusOK, &operate.Changed{})
	setStatus(d, taken.Task.ID, task.Cancelled)
	d.send(http.MethodPost, taskPath(taken.Task.ID)+"/retry", nil, ann).into(http.StatusOK, &Task{})
	path := taskPath(taken.Task.ID) + "/history"

	d.get(path, bob).problem(problem.NotFound)
	d.get(path, root).problem(problem.NotFound)
	d.get(path+"?all=true", ann).problem(problem.NotOperator)
	var own, all history.TaskHistory
	d.get(path, ann).into(http.StatusOK, &own)
	d.get(path+"?all=true", root).into(http.StatusOK, &all)
	if len(d.log.Lines(t, "operator_access")) == 0 {
		t.Error("an operator's look is not logged")
	}
	for name, c := range map[string]struct {
		told history.TaskHistory
		want string
	}{"ann": {own, "owner"}, "root": {all, "owner " + ownerNamed(d, taken.Task.ID.String())}} {
		last := c.told.Items[len(c.told.Items)-1]
		if got := strings.TrimSpace(fmt.Sprint(last.By, " ", last.Caller)); fmt.Sprint(last.Kind) != "retried" || got != c.want {
			t.Errorf("%s is told %v by %q, want retried by %q", name, last.Kind, got, c.want)
		}
	}
}

func ownerNamed(d *testAPI, id string) (owner string) {
	d.query(&owner, `select owner from sheetdrop.task where id = $1`, id)
	return owner
}

// The sentences are in the caller's language, the words for programs are not; an answer that has not changed is not sent again.
func TestHistorySpeaksTheCallersLanguage(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	path := taskPath(d.upload("a.csv", "a\n1\n").Task.ID) + "/history"
	var english, japanese history.TaskHistory
	d.get(path).into(http.StatusOK, &english)
	a := d.get(path, "Accept-Language: ja", "Accept-Encoding: identity")
	a.into(http.StatusOK, &japanese)
	if a.header.Get("Content-Language") != "ja" || !slices.Contains(a.header.Values("Vary"), "Accept-Language") {
		t.Errorf("Content-Language %q, Vary %q", a.header.Get("Content-Language"), a.header.Values("Vary"))
	}
	if english.Now.Text == japanese.Now.Text || english.Now.Code != japanese.Now.Code || english.Items[0].Text == japanese.Items[0].Text {
		t.Errorf("%+v\n%+v", english, japanese)
	}
	if again := d.get(path, "Accept-Language: ja", "Accept-Encoding: identity", "If-None-Match: "+a.header.Get("ETag")); again.status != http.StatusNotModified {
		t.Errorf("the same again: %d", again.status)
	}
}

// Whoever has deleted a file is still told what became of its task, and nothing that was in the file.
func TestHistoryOfADeletedFileHasNothingOfIt(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	taken := d.upload("secret-name.csv", "secret-header\nsecret-cell\n")
	d.change(http.MethodDelete, "/api/files/"+taken.File.ID.String())
	var told history.TaskHistory
	a := d.get(taskPath(taken.Task.ID) + "/history")
	a.into(http.StatusOK, &told)
	if fmt.Sprint(told.Now.Code) != "deleted" || told.Now.NextStep != nil {
		t.Errorf("now: %+v", told.Now)
	}
	if strings.Contains(string(a.body), "secret") {
		t.Errorf("the answer has something of the file: %s", a.body)
	}
}

// However often something has happened to a task, its history is one answer of bounded size.
func TestHistoryIsOneAnswer(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	taken := d.upload("a.csv", "a\n1\n")
	d.exec(`insert into sheetdrop.operator_action (id, caller, action, target) select gen_random_uuid(), 'local', 'retry_task', $1 from generate_series(1, 2000)`, taken.Task.ID)
	d.exec(`insert into sheetdrop.dead_letter (id, queue_message_id, task_id, text, dequeue_count)
select gen_random_uuid(), 'm' || n, $1, '{}', 5 from generate_series(1, 2000) n`, taken.Task.ID)
	d.exec(`insert into sheetdrop.outbox_message (id, event_type, task_id, payload, status, next_attempt_at)
select gen_random_uuid(), 'PARSE_TASK', $1, '{}', 'FAILED', 'infinity' from generate_series(1, 2000)`, taken.Task.ID)
	var told history.TaskHistory
	d.get(taskPath(taken.Task.ID)+"/history").into(http.StatusOK, &told)
	if n := len(told.Items); n < 50 || n > 200 {
		t.Errorf("%d items, want 50 to 200", n)
	}
}
