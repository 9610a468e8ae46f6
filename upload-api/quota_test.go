package upload

import (
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/task"
	"sheetdrop/upload-api/internal/problem"
)

func withQuota(q postgres.Quota) part { return withSettings(func(s *Settings) { s.Quota = q }) }

// An owner with as many open tasks as the quota allows gets no more of them, by whatever request, until some have
// ended; other owners do, and nothing is left of what was refused.
func TestOpenTasksOfAnOwnerAreLimited(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t, withEasyAuth(), withQuota(postgres.Quota{OpenTasks: 3}))
	ann, bob := signedIn("ann"), signedIn("bob")
	ended, cancelled := d.upload("a.csv", "a\n", ann), d.upload("a.csv", "a\n", ann)
	setStatus(d, ended.Task.ID, task.Failed)
	d.change(http.MethodPost, taskPath(cancelled.Task.ID)+"/cancel", ann)
	var open []FileAndTask
	for range 3 {
		open = append(open, d.upload("a.csv", "a\n", ann))
	}
	setStatus(d, open[0].Task.ID, task.Processing)
	before, blobs := d.everything(), len(d.blobNames())
	d.post("/api/files?name=a.csv", "a\n", ann).triesAgain(problem.TooManyOpen)
	d.change(http.MethodPost, "/api/files/"+ended.File.ID.String()+"/tasks", ann).triesAgain(problem.TooManyOpen)
	d.change(http.MethodPost, taskPath(cancelled.Task.ID)+"/retry", ann).triesAgain(problem.TooManyOpen)
	d.postJSON("/api/bulk/tasks", `{"filter":{"status":"FAILED"}}`, ann).triesAgain(problem.TooManyOpen)
	if after := d.everything(); after != before || len(d.blobNames()) != blobs {
		t.Errorf("there was\n%s\nand is\n%s, with %d blobs", before, after, len(d.blobNames())-blobs)
	}
	d.upload("b.csv", "b\n", bob)
	setStatus(d, open[0].Task.ID, task.Failed)
	d.change(http.MethodPost, taskPath(cancelled.Task.ID)+"/retry", ann).into(http.StatusOK, &Task{})
	d.change(http.MethodPost, taskPath(open[1].Task.ID)+"/cancel", ann)
	d.change(http.MethodPost, "/api/files/"+open[1].File.ID.String()+"/tasks", ann).into(http.StatusAccepted, &Task{})
	d.post("/api/files?name=a.csv", "a\n", ann).triesAgain(problem.TooManyOpen)
}

// However many requests come at once, to however many processes, no more is accepted than the quota allows, and not less.
func TestQuotaHoldsForRequestsAtOnce(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		quota postgres.Quota
		code  problem.Code
	}{
		"open tasks": {postgres.Quota{OpenTasks: 5}, problem.TooManyOpen}, "files a day": {postgres.Quota{DailyFiles: 5}, problem.QuotaExceeded},
	} {
		d := newTestAPI(t, withEasyAuth(), withQuota(c.quota))
		other := newTestAPI(t, withEasyAuth(), withQuota(c.quota), withDatabase(d.sql.Config().ConnString()), withStorage(d.storage))
		var wait sync.WaitGroup
		for i := range 16 {
			wait.Go(func() {
				if a := []*testAPI{d, other}[i%2].post("/api/files?name=a.csv", "a\n", signedIn("ann")); a.status != http.StatusAccepted {
					a.triesAgain(c.code)
				}
			})
		}
		wait.Wait()
		if n := d.count("task"); n != 5 {
			t.Errorf("%s: %d tasks, want 5", name, n)
		}
	}
}

// Files, bytes and tasks of a day are limited for each owner, and the answer says when the day ends; the next day
// begins anew. Deleting makes no room.
func TestDailyQuota(t *testing.T) {
	t.Parallel()
	for name, quota := range map[string]postgres.Quota{"files": {DailyFiles: 3}, "bytes": {DailyBytes: 6}, "tasks": {DailyTasks: 3}} {
		d := newTestAPI(t, withEasyAuth(), withQuota(quota))
		ann, bob := signedIn("ann"), signedIn("bob")
		form := []string{"Content-Type: multipart/form-data; boundary=x", ann}
		two := filePart("a.csv", "a\n") + filePart("b.csv", "b\n") + "--x--\r\n"
		var taken Uploaded
		d.send(http.MethodPost, "/api/files", strings.NewReader(two), form...).into(http.StatusAccepted, &taken)
		d.change(http.MethodDelete, "/api/files/"+taken.Items[0].File.ID.String(), ann)
		d.send(http.MethodPost, "/api/files", strings.NewReader(two), form...).endsAtMidnight()
		d.upload("a.csv", "a\n", ann)
		d.post("/api/files?name=a.csv", "a\n", ann).endsAtMidnight()
		d.upload("b.csv", "b\n", bob)
		if name == "tasks" {
			setStatus(d, taken.Items[1].Task.ID, task.Failed)
			d.change(http.MethodPost, "/api/files/"+taken.Items[1].File.ID.String()+"/tasks", ann).endsAtMidnight()
			d.change(http.MethodPost, taskPath(taken.Items[1].Task.ID)+"/retry", ann).endsAtMidnight()
			d.postJSON("/api/bulk/tasks", `{"filter":{"status":"FAILED"}}`, ann).endsAtMidnight()
		}
		d.exec(`update sheetdrop.owner_usage set day = day - 1`)
		d.send(http.MethodPost, "/api/files", strings.NewReader(two), form...).into(http.StatusAccepted, &Uploaded{})
		d.upload("a.csv", "a\n", ann)
		d.post("/api/files?name=a.csv", "a\n", ann).endsAtMidnight()
	}
}

