package upload

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"sheetdrop/internal/azure"
	"sheetdrop/internal/devstack/await"
	"sheetdrop/internal/devstack/devtest"
	"sheetdrop/internal/postgres"
	"sheetdrop/internal/why"
	"sheetdrop/upload-api/internal/direct"
	"sheetdrop/upload-api/internal/receive"
	"sheetdrop/upload-api/internal/response"
	"sheetdrop/upload-api/internal/targets"
	"sheetdrop/upload-api/internal/webhooks"
)

// What nearly every test reads.
type (
	Target = targets.Target
	Task   = response.Task
)

// FileAndTask is the response to an upload, or to one that is completed, which has no items.
type FileAndTask struct {
	response.FileAndTask
	Options json.RawMessage        `json:"options"`
	Items   []response.FileAndTask `json:"items"`
}

// testAPI is a handler behind a real server, with a database, a container and a queue of its own.
type testAPI struct {
	*Handler
	t       testing.TB
	server  *httptest.Server
	sql     *pgxpool.Pool // for what no operation shows or creates
	store   *azure.Blobs
	log     *devtest.Log
	storage azure.Settings
	contract

	mu     sync.Mutex
	nudged []uuid.UUID
}

// part replaces one thing of the usual setup.
type part func(*parts)

type parts struct {
	settings    Settings
	databaseURL string
	storage     azure.Settings
	handler     func(*Handler)
}

func withDatabase(url string) part { return func(p *parts) { p.databaseURL = url } }

func withStorage(s azure.Settings) part { return func(p *parts) { p.storage = s } }

func withSettings(change func(*Settings)) part { return func(p *parts) { change(&p.settings) } }

func withHandler(change func(*Handler)) part { return func(p *parts) { p.handler = change } }

func newTestAPI(t testing.TB, changes ...part) *testAPI {
	t.Helper()
	p := parts{settings: Settings{Auth: AuthLocal, MaxBytes: 1 << 20, AtOnce: 32, Direct: direct.Settings{MaxBytes: 1 << 30, MaxOpen: 100},
		Preview:  receive.PreviewSettings{MaxBytes: 1 << 20, MaxRecords: 10_000, AtOnce: 4},
		Webhooks: webhooks.Settings{PerOwner: 10, Policy: callable(t, "hooks.example.com")},
		Timing:   why.Timing{Period: 10 * time.Second, Lease: 30 * time.Second}}, handler: func(*Handler) {}}
	for _, change := range changes {
		change(&p)
	}
	if p.databaseURL == "" {
		p.databaseURL = devtest.Database(t)
	}
	if p.storage.Connection == "" {
		p.storage = newStorage(t)
	}
	d := &testAPI{t: t, log: &devtest.Log{}, storage: p.storage}
	db, err := postgres.Open(postgres.Settings{URL: p.databaseURL, MaxConns: 8})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(db.Close)
	blobs, queue, err := azure.Open(p.storage)
	if err != nil {
		t.Fatal(err)
	}
	d.store = blobs
	d.Handler, err = New(p.settings, db, blobs, queue, d.note, invocationOf, slog.New(slog.NewJSONHandler(d.log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	d.previewer.Timeout = time.Hour // on a machine that is busy with other tests
	p.handler(d.Handler)
	d.contract = readContract(t, d.Handler)
	d.server = httptest.NewServer(underInvocation(d.Handler))
	t.Cleanup(d.server.Close)
	if d.sql, err = pgxpool.New(t.Context(), p.databaseURL); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.sql.Close)
	return d
}

func newStorage(t testing.TB) azure.Settings {
	t.Helper()
	s := devtest.Storage(t)
	return azure.Settings{Connection: s.ConnectionString, Container: s.Container, Queue: s.Queue}
}

func (d *testAPI) note(ids ...uuid.UUID) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.nudged = append(d.nudged, ids...)
}

func (d *testAPI) nudges() []uuid.UUID {
	d.mu.Lock()
	defer d.mu.Unlock()
	return append([]uuid.UUID{}, d.nudged...)
}

// send makes a request; headers come as "Name: value".
func (d *testAPI) send(method, path string, body io.Reader, headers ...string) answer {
	d.t.Helper()
	r, err := http.NewRequestWithContext(d.t.Context(), method, d.server.URL+path, body)
	if err != nil {
		d.t.Fatal(err)
	}
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		r.Header.Add(name, value)
	}
	return d.do(r)
}

