package doctor

import (
	"context"
	"maps"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"

	"sheetdrop/cmd/sheetdrop/internal/checkout"
	"sheetdrop/internal/azure"
	"sheetdrop/internal/devstack"
	"sheetdrop/internal/devstack/devtest"
	"sheetdrop/internal/postgres/pgtest"
)

// fixture is a sheetdrop without a server: a database and a storage of the test's own, and settings.
type fixture struct {
	Subject
	db    *pgtest.Database
	parts devtest.StorageParts
}

// handlerProgram builds the handler once for all tests.
var handlerProgram = sync.OnceValues(func() (string, error) {
	root, err := filepath.Abs(filepath.Join("..", "..", "..", ".."))
	if err != nil {
		return "", err
	}
	return checkout.BuildHandler(context.Background(), root)
})

// newFixture makes a sheetdrop that is well, on a stack. Its settings are not known.
func newFixture(t *testing.T, stack *devstack.Stack) *fixture {
	t.Helper()
	p := &fixture{db: pgtest.NewOn(t, stack), parts: devtest.StorageOn(t, stack)}
	storage := azure.Settings{Connection: p.parts.ConnectionString, Container: p.parts.Container, Queue: p.parts.Queue}
	if err := azure.Provision(t.Context(), storage); err != nil { // with the poison queue
		t.Fatal(err)
	}
	p.Subject = Subject{HasDatabase: true, Database: p.db.URL, Storage: &storage, Thresholds: Usual()}
	p.Thresholds.DiskWarning, p.Thresholds.DiskProblem = 0, 0 // the machine that tests has what it has
	return p
}

// withSettings adds settings that are right, and changes one of them; "" changes none.
func (p *fixture) withSettings(t *testing.T, name, value string) {
	t.Helper()
	handler, err := handlerProgram()
	if err != nil {
		t.Fatal(err)
	}
	p.Settings = &Settings{From: "local.settings.json", Handler: handler, Values: map[string]string{
		"AUTH": "local", "DATABASE_URL": p.db.URL, "DATA_STORAGE": p.parts.ConnectionString, "PARSE_QUEUE": "parse-tasks",
		"AzureWebJobsStorage": "UseDevelopmentStorage=true", "RELAY_SCHEDULE": "*/30 * * * * *", "RELAY_PERIOD": "30s",
	}}
	if name != "" {
		p.Settings.Values[name] = value
	}
	p.Settings.Own = slices.Sorted(maps.Keys(p.Settings.Values))
}

// examine returns what the checks find.
func (p *fixture) examine(t *testing.T) []Finding {
	t.Helper()
	found, err := Examine(t.Context(), p.Subject)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// wrong returns the problems, and behind them the warnings.
func wrong(found []Finding) []Finding { return append(of(found, Problem), of(found, Warning)...) }

// address changes the address of the database.
func (p *fixture) address(t *testing.T, change func(*url.URL)) {
	t.Helper()
	u, err := url.Parse(p.db.URL)
	if err != nil {
		t.Fatal(err)
	}
	change(u)
	p.Database = u.String()
}

// connect opens a session of the test's own on the database.
func (p *fixture) connect(t *testing.T) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), p.db.URL)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	return conn
}

// through changes the connection string of the storage.
func (p *fixture) through(old, replacement string) {
	p.Storage.Connection = strings.Replace(p.Storage.Connection, old, replacement, 1)
}
