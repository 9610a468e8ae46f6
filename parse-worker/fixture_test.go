package parse_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"sheetdrop/internal/azure"
	"sheetdrop/internal/chaos/faultproxy"
	"sheetdrop/internal/devstack/await"
	"sheetdrop/internal/devstack/devtest"
	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/pgtest"
	"sheetdrop/internal/sheet"
	"sheetdrop/internal/task"
	parse "sheetdrop/parse-worker"
)

// fixture is a database and a storage account of the test's own, with a proxy in front of the blobs.
type fixture struct {
	*pgtest.Database
	Storage   devtest.StorageParts
	Blobs     *azure.Blobs // past the proxy
	Through   *azure.Blobs // through it
	BlobProxy *faultproxy.Proxy
}

func newFixture(t *testing.T) *fixture {
	f := &fixture{Database: pgtest.New(t)}
	f.Storage = devtest.Storage(t)
	var through devtest.StorageParts
	through, f.BlobProxy, _ = faultproxy.Storage(t, f.Storage)
	f.Blobs, f.Through = open(t, f.Storage), open(t, through)
	return f
}

func open(t *testing.T, p devtest.StorageParts) *azure.Blobs {
	blobs, _, err := azure.Open(azure.Settings{Connection: p.ConnectionString, Container: p.Container, Queue: p.Queue})
	if err != nil {
		t.Fatal(err)
	}
	return blobs
}

var usual = parse.Settings{Concurrency: 4, Lease: 30 * time.Second, FunctionTimeout: 30 * time.Minute, Limits: parse.Limits(sheet.DefaultLimits())}

// worker makes a worker with connections of its own, through url (a proxy's, or the database's own where it is "").
func (f *fixture) worker(t *testing.T, s parse.Settings, url string) *parse.Worker {
	t.Helper()
	if url == "" {
		url = f.URL
	}
	return f.workerWith(t, s, pgtest.Open(t, url), f.Through)
}

func (f *fixture) workerWith(t *testing.T, s parse.Settings, db *postgres.DB, blobs *azure.Blobs) *parse.Worker {
	t.Helper()
	w, err := parse.New(s, db, pgtest.Open(t, f.URL), blobs, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// upload stores a file and commits its task.
func (f *fixture) upload(t *testing.T, content string, change ...func(*postgres.Upload)) postgres.Upload {
	t.Helper()
	return f.uploadWith(t, content, `{}`, change...)
}

// uploadWith is upload with parse options, as JSON.
func (f *fixture) uploadWith(t *testing.T, content, options string, change ...func(*postgres.Upload)) postgres.Upload {
	t.Helper()
	u := f.AddSentUpload(t, append(change, func(u *postgres.Upload) {
		u.File.SizeBytes, u.File.SHA256 = int64(len(content)), sha256.Sum256([]byte(content))
		u.Options = []byte(options)
	})...)
	if err := f.Blobs.Upload(t.Context(), u.File.BlobName, strings.NewReader(content)); err != nil {
		t.Fatal(err)
	}
	return u
}

func message(u postgres.Upload) []byte {
	return task.ParseMessage{Version: 1, MessageID: u.MessageID, TaskID: u.TaskID}.Encode()
}

// handle delivers the task's message once.
func handle(t *testing.T, w *parse.Worker, u postgres.Upload) {
	t.Helper()
	if err := w.Handle(t.Context(), message(u)); err != nil {
		t.Errorf("deliver again: %v", err)
	}
}

// start delivers the task's message in the background; the returned function waits for the end.
func start(ctx context.Context, w *parse.Worker, u postgres.Upload) (wait func() error) {
	ended := make(chan error, 1)
	go func() { ended <- w.Handle(ctx, message(u)) }()
	return func() error { return <-ended }
}

// startHanging is start with the blobs hanging: it returns when the run has claimed the task and waits for the first bytes of its file.
func (f *fixture) startHanging(ctx context.Context, t *testing.T, w *parse.Worker, u postgres.Upload) (wait func() error) {
	t.Helper()
	f.BlobProxy.Hang()
	wait = start(ctx, w, u)
	f.Await(t, `select status = 'PROCESSING' from sheetdrop.task where id = $1`, u.TaskID)
	await.Until(t, "the run asks for its file", f.BlobProxy.Holds)
	return wait
}

// wantTask compares the task's outcome: "STATUS attempt crashes faults error_code".
func (f *fixture) wantTask(t *testing.T, id uuid.UUID, want string) {
	t.Helper()
	got := pgtest.Query[string](t, f.Database, `select concat_ws(' ', status, attempt, crashes, faults, error_code) from sheetdrop.task where id = $1`, id)
	if got != want {
		t.Errorf("task: %s, want %s", got, want)
	}
}

// wantRows compares the task's rows, one line each with cells in {…}, in order; rows that no sheet owns count too.
func (f *fixture) wantRows(t *testing.T, want ...string) {
	t.Helper()
	got := pgtest.Query[string](t, f.Database, `select coalesce(string_agg(cells::text, E'\n' order by sheet_id, row_no), '') from sheetdrop.sheet_row`)
	if got != strings.Join(want, "\n") {
		t.Errorf("rows:\n%s\nwant:\n%s", got, strings.Join(want, "\n"))
	}
}

// wantMessages compares how many live messages ask for the task.
func (f *fixture) wantMessages(t *testing.T, id uuid.UUID, want int) {
	t.Helper()
	if got := pgtest.Query[int](t, f.Database, `select count(*) from sheetdrop.outbox_message where task_id = $1 and status = 'PENDING'`, id); got != want {
		t.Errorf("%d messages wait for the task, want %d", got, want)
	}
}

// rowsOf makes a CSV of n rows, and what must become of them.
func rowsOf(n int) (content string, rows []string) {
	var b strings.Builder
	b.WriteString("id,name\n")
	for i := range n {
		fmt.Fprintf(&b, "%d,name %d\n", i, i)
		rows = append(rows, fmt.Sprintf(`{%d,"name %d"}`, i, i))
	}
	return b.String(), rows
}