// endsAtMidnight checks that a request was refused for what is left of the day.
func (a answer) endsAtMidnight() {
	a.t.Helper()
	a.triesAgain(problem.QuotaExceeded)
	if after, err := strconv.Atoi(a.header.Get("Retry-After")); err != nil || after < 1 || after > 24*60*60 {
		a.t.Errorf("Retry-After is %d, %v", after, err)
	}
}

// An upload that was accepted is answered again under its Idempotency-Key, also where the quota is used up since, and counts once.
func TestRepeatedUploadUsesNoQuota(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t, withQuota(postgres.Quota{OpenTasks: 1, DailyFiles: 1, DailyBytes: 2, DailyTasks: 1}))
	key := "Idempotency-Key: once"
	first := d.upload("a.csv", "a\n", key)
	for range 3 {
		if again := d.upload("a.csv", "a\n", key); again.File.ID != first.File.ID {
			t.Errorf("again: file %s, was %s", again.File.ID, first.File.ID)
		}
	}
	d.post("/api/files?name=a.csv", "a\n").triesAgain(problem.QuotaExceeded)
	d.usage("local", "1 2 1")
}

// Who has nothing left of the day is told so before a body is sent, also under a new Idempotency-Key.
func TestUsedUpQuotaRefusesBeforeTheBody(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t, withQuota(postgres.Quota{DailyFiles: 1}))
	d.upload("a.csv", "a\n")
	for _, key := range []string{"", "Idempotency-Key: new\r\n"} {
		answer := d.raw("POST /api/files?name=a.csv HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 5000\r\n" + key + "\r\n")
		if !strings.HasPrefix(answer, "HTTP/1.1 429 ") || !strings.Contains(answer, "\r\nRetry-After: ") {
			t.Errorf("answered %q", answer)
		}
	}
}

// What takes effect once is counted once, also where the answer to its COMMIT was lost, or the host sends the request again.
func TestUsageIsCountedOnce(t *testing.T) {
	t.Parallel()
	d, proxy := newTestAPIBehindProxy(t, withQuota(postgres.Quota{DailyFiles: 2, DailyTasks: 3}))
	proxy.CutAfterCommit(1)
	taken := d.upload("a.csv", "a\n")
	d.usage("local", "1 2 1")
	endTasks(d)
	again, invocation := "/api/files/"+taken.File.ID.String()+"/tasks", "Invocation: "+uuid.NewString()
	proxy.CutAfterCommit(1)
	for range 2 {
		d.change(http.MethodPost, again, invocation).into(http.StatusAccepted, &Task{})
	}
	d.usage("local", "1 2 2")
}

// Without a quota nothing is counted, and no owner's requests wait for each other.
func TestWithoutAQuotaNothingIsCounted(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	d.upload("a.csv", "a\n")
	if n := d.count("owner_usage"); n != 0 {
		t.Errorf("%d owners are counted", n)
	}
}

// P10: the open tasks of an owner are found by an index that holds nothing else, and those of others and the ended ones cost nothing.
func TestCountingOpenTasksReadsNoOther(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t, withQuota(postgres.Quota{OpenTasks: 100}))
	taken := d.upload("a.csv", "a\n")
	d.exec(`insert into sheetdrop.task (id, source_file_id, owner, options, status, finished_at)
select gen_random_uuid(), $1, case when n % 2 = 0 then 'local' else 'somebody' end, '{}', case when n % 2 = 0 then 'CANCELLED' else 'PENDING' end,
  case when n % 2 = 0 then now() end from generate_series(1, 20000) n`, taken.File.ID)
	d.exec(`analyze sheetdrop.task`)
	d.exec(`update sheetdrop.owner_usage set open_left = 0`)
	d.upload("a.csv", "a\n")
	var left int
	d.query(&left, `select open_left from sheetdrop.owner_usage`)
	if left != 98 {
		t.Errorf("%d more may be opened, want 98", left)
	}
	d.until("the index is used", func() (used bool) {
		d.query(&used, `select idx_scan > 0 from pg_stat_user_indexes where indexrelname = 'task_open_by_owner'`)
		return used
	})
}

// usage checks what is counted for an owner: files, bytes and tasks.
func (d *testAPI) usage(owner, want string) {
	d.t.Helper()
	var got string
	d.query(&got, `select coalesce((select concat_ws(' ', files, bytes, tasks) from sheetdrop.owner_usage where owner = $1), 'nothing')`, owner)
	if got != want {
		d.t.Errorf("%s has used %s, want %s", owner, got, want)
	}
}
