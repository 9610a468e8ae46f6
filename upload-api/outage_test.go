package upload

import (
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"sheetdrop/internal/azure"
	"sheetdrop/internal/chaos/faultproxy"
	"sheetdrop/internal/devstack/devtest"
	"sheetdrop/internal/postgres/migrate"
	"sheetdrop/internal/postgres/pgtest"
	"sheetdrop/upload-api/internal/problem"
)

// outages is a testAPI whose services are behind proxies that can take them away.
type outages struct {
	*testAPI
	database, blobs, queue *faultproxy.Proxy
}

func newTestAPIWithOutages(t *testing.T) outages {
	t.Helper()
	address, err := url.Parse(devtest.Database(t))
	if err != nil {
		t.Fatal(err)
	}
	var o outages
	o.database = faultproxy.New(t, address.Host)
	address.Host = o.database.Address
	storage, blobs, queue := faultproxy.Storage(t, devtest.Storage(t))
	o.blobs, o.queue = blobs, queue
	o.testAPI = newTestAPI(t, withDatabase(address.String()),
		withStorage(azure.Settings{Connection: storage.ConnectionString, Container: storage.Container, Queue: storage.Queue}))
	return o
}

// missing returns the services that /ready reports as not ready.
func (d *testAPI) missing() (parts []string) {
	d.t.Helper()
	a := d.get("/api/ready")
	if a.status == http.StatusOK {
		return nil
	}
	for _, fault := range a.problem(problem.NotReady).Errors {
		parts = append(parts, fault.Location)
	}
	if strings.Contains(string(a.body), "127.0.0.1") || strings.Contains(string(a.body), "dial") {
		d.t.Errorf("it tells strangers of its inside: %s", a.body)
	}
	return parts
}

// P2: while the queue is unavailable, uploads are accepted as usual; while the blob store or the database is
// unavailable, they are rejected with a problem, leave nothing behind, and are accepted again afterwards.
func TestOutages(t *testing.T) {
	t.Parallel()
	d := newTestAPIWithOutages(t)
	d.upload("a.csv", "a\n")
	if parts := d.missing(); parts != nil {
		t.Fatalf("missing %v", parts)
	}

	d.queue.Cut()
	if parts := d.missing(); len(parts) != 1 || parts[0] != "queue" {
		t.Errorf("missing %v", parts)
	}
	d.upload("b.csv", "b\n")
	d.queue.Restore(t)

	d.blobs.Cut()
	if parts := d.missing(); len(parts) != 1 || parts[0] != "blobs" {
		t.Errorf("missing %v", parts)
	}
	refused := d.post("/api/files?name=c.csv", "c\n")
	refused.problem(problem.StorageUnavailable)
	if refused.header.Get("Retry-After") == "" {
		t.Error("no Retry-After")
	}
	d.blobs.Restore(t)
	if n := d.count("source_file"); n != 2 {
		t.Errorf("%d files, want 2", n)
	}

	d.database.Cut()
	if parts := d.missing(); len(parts) != 1 || parts[0] != "schema" {
		t.Errorf("missing %v", parts)
	}
	refused = d.post("/api/files?name=c.csv", "c\n")
	refused.problem(problem.DatabaseUnavailable)
	if refused.header.Get("Retry-After") == "" {
		t.Error("no Retry-After")
	}
	d.get("/api/files").problem(problem.DatabaseUnavailable)
	if a := d.get("/api/health"); a.status != http.StatusOK {
		t.Errorf("health: %d", a.status)
	}
	d.database.Restore(t)
	d.sql.Reset()

	taken := d.upload("c.csv", "c\n")
	d.get("/api/files/" + taken.File.ID.String() + "/content")
	if parts := d.missing(); parts != nil {
		t.Errorf("missing %v", parts)
	}
}

// P2: a server that refuses to write, for example because its disk is full, counts as unavailable for uploads, but what
// exists can be read.
func TestReadOnlyDatabaseRefusesUploads(t *testing.T) {
	t.Parallel()
	database := pgtest.New(t)
	database.ReadOnly(t, true)
	d := newTestAPI(t, withDatabase(database.URL))
	d.post("/api/files?name=a.csv", "a\n").problem(problem.DatabaseUnavailable)
	if a := d.get("/api/files"); a.status != http.StatusOK {
		t.Errorf("the list of files: %d %s", a.status, a.body)
	}
}

// On a database without the schema it says what to do; once migrated, it serves without a restart.
func TestSchemaOld(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t, withDatabase(devtest.EmptyDatabase(t)))
	for _, a := range []answer{d.post("/api/files?name=a.csv", "a\n"), d.get("/api/files"), d.get("/api/tasks/0197c7ba-0000-7000-8000-000000000000")} {
		if p := a.problem(problem.SchemaOld); !strings.Contains(p.Detail, "sheetdrop migrate") {
			t.Errorf("it says %q", p.Detail)
		}
	}
	if parts := d.missing(); len(parts) != 1 || parts[0] != "schema" {
		t.Errorf("missing %v", parts)
	}
	d.noBlobs()
	if _, err := migrate.Up(t.Context(), d.sql.Config().ConnString()); err != nil {
		t.Fatal(err)
	}
	d.upload("a.csv", "a\n")
}

// The response to an internal error reveals no internals; the log has the details under its instance.
func TestInternalError(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	taken := d.upload("a.csv", "a\n")
	d.exec(`drop table sheetdrop.row_reject`)
	sheetOf(d, taken.Task.ID, "a")
	p := d.get("/api/tasks/" + taken.Task.ID.String() + "/sheets/1/rejects").problem(problem.Internal)
	if !strings.HasPrefix(p.Instance, "urn:uuid:") || strings.Contains(p.Detail+p.Title, "row_reject") || len(p.Errors) > 0 {
		t.Errorf("it says %+v", p)
	}
	if log := d.log.String(); !strings.Contains(log, p.Instance) || !strings.Contains(log, "row_reject") {
		t.Errorf("the log says %q", log)
	}
}

// A panic is an internal error like any other, and the server continues.
func TestPanic(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t, withHandler(func(h *Handler) {
		h.mux.HandleFunc("GET /api/panic", func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Query().Has("late") {
				w.Write([]byte("half of an answer"))
				http.NewResponseController(w).Flush()
			}
			panic("oh dear")
		})
	}))
	if p := d.get("/api/panic").problem(problem.Internal); strings.Contains(p.Detail, "dear") {
		t.Errorf("it says %q", p.Detail)
	}
	if log := d.log.String(); !strings.Contains(log, "oh dear") || !strings.Contains(log, "outage_test.go") {
		t.Errorf("the log says %q", log)
	}
	response, err := d.server.Client().Get(d.server.URL + "/api/panic?late")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if got, err := io.ReadAll(response.Body); err == nil {
		t.Errorf("half of an answer looks complete: %q", got)
	}
	d.upload("a.csv", "a\n")
}
