package e2e_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"sheetdrop/internal/postgres/pgtest"
	"sheetdrop/verify/e2e"
)

// P2, P3: for twenty seconds eight people parse again, retry, cancel and delete the same fifty files, while workers and the reconciler are at
// them: nobody waits in a circle, and in the end every task has ended, with exactly its rows if it COMPLETED.
func TestEightAtTheSameFiles(t *testing.T) {
	t.Parallel()
	app := e2e.Start(t, e2e.Options{Settings: map[string]string{"RELAY_SCHEDULE": "*/1 * * * * *", "RELAY_PERIOD": "1s"}})
	desk := &desk{app: app}
	for i := range desk.tasks {
		desk.replace(t, i)
	}
	end := time.Now().Add(20 * time.Second)
	var working sync.WaitGroup
	for seed, act := range desk.people(t) {
		working.Go(func() {
			random := rand.New(rand.NewPCG(uint64(seed), 1))
			for time.Now().Before(end) && t.Context().Err() == nil {
				act(random)
			}
		})
	}
	working.Wait()
	app.Database.Await(t, `select not exists (select from sheetdrop.task where status in ('PENDING', 'PROCESSING'))`)
	app.Database.Await(t, `select not exists (select from sheetdrop.sheet_purge) and not exists (
  select from sheetdrop.source_file where deleted_at is not null and purged_at is null)`)
	for what, wrong := range map[string]string{
		"deadlocks": `select deadlocks from pg_stat_database where datname = current_database()`,
		"COMPLETED tasks without exactly their rows": `select count(*) from sheetdrop.task t join sheetdrop.source_file f on f.id = t.source_file_id
where t.status = 'COMPLETED' and f.deleted_at is null and t.rows_deleted_at is null
  and 2 <> (select count(*) from sheetdrop.sheet s join sheetdrop.sheet_row r on r.sheet_id = s.id where s.task_id = t.id)`,
		"rows that belong to nothing": `select count(*) from sheetdrop.sheet_row r where not exists (
  select from sheetdrop.sheet s join sheetdrop.task t on t.id = s.task_id join sheetdrop.source_file f on f.id = t.source_file_id
  where s.id = r.sheet_id and t.status = 'COMPLETED' and f.deleted_at is null)`,
		"tasks that FAILED": `select count(*) from sheetdrop.task where status = 'FAILED'`,
		"counted attempts":  `select count(*) from sheetdrop.task where crashes > 0`,
	} {
		if n := pgtest.Query[int](t, app.Database, wrong); n != 0 {
			t.Errorf("%d %s", n, what)
		}
	}
	if n := pgtest.Query[int](t, app.Database, `select count(*) from sheetdrop.task where status = 'COMPLETED'`); n <= len(desk.tasks) {
		t.Errorf("%d tasks COMPLETED: hardly anything was parsed again", n)
	}
}

// desk is where the files lie that everybody is at.
type desk struct {
	app   *e2e.App
	mu    sync.Mutex
	tasks [50]e2e.Task // each file's first
}

// replace puts a new file in a place.
func (d *desk) replace(t *testing.T, place int) {
	t.Helper()
	task := d.app.Upload(t, "list.csv", []byte("a,b\n1,2\n3,4\n"))
	d.mu.Lock()
	defer d.mu.Unlock()
	d.tasks[place] = task
}

// any gives a place and the task there.
func (d *desk) any(random *rand.Rand) (int, e2e.Task) {
	d.mu.Lock()
	defer d.mu.Unlock()
	place := random.IntN(len(d.tasks))
	return place, d.tasks[place]
}

// all names all files, not in the order of their ids, in which they have to be locked.
func (d *desk) all(random *rand.Rand) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	items := make([]string, len(d.tasks))
	for i, place := range random.Perm(len(d.tasks)) {
		items[i] = fmt.Sprintf(`{"file_id":%q}`, d.tasks[place].FileID)
	}
	return `{"items":[` + strings.Join(items, ",") + `]}`
}

// people are what each of the eight does, again and again.
func (d *desk) people(t *testing.T) []func(*rand.Rand) {
	bulk := func(r *rand.Rand) { d.send(t, "POST", "/api/bulk/tasks", d.all(r)) }
	onTask := func(method, action string) func(*rand.Rand) {
		return func(r *rand.Rand) {
			_, task := d.any(r)
			d.send(t, method, "/api/tasks/"+task.ID.String()+action, "")
		}
	}
	retry := onTask("POST", "/retry")
	return []func(*rand.Rand){
		bulk, bulk,
		func(*rand.Rand) { d.send(t, "POST", "/api/bulk/tasks", `{"filter":{"status":"CANCELLED"}}`) },
		func(r *rand.Rand) {
			_, task := d.any(r)
			d.send(t, "POST", "/api/files/"+task.FileID.String()+"/tasks", "")
		},
		onTask("POST", "/cancel"),
		func(r *rand.Rand) {
			retry(r)
			d.send(t, "POST", "/api/tasks/retry", `{}`)
		},
		onTask("DELETE", ""),
		func(r *rand.Rand) {
			place, task := d.any(r)
			d.send(t, "DELETE", "/api/files/"+task.FileID.String(), "")
			d.replace(t, place)
		},
	}
}

// send asks for something that may be too late, but for nothing wrong.
func (d *desk) send(t *testing.T, method, path, body string) {
	t.Helper()
	header := http.Header{"Content-Type": {"application/json"}}
	switch answer := d.app.Do(t, method, path, header, strings.NewReader(body)); answer.StatusCode {
	case http.StatusOK, http.StatusAccepted, http.StatusNoContent, http.StatusNotFound, http.StatusConflict:
	default:
		t.Errorf("%s %s: %s %s", method, path, answer.Status, answer.Text)
	}
}
