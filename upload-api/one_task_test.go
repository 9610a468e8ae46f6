package upload

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"

	"sheetdrop/internal/task"
	"sheetdrop/upload-api/internal/operate"
	"sheetdrop/upload-api/internal/problem"
)

// A file that is being parsed, or waits for it, is not parsed a second time: by a new task, or by a former one that is retried.
func TestAFileHasOneOpenTask(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	taken := d.upload("a.csv", "a\n1\n")
	again := "/api/files/" + taken.File.ID.String() + "/tasks"
	d.change(http.MethodPost, again).problem(problem.AlreadyRunning)
	setStatus(d, taken.Task.ID, task.Processing)
	d.change(http.MethodPost, again).problem(problem.AlreadyRunning)
	setStatus(d, taken.Task.ID, task.Failed)
	var next Task
	d.change(http.MethodPost, again).into(http.StatusAccepted, &next)
	d.change(http.MethodPost, taskPath(taken.Task.ID)+"/retry").problem(problem.AlreadyRunning)
	if n := d.count("outbox_message where event_type = 'PARSE_TASK'"); n != 2 {
		t.Errorf("%d messages, want 2", n)
	}
	setStatus(d, next.ID, task.Cancelled)
	d.change(http.MethodPost, taskPath(taken.Task.ID)+"/retry").into(http.StatusOK, &Task{})
}

// However many ask at once, and in whatever process, a file is parsed by one task: parse again, retry and a bulk operation see each other.
func TestAFileHasOneOpenTaskWhoeverAsks(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	other := newTestAPI(t, withDatabase(d.sql.Config().ConnString()), withStorage(d.storage))
	for range 5 {
		taken := d.upload("a.csv", "a\n1\n")
		setStatus(d, taken.Task.ID, task.Failed)
		var wait sync.WaitGroup
		for _, at := range []*testAPI{d, other, d, other} {
			wait.Go(func() { at.change(http.MethodPost, "/api/files/"+taken.File.ID.String()+"/tasks") })
			wait.Go(func() { at.change(http.MethodPost, taskPath(taken.Task.ID)+"/retry") })
			wait.Go(func() { at.postJSON("/api/bulk/tasks", fmt.Sprintf(`{"items":[{"file_id":%q}]}`, taken.File.ID)) })
			wait.Go(func() { at.postJSON("/api/tasks/retry", fmt.Sprintf(`{"ids":[%q]}`, taken.Task.ID)) })
		}
		wait.Wait()
		if n := d.count("task where status = 'PENDING' and source_file_id = '" + taken.File.ID.String() + "'"); n != 1 {
			t.Errorf("%d tasks are open, want 1", n)
		}
	}
}

// An operator who retries all that has FAILED has each file parsed once: by its last FAILED task that is asked for, and
// not at all where it has an open one.
func TestRetryByFilterTakesAFileOnce(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	failedAgain := func(file uuid.UUID) uuid.UUID {
		var next Task
		d.change(http.MethodPost, "/api/files/"+file.String()+"/tasks").into(http.StatusAccepted, &next)
		setStatus(d, next.ID, task.Failed)
		return next.ID
	}
	twice, running := d.upload("a.csv", "a\n"), d.upload("b.csv", "b\n")
	setStatus(d, twice.Task.ID, task.Failed)
	setStatus(d, running.Task.ID, task.Failed)
	last := failedAgain(twice.File.ID)
	d.change(http.MethodPost, "/api/files/"+running.File.ID.String()+"/tasks").into(http.StatusAccepted, &Task{})
	var changed operate.Changed
	if d.postJSON("/api/tasks/retry", `{}`).into(http.StatusOK, &changed); changed.Count != 1 {
		t.Errorf("%d tasks are retried, want 1", changed.Count)
	}
	var shown Task
	if d.get(taskPath(last)).into(http.StatusOK, &shown); shown.Status != task.Pending {
		t.Errorf("the last one is %s", shown.Status)
	}
	setStatus(d, last, task.Failed)
	ids := strings.Join([]string{`"` + twice.Task.ID.String() + `"`, `"` + uuid.NewString() + `"`}, ",")
	if d.postJSON("/api/tasks/retry", `{"ids":[`+ids+`]}`).into(http.StatusOK, &changed); changed.Count != 1 {
		t.Errorf("by its id, %d tasks are retried, want the former one", changed.Count)
	}
}
