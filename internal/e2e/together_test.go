package e2e_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"

	"sheetdrop/internal/e2e"
	"sheetdrop/internal/postgres/pgtest"
)

// P2, P3: eight people parse again, retry, cancel and delete the same fifty files, while workers and the reconciler are at them: nobody waits
// in a circle, and in the end every task has ended, with exactly its rows if it COMPLETED.
func TestEightAtTheSameFiles(t *testing.T) {
	t.Parallel()
	app := e2e.Start(t, e2e.Options{Settings: map[string]string{"RELAY_SCHEDULE": "*/1 * * * * *", "RELAY_PERIOD": "1s"}})
	const count, rounds = 50, 20
	files, first := make([]uuid.UUID, count), make([]uuid.UUID, count)
	for i := range files {
		task := app.Upload(t, "list.csv", []byte("a,b\n1,2\n3,4\n"))
		files[i], first[i] = task.FileID, task.ID
	}
	items := make([]string, count)
	for i, n := range rand.New(rand.NewPCG(1, 1)).Perm(count) { // not in the order of ids, in which they have to be locked
		items[i] = fmt.Sprintf(`{"file_id":%q}`, files[n])
	}
	send := func(method, path, body string) {
		header := http.Header{"Content-Type": {"application/json"}}
		switch answer := app.Do(t, method, path, header, strings.NewReader(body)); answer.StatusCode {
		case http.StatusOK, http.StatusAccepted, http.StatusNoContent, http.StatusNotFound, http.StatusConflict:
		default:
			t.Errorf("%s %s: %s %s", method, path, answer.Status, answer.Text)
		}
	}
	bulk := func(int) { send("POST", "/api/bulk/tasks", `{"items":[`+strings.Join(items, ",")+`]}`) }
	people := []func(n int){
		bulk, bulk,
		func(int) { send("POST", "/api/bulk/tasks", `{"filter":{"status":"CANCELLED"}}`) },
		func(n int) { send("POST", "/api/files/"+files[n].String()+"/tasks", "") },
		func(n int) { send("POST", "/api/tasks/"+first[n].String()+"/cancel", "") },
		func(n int) {
			send("POST", "/api/tasks/"+first[n].String()+"/retry", "")
			send("POST", "/api/tasks/retry", `{}`)
		},
		func(n int) { send("DELETE", "/api/tasks/"+first[n].String(), "") },
		func(n int) { send("DELETE", "/api/files/"+files[n].String(), "") },
	}
	var working sync.WaitGroup
	for seed, act := range people {
		working.Go(func() {
			random := rand.New(rand.NewPCG(uint64(seed), 1))
			for range rounds {
				act(random.IntN(count))
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
		"charged runs":      `select count(*) from sheetdrop.task where crashes > 0`,
	} {
		if n := pgtest.Query[int](t, app.Database, wrong); n != 0 {
			t.Errorf("%d %s", n, what)
		}
	}
	if n := pgtest.Query[int](t, app.Database, `select count(*) from sheetdrop.task where status = 'COMPLETED'`); n <= count {
		t.Errorf("%d tasks COMPLETED: hardly anything was parsed again", n)
	}
}
