package doctor

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"

	"sheetdrop/cmd/sheetdrop/internal/server"
	"sheetdrop/internal/chaos/storageproxy"
	"sheetdrop/internal/devstack"
	"sheetdrop/internal/devstack/await"
	"sheetdrop/internal/devstack/devtest"
	"sheetdrop/internal/postgres/pgtest"
	"sheetdrop/internal/postgres/provision"
)

// asLogin makes a login, and has it examine the database.
func asLogin(t *testing.T, p *fixture, name string, rights ...string) {
	t.Helper()
	p.db.Exec(t, `create role `+name+` login password 'secret'`)
	for _, sql := range rights {
		p.db.Exec(t, sql)
	}
	p.address(t, func(u *url.URL) {
		u.User, u.RawQuery = url.UserPassword(name, "secret"), "sslmode=disable"
	})
}

// separated has the app log in with a role of its own, as a deployment does.
func separated(t *testing.T, p *fixture) {
	t.Helper()
	p.db.Exec(t, `create role the_app login`)
	if err := provision.Rights(t.Context(), p.db.URL, provision.App{Login: "the_app"}); err != nil {
		t.Fatal(err)
	}
}

// serverFaults are of a whole server: its roles, settings and slots.
var serverFaults = map[string]fault{
	"a right that was revoked": {func(t *testing.T, p *fixture) {
		separated(t, p)
		p.db.Exec(t, `revoke insert on sheetdrop.task from sheetdrop_app`)
	}, Problem, "database.rights", "sheetdrop provision"},
	"a schema that may not be used": {func(t *testing.T, p *fixture) {
		separated(t, p)
		p.db.Exec(t, `revoke usage on schema sheetdrop from sheetdrop_app`)
	}, Problem, "database.rights", "sheetdrop provision"},
	"an app without a login": {func(t *testing.T, p *fixture) {
		separated(t, p)
		p.db.Exec(t, `revoke sheetdrop_app from the_app`)
	}, Problem, "database.rights", "sheetdrop provision"},
	"a login with too many rights": {func(t *testing.T, p *fixture) {
		separated(t, p)
		p.db.Exec(t, `alter role the_app createrole`)
	}, Warning, "database.rights", "Revoke them"},
	"a right to change the schema": {func(t *testing.T, p *fixture) {
		separated(t, p)
		p.db.Exec(t, `grant create on schema sheetdrop to sheetdrop_app`)
	}, Warning, "database.rights", "Revoke them"},
	"a login that may read nothing": {func(t *testing.T, p *fixture) { asLogin(t, p, "stranger") }, Problem, "schema.version", "pg_read_all_data"},
	"no connection left for a login": {func(t *testing.T, p *fixture) { asLogin(t, p, "late", `alter role late connection limit 0`) },
		Problem, "database.login", "DB_MAX_CONNS"},
	"autovacuum that is off": {func(t *testing.T, p *fixture) {
		executing(`alter system set autovacuum = off`, `select pg_reload_conf()`)(t, p)
		p.db.Await(t, `current_setting('autovacuum') = 'off'`)
	}, Problem, "database.autovacuum", "alter system set autovacuum = on"},
	"a replication slot that nobody reads": {executing(`select pg_create_physical_replication_slot('left_over', true)`), Warning, "database.slots", "pg_drop_replication_slot('left_over')"},
	"a replication slot that fills the disk": {func(t *testing.T, p *fixture) {
		executing(`select pg_create_physical_replication_slot('left_over', true)`)(t, p)
		p.Thresholds.SlotBytes = 0
	}, Problem, "database.slots", "pg_drop_replication_slot('left_over')"},
	"sessions that take nearly all connections": {func(_ *testing.T, p *fixture) { p.Thresholds.ConnectionsProblem = 0 }, Problem, "database.connections", "DB_MAX_CONNS"},
	"transaction ids that nobody freezes":       {func(_ *testing.T, p *fixture) { p.Thresholds.AgeProblem = 0 }, Problem, "database.wraparound", "vacuum (freeze"},
	"a disk that is nearly full":                {func(_ *testing.T, p *fixture) { p.Thresholds.DiskProblem = 1 << 60 }, Problem, "database.disk", "Make room"},
}

// What belongs to a whole server is broken on one of the tests' own, one thing after the other.
func TestTheCulpritOfAServer(t *testing.T) {
	t.Parallel()
	stack := devtest.Private(t)
	fresh := func(t *testing.T) *fixture {
		t.Cleanup(func() { restore(t, stack) }) // once the database is gone
		return newFixture(t, stack)
	}
	for name, c := range serverFaults {
		t.Run(name, func(t *testing.T) {
			p := fresh(t)
			c.inject(t, p)
			found := wrong(p.examine(t))
			if len(found) != 1 || found[0].ID != c.id || found[0].State != c.state || !strings.Contains(found[0].Next, c.next) {
				t.Errorf("got %+v, want a %s of %s alone, with %q in what to do", found, c.state, c.id, c.next)
			}
		})
	}
	t.Run("a deployed app's own role is well", func(t *testing.T) {
		p := fresh(t)
		separated(t, p)
		if found := wrong(p.examine(t)); len(found) > 0 {
			t.Errorf("%+v", found)
		}
	})
	t.Run("who looks needs to read alone, and changes nothing", func(t *testing.T) { onlyReads(t, fresh(t)) })
}