func (d *testAPI) do(r *http.Request) answer {
	d.t.Helper()
	response, err := d.server.Client().Do(r)
	if err != nil {
		d.t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		d.t.Fatalf("read the answer: %v", err)
	}
	a := answer{d.t, response.StatusCode, response.Header, body}
	d.check(d.t, r, answer{d.t, a.status, a.header, decompress(d.t, a)})
	return a
}

func (d *testAPI) get(path string, headers ...string) answer {
	d.t.Helper()
	return d.send(http.MethodGet, path, nil, headers...)
}

// post uploads a raw body.
func (d *testAPI) post(path, body string, headers ...string) answer {
	d.t.Helper()
	return d.send(http.MethodPost, path, strings.NewReader(body), append([]string{"Content-Type: text/csv"}, headers...)...)
}

// upload posts a file that must be accepted.
func (d *testAPI) upload(name, body string, headers ...string) FileAndTask {
	d.t.Helper()
	var taken FileAndTask
	d.post("/api/files?name="+name, body, headers...).into(http.StatusAccepted, &taken)
	return taken
}

// count returns the number of rows of a table of the schema.
func (d *testAPI) count(table string) (n int) {
	d.t.Helper()
	d.query(&n, fmt.Sprintf(`select count(*) from sheetdrop.%s`, table))
	return n
}

func (d *testAPI) query(into any, sql string, args ...any) {
	d.t.Helper()
	if err := d.sql.QueryRow(d.t.Context(), sql, args...).Scan(into); err != nil {
		d.t.Fatal(err)
	}
}

func (d *testAPI) exec(sql string, args ...any) {
	d.t.Helper()
	if _, err := d.sql.Exec(d.t.Context(), sql, args...); err != nil {
		d.t.Fatal(err)
	}
}

// blob reads a file's bytes directly from the blob store.
func (d *testAPI) blob(fileID uuid.UUID) []byte {
	d.t.Helper()
	var name string
	d.query(&name, `select blob_name from sheetdrop.source_file where id = $1`, fileID)
	body, _, err := d.store.Download(d.t.Context(), name, "")
	if err != nil {
		d.t.Fatal(err)
	}
	defer body.Close()
	content, err := io.ReadAll(body)
	if err != nil {
		d.t.Fatal(err)
	}
	return content
}

// nothingLeft checks that a rejected upload has left no row.
func (d *testAPI) nothingLeft() {
	d.t.Helper()
	for _, table := range []string{"source_file", "task", "outbox_message"} {
		if n := d.count(table); n != 0 {
			d.t.Errorf("%d rows in %s", n, table)
		}
	}
}

// blobNames lists the container, also blobs of which only blocks are stored.
func (d *testAPI) blobNames() (names []string) {
	d.t.Helper()
	for marker := ""; ; {
		page, next, err := d.store.List(d.t.Context(), marker, 1000)
		if err != nil {
			d.t.Fatal(err)
		}
		names = append(names, page...)
		if next == "" {
			return names
		}
		marker = next
	}
}

// noteOf returns what is kept with a file's blob.
func (d *testAPI) noteOf(fileID uuid.UUID) receive.Note {
	d.t.Helper()
	var name string
	d.query(&name, `select blob_name from sheetdrop.source_file where id = $1`, fileID)
	blobs, _, err := d.store.ListNotes(d.t.Context(), name, "", 1)
	if err != nil || len(blobs) != 1 {
		d.t.Fatalf("%d blobs %s: %v", len(blobs), name, err)
	}
	note, ok := receive.DecodeNote(blobs[0].Note)
	if !ok {
		d.t.Fatalf("the note of %s cannot be read", name)
	}
	return note
}

// noBlobs checks that no blob was left.
func (d *testAPI) noBlobs() {
	d.t.Helper()
	for _, name := range d.blobNames() {
		// A busy machine may be too slow to delete a hundred blobs before the response; the log then says so.
		if !strings.Contains(d.log.String(), `"msg":"a blob could not be deleted and is left as an orphan","blob":"`+name+`"`) {
			d.t.Errorf("%s is left", name)
		}
	}
}

// until waits for a condition.
func (d *testAPI) until(what string, condition func() bool) {
	d.t.Helper()
	await.Until(d.t, what, condition)
}
