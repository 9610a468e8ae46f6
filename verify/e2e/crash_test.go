package e2e_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"

	"sheetdrop/internal/chaos/faultproxy"
	"sheetdrop/internal/devstack/devtest"
	"sheetdrop/internal/funchost"
	"sheetdrop/internal/postgres/pgtest"
	"sheetdrop/verify/e2e"
)

// csv makes a file of n rows; the rows' first cells are 0 … n-1.
func csv(n, width int) []byte {
	var b strings.Builder
	b.WriteString("id,text\n")
	text := strings.Repeat("x", width)
	for i := range n {
		fmt.Fprintf(&b, "%d,%s\n", i, text)
	}
	return []byte(b.String())
}

// wantExactRows checks that the database holds the n rows of csv, for each of the files, and nothing else.
func wantExactRows(t *testing.T, app *e2e.App, files, n int) {
	t.Helper()
	got := pgtest.Query[string](t, app.Database, `select concat_ws(' ', count(*), count(distinct sheet_id), coalesce(sum(cells[1]::int), 0)) from sheetdrop.sheet_row`)
	if want := fmt.Sprintf("%d %d %d", files*n, files, files*n*(n-1)/2); got != want {
		t.Errorf("rows, sheets, sum: %s, want %s", got, want)
	}
}

// through makes storage settings with proxies in front.
func through(t *testing.T) (o e2e.Options, blobs, queue *faultproxy.Proxy) {
	t.Helper()
	parts, blobs, queue := faultproxy.Storage(t, devtest.Storage(t))
	return e2e.Options{Storage: &parts}, blobs, queue
}

// P1, P2: with the queue away uploads are accepted and nothing fails; when it is back everything is done.
func TestQueueAwayDuringUploads(t *testing.T) {
	t.Parallel()
	o, _, queue := through(t)
	app := e2e.Start(t, o)
	queue.Cut()
	const files = 30
	for i := range files {
		app.Upload(t, fmt.Sprintf("%d.csv", i), csv(10, 10))
	}
	app.Database.Await(t, `select count(*) filter (where attempts >= 2) > 0 from sheetdrop.outbox_message`) // the timer has tried, too
	if n := pgtest.Query[int](t, app.Database, `select count(*) from sheetdrop.outbox_message where status = 'FAILED'`); n != 0 {
		t.Errorf("%d messages are FAILED", n)
	}
	queue.Restore(t)
	app.Database.Await(t, `select count(*) filter (where status <> 'COMPLETED') = 0 from sheetdrop.task`)
	wantExactRows(t, app, files, 10)
}

// The queue delivers at least once: each message three times at once, to each of two hosts that lose every other delete.
func TestDeliveredManyTimes(t *testing.T) {
	t.Parallel()
	lost := losing()
	app := e2e.Start(t, e2e.Options{Faults: &funchost.Faults{DeliverTimes: 3, LoseDelete: lost}})
	app.StartHost(t, e2e.Options{Functions: []string{"parse-worker"}, Faults: &funchost.Faults{DeliverTimes: 3, LoseDelete: lost}})
	const files = 20
	var ids []uuid.UUID
	for i := range files {
		ids = append(ids, app.Upload(t, fmt.Sprintf("%d.csv", i), csv(10, 10)).ID)
	}
	for _, id := range ids {
		if done := app.Await(t, id); done.Status != "COMPLETED" || done.Attempt != 1 {
			t.Errorf("task: %+v, want COMPLETED by its only attempt", done)
		}
	}
	wantExactRows(t, app, files, 10)
}

// losing is true every other time.
func losing() func() bool {
	var mu sync.Mutex
	n := 0
	return func() bool {
		mu.Lock()
		defer mu.Unlock()
		n++
		return n%2 == 0
	}
}

// On Flex Consumption each function runs in processes of its own, which share nothing but the services.
func TestEachFunctionInItsOwnProcess(t *testing.T) {
	t.Parallel()
	app := e2e.Start(t, e2e.Options{Functions: []string{"upload-api"}})
	app.StartHost(t, e2e.Options{Functions: []string{"outbox-relay"}})
	app.StartHost(t, e2e.Options{Functions: []string{"parse-worker"}})
	if done := app.Await(t, app.Upload(t, "list.csv", csv(10, 10)).ID); done.Status != "COMPLETED" {
		t.Errorf("task: %+v, want COMPLETED", done)
	}
	wantExactRows(t, app, 1, 10)
}

// On an old schema the handler says so, in words, and no message is acknowledged.
func TestOldSchema(t *testing.T) {
	t.Parallel()
	app := e2e.Start(t, e2e.Options{Functions: []string{"outbox-relay"}, Errors: []string{"sheetdrop migrate"}})
	const versions = `update sheetdrop.schema_version set is_applied = $1 where version_id > 0`
	upload := app.AddUpload(t)
	app.Database.Await(t, `select exists (select from sheetdrop.outbox_history)`)
	app.Exec(t, versions, false)
	app.Host = app.StartHost(t, e2e.Options{Functions: []string{"upload-api", "parse-worker"}, TimeScale: 0.05})
	for path, want := range map[string]int{"/api/files": http.StatusServiceUnavailable, "/api/ready": http.StatusServiceUnavailable, "/api/health": http.StatusOK} {
		answer := app.Do(t, http.MethodGet, path, nil, nil)
		if answer.StatusCode != want || want != http.StatusOK && !strings.Contains(string(answer.Text), "sheetdrop migrate") {
			t.Errorf("GET %s: %s %s, want %d", path, answer.Status, answer.Text, want)
		}
	}
	app.AwaitRedelivery(t)
	app.Exec(t, versions, true)
	app.Database.Await(t, `select status = 'FAILED' and error_code = 'content_missing' from sheetdrop.task where id = $1`, upload.TaskID)
}