// restore takes away what belongs to no database.
func restore(t *testing.T, stack *devstack.Stack) {
	t.Helper()
	conn, err := pgx.Connect(context.Background(), stack.DatabaseURL)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	for _, sql := range []string{
		`select pg_drop_replication_slot(slot_name) from pg_replication_slots`, `alter system reset all`, `select pg_reload_conf()`,
		`drop role if exists the_app, stranger, late, reader, sheetdrop_app, sheetdrop_tables, sheetdrop_loader, sheetdrop_adopter`,
	} {
		if _, err := conn.Exec(context.Background(), sql); err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
	}
}

// onlyReads examines with a login that may only read, and a storage that lets only questions through: every check is made, and afterwards
// everything is as it was.
func onlyReads(t *testing.T, p *fixture) {
	p.db.AddUpload(t)
	asLogin(t, p, "reader", `grant pg_read_all_data, pg_monitor to reader`)
	var mu sync.Mutex
	var asked []string
	p.Storage.Connection = storageproxy.Through(t, p.Storage.Connection, func(r *http.Request) storageproxy.Fault {
		mu.Lock()
		defer mu.Unlock()
		asked = append(asked, r.Method)
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			return http.StatusForbidden
		}
		return storageproxy.None
	})
	p.withSettings(t, "", "")
	before := contents(t, p.db)
	found := p.examine(t)
	if wrong := wrong(found); len(wrong) > 0 {
		t.Errorf("%+v", wrong)
	}
	for _, f := range of(found, Skipped) {
		if !strings.HasPrefix(f.ID, "api.") && f.ID != "database.rights" { // of an app that has no role, and is not this login
			t.Errorf("%s was skipped: %s", f.ID, f.Found)
		}
	}
	if after := contents(t, p.db); before != after {
		t.Errorf("something was written: before %s, after %s", before, after)
	}
	if len(asked) == 0 || slices.ContainsFunc(asked, func(method string) bool { return method != http.MethodGet && method != http.MethodHead }) {
		t.Errorf("the storage was asked to %q", asked)
	}
}

// contents are the rows of all tables of sheetdrop, as a hash.
func contents(t *testing.T, db *pgtest.Database) string {
	t.Helper()
	return pgtest.Query[string](t, db, `select md5(string_agg(query_to_xml(format(case c.relkind when 'S' then 'select last_value, is_called from %s' else 'select * from %s x order by x::text' end, c.oid::regclass), true, true, '')::text, '' order by c.oid))
from pg_class c where c.relnamespace = 'sheetdrop'::regnamespace and c.relkind in ('r', 'S')`)
}

// Behind a service that is away everything else is not said: one problem, and the checks that need it skipped with its name.
func TestConsequencesAreSkipped(t *testing.T) {
	t.Parallel()
	stack := devtest.Private(t)
	p := newFixture(t, stack)
	stop(t, stack)
	found := p.examine(t)
	if wrong := wrong(found); len(wrong) != 1 || wrong[0].ID != "database.reach" {
		t.Fatalf("%+v", wrong)
	}
	for _, f := range found {
		if strings.HasPrefix(f.ID, "schema.") && (f.State != Skipped || f.Because != "database.reach") {
			t.Errorf("%+v", f)
		}
		if strings.HasPrefix(f.ID, "state.") && !slices.Contains([]string{"state.queue", "state.poison"}, f.ID) && f.Because != "database.reach" {
			t.Errorf("%+v", f)
		}
	}
	asked := 0
	p.Server = withoutDatabase(t, &asked)
	if wrong := wrong(p.examine(t)); len(wrong) != 1 || wrong[0].ID != "database.reach" || asked > 2 { // once more after a 503
		t.Errorf("with a server that has no database either, asked %d times: %+v", asked, wrong)
	}
	asked, p.HasDatabase = 0, false
	if wrong := wrong(p.examine(t)); len(wrong) != 1 || wrong[0].ID != "state.timer" || asked > 2 {
		t.Errorf("the server alone, asked %d times: %+v", asked, wrong)
	}
	p.Server, p.HasDatabase = nil, true
	if err := stack.StartPostgres(t.Context()); err != nil {
		t.Fatal(err)
	}
	await.Until(t, "all is well again", func() bool { return len(wrong(p.examine(t))) == 0 })
}

func stop(t *testing.T, stack *devstack.Stack) {
	t.Helper()
	if err := stack.StopPostgres(t.Context(), false); err != nil {
		t.Fatal(err)
	}
}

// withoutDatabase is a server that answers, and whose database does not. It counts how often it is asked how everything stands.
func withoutDatabase(t *testing.T, asked *int) *server.Server {
	t.Helper()
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/api/health":
			_, _ = w.Write([]byte(`{"status":"ok"}`))
		case "/api/me":
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write([]byte(`{"operator":true,"owner":"local"}`))
		case "/api/overview":
			*asked++
			fallthrough
		default:
			w.Header().Set("Content-Type", "application/problem+json")
			w.WriteHeader(http.StatusServiceUnavailable)
			_, _ = w.Write([]byte(`{"status":503,"code":"database_unavailable","title":"Database unavailable","detail":"The database does not answer."}`))
		}
	}))
	t.Cleanup(service.Close)
	s, err := server.At(service.URL+"/api", nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
