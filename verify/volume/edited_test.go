package volume

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"sheetdrop/internal/devstack/devtest"
	"sheetdrop/internal/postgres/pgtest"
	"sheetdrop/verify/e2e"
)

const (
	editedRows = 200 // of the target, and of each file
	editors    = 8
)

// A thousand files of the same keys go into one target, while eight people change, delete and add its rows by SQL: each file is loaded once, in the
// order in which they were sent, none comes nearer to its limit of attempts, and in the end each row is the last file's, or what somebody has made of it since. T1, T2.
func TestManyFilesIntoATargetThatPeopleEdit(t *testing.T) {
	t.Parallel()
	o := e2e.Options{Settings: map[string]string{"RELAY_SCHEDULE": "* * * * * *", "RELAY_PERIOD": "1s"}}
	if *full {
		servers := devtest.Private(t)
		storage := devtest.StorageOn(t, servers)
		o.Database, o.Storage = pgtest.NewOn(t, servers), &storage
	}
	e := edited{App: e2e.Start(t, o)}
	e.post(t, "/api/targets", "application/json", `{"name":"list","key":["id"],"mode":"upsert",
"columns":[{"name":"id","type":"integer","required":true},{"name":"amount","type":"integer"}]}`, http.StatusCreated)
	e.Exec(t, `create table public.edit (seq bigserial, id bigint, what text, amount bigint, after_load bigint)`)
	files := messages(30, 1000)
	began := time.Now()
	stop := e.startEditors(t)
	for n := range files {
		e.post(t, fmt.Sprintf("/api/files?name=%d.csv&target=list", n), "text/csv", e.file(n), http.StatusAccepted)
	}
	e.Await(t, `select count(*) = $1 and bool_and(status = 'COMPLETED') from sheetdrop.task`, files)
	took := time.Since(began)
	stop()
	e.check(t, files)
	t.Logf("%d files in %s, %.1f a second; %s", files, took.Round(time.Second), float64(files)/took.Seconds(), e.report(t))
}

// edited is an app with a target that people edit.
type edited struct {
	*e2e.App
	mu      sync.Mutex
	done    int
	failed  map[string]int // edits, by their error
	longest time.Duration
}

// Await is the database's.
func (e *edited) Await(t *testing.T, sql string, args ...any) { e.Database.Await(t, sql, args...) }

func (e *edited) post(t *testing.T, path, kind, body string, want int) {
	t.Helper()
	answer := e.Do(t, http.MethodPost, path, http.Header{"Content-Type": {kind}}, bytes.NewReader([]byte(body)))
	if answer.StatusCode != want {
		t.Fatalf("%s: %s %s", path, answer.Status, answer.Text)
	}
}

// file has all keys, with amounts that no other file and no edit has: each load changes each row.
func (*edited) file(n int) string {
	var b strings.Builder
	b.WriteString("id,amount\n")
	for id := range editedRows {
		fmt.Fprintf(&b, "%d,%d\n", id, n*1000+id)
	}
	return b.String()
}

func (e *edited) startEditors(t *testing.T) (stop func()) {
	t.Helper()
	e.failed = map[string]int{}
	ended, cancel := context.WithCancel(t.Context())
	var working sync.WaitGroup
	for editor := range editors {
		working.Go(func() {
			random := rand.New(rand.NewPCG(uint64(editor), 1))
			for n := 1; ; n++ {
				e.edit(t, random, -(n*editors + editor))
				select {
				case <-ended.Done():
					return
				case <-time.After(time.Duration(random.IntN(40)) * time.Millisecond):
				}
			}
		})
	}
	stop = sync.OnceFunc(func() { cancel(); working.Wait() })
	t.Cleanup(stop)
	return stop
}

// edit changes some rows, in any order, deletes one, or adds one of the editor's own. What took effect is noted by the same statement, with the load
// that has written the row.
func (e *edited) edit(t *testing.T, random *rand.Rand, amount int) {
	sql := `with e as (update data.list set amount = $1 where id = any($2) returning *)
insert into public.edit (id, what, amount, after_load) select id, 'changed', amount, _load from e`
	ids := random.Perm(editedRows)[:1+random.IntN(5)]
	switch random.IntN(10) {
	case 0:
		sql, ids = `with e as (delete from data.list where $1 < 0 and id = any($2) returning *)
insert into public.edit (id, what, after_load) select id, 'deleted', _load from e`, ids[:1]
	case 1:
		sql, ids = `with e as (insert into data.list (id, amount) select $1, n from unnest($2::int[]) n returning *)
insert into public.edit (id, what, after_load) select id, 'added', _load from e`, ids[:1]
	}
	began := time.Now()
	conn := e.Begin(t)
	_, err := conn.Exec(t.Context(), sql, amount, ids)
	if err == nil {
		err = conn.Commit(t.Context())
	} else {
		_ = conn.Rollback(t.Context())
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if err != nil {
		e.failed[err.Error()[:min(60, len(err.Error()))]]++
		return
	}
	e.done++
	e.longest = max(e.longest, time.Since(began))
}

func (e *edited) check(t *testing.T, files int) {
	t.Helper()
	for what, wrong := range map[string]string{
		"loads that are not in the order of the uploads": `select count(*) from (
  select lag(l.id) over (order by t.created_at, t.id) as before, l.id from sheetdrop.task t join sheetdrop.target_load l on l.task_id = t.id) o where before > id`,
		"attempts that ended as crashes":  `select count(*) from sheetdrop.task where crashes > 0`,
		"files that were not loaded once": fmt.Sprintf(`select abs(count(*) - %d) + %d - count(distinct file_id) from sheetdrop.target_load`, files, files),
		"loads with other counts":         fmt.Sprintf(`select count(*) from sheetdrop.target_load where inserted + updated <> %d or unchanged + rejected > 0`, editedRows),
		"rows that are not what they have to be": fmt.Sprintf(`with last as (select max(id) as id from sheetdrop.target_load), edit as (
  select distinct on (id) id, what, amount from public.edit where after_load = (select id from last) order by id, seq desc
), want as (
  select n as id, coalesce(e.amount, %d * 1000 + n) as amount, e.id is not null as edited from generate_series(0, %d) n left join edit e on e.id = n
  where e.what is distinct from 'deleted'
)
select count(*) from want w full join (select * from data.list where id >= 0) l on l.id = w.id
where (w.amount, w.edited, (select id from last)) is distinct from (l.amount, l._edited, l._load)`, files-1, editedRows-1),
		"rows of people's own that are gone": `select count(*) from public.edit e where what = 'added' and not exists (select from data.list where id = e.id and _load = 0)`,
	} {
		if n := pgtest.Query[int](t, e.Database, wrong); n != 0 {
			t.Errorf("%d %s", n, what)
		}
	}
}

func (e *edited) report(t *testing.T) string {
	t.Helper()
	attempts := pgtest.Query[int](t, e.Database, `select sum(attempt) from sheetdrop.task`)
	deadlocks := pgtest.Query[int](t, e.Database, `select deadlocks from pg_stat_database where datname = current_database()`)
	return fmt.Sprintf("%d attempts; %d edits, the longest took %s, and %v that failed; %d deadlocks", attempts, e.done, e.longest.Round(time.Millisecond), e.failed, deadlocks)
}
