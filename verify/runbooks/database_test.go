package runbooks

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"sheetdrop/internal/devstack"
	"sheetdrop/internal/devstack/await"
	"sheetdrop/internal/devstack/devtest"
	"sheetdrop/internal/postgres/pgtest"
	"sheetdrop/verify/e2e"
)

// rehearseDatabase rehearses the pages about the database, on a server that it may stop.
func rehearseDatabase(t *testing.T) {
	stack := devtest.Private(t)
	storage := devtest.StorageOn(t, stack)
	s := &scene{}
	database := pgtest.NewOn(t, stack)
	database.Exec(t, `create role app_old superuser login password 'old'`)
	database.Exec(t, `create role app_new superuser login password 'new'`)
	options := e2e.Options{Settings: settings, Storage: &storage, Database: database, TimeScale: 0.05}
	app := e2e.Prepare(t, options)
	s.App = app
	old := &platform{config: s.HostConfig(t, e2e.Options{TimeScale: 0.05, Settings: map[string]string{"DATABASE_URL": withLogin(t, database.URL, "app_old", "old")}})}
	old.start(t)
	t.Cleanup(old.stop)
	s.Host = old.host
	s.sit(t)

	s.rehearseSessions(t)
	s.rehearseRoom(t)
	s.rehearse(t, rehearsal{
		page: "database-refusals", shown: "database.login",
		breaks: func(t *testing.T) {
			server := s.connect(t, "postgres", "administrator")
			if _, err := server.Exec(t.Context(), fmt.Sprintf(`alter database %s with allow_connections false`, pgx.Identifier{s.env["PGDATABASE"]}.Sanitize())); err != nil {
				t.Fatal(err)
			}
		},
	})
	s.rehearse(t, rehearsal{
		page: "read-only-database", shown: "database.writable",
		breaks: func(t *testing.T) { s.ReadOnly(t, true) },
	})
	s.rehearseServer(t, stack)

	s.rehearse(t, rehearsal{
		page: "rotate-identity", shown: "api.ready", words: map[string]string{"OLD_LOGIN": "app_old"},
		breaks: func(t *testing.T) {
			s.Exec(t, `alter role app_old nologin`)
			s.Exec(t, `select pg_terminate_backend(pid) from pg_stat_activity where usename = 'app_old'`)
		},
		mends: func(*testing.T) {
			old.stop()
			s.Host = s.StartHost(t, e2e.Options{TimeScale: 0.05, Settings: map[string]string{"DATABASE_URL": withLogin(t, database.URL, "app_new", "new")}})
			s.env["SHEETDROP_URL"] = s.Host.URL() + "/api"
		},
	})
}

// rehearseSessions rehearses the pages about what others do in the database.
func (s *scene) rehearseSessions(t *testing.T) {
	t.Helper()
	s.rehearse(t, rehearsal{
		page: "database-connections", shown: "database.connections", words: map[string]string{"REPORT": "nightly-report"},
		breaks: func(t *testing.T) {
			most := pgtest.Query[int](t, s.Database, `select current_setting('max_connections')::int`)
			for pgtest.Query[int](t, s.Database, `select count(*) from pg_stat_activity`) < most*85/100 {
				s.connect(t, s.env["PGDATABASE"], "nightly-report")
			}
		},
	})
	idle := s.connect(t, s.env["PGDATABASE"], "forgotten-session")
	s.rehearse(t, rehearsal{
		page: "database-long-transaction", shown: "forgotten-session", over: "row", words: map[string]string{"PID": pidOf(idle)},
		breaks: func(t *testing.T) {
			if _, err := idle.Exec(t.Context(), `begin`); err != nil {
				t.Fatal(err)
			}
		},
	})
	for _, page := range []string{"database-cpu", "database-credits"} {
		heavy := s.connect(t, s.env["PGDATABASE"], "heavy-report")
		s.rehearse(t, rehearsal{
			page: page, shown: "heavy-report", over: "row", words: map[string]string{"PID": pidOf(heavy)},
			breaks: func(*testing.T) {
				go func() { _, _ = heavy.Exec(context.WithoutCancel(t.Context()), `do $$ begin loop end loop; end $$`) }() // until it is ended
			},
		})
	}
}

// rehearseRoom rehearses the pages about the disk.
func (s *scene) rehearseRoom(t *testing.T) {
	t.Helper()
	large := []byte("n,text\n" + strings.Repeat("1,some text of a row that takes room\n", 20_000))
	s.rehearse(t, rehearsal{
		page: "database-disk", shown: "sheet_row", words: map[string]string{"FILE": "large.csv"},
		breaks: func(t *testing.T) {
			if done := s.Await(t, s.Upload(t, "large.csv", large).ID); done.Status != "COMPLETED" {
				t.Fatalf("%+v", done)
			}
			s.Exec(t, `analyze`)
		},
		after: func(t *testing.T) {
			s.Database.Await(t, `select not exists (select from sheetdrop.sheet_row r where not exists (select from sheetdrop.sheet where id = r.sheet_id))`)
			s.Database.Await(t, `select not exists (select from sheetdrop.sheet_purge)`)
		},
	})
	s.Exec(t, `create function public.full_disk() returns trigger language plpgsql as $$ begin
  raise 'could not extend file: No space left on device' using errcode = '53100';
end $$`)
	s.Exec(t, `create trigger full_disk before insert on sheetdrop.sheet_row for each statement execute function public.full_disk()`)
	waiting := s.Upload(t, "waiting.csv", []byte("a\n1\n"))
	s.rehearse(t, rehearsal{
		page: "full-disk", shown: "did not answer", told: true, over: "COMPLETED. Since", words: map[string]string{"TASK": waiting.ID.String()},
		breaks: func(*testing.T) {},
		mends:  func(t *testing.T) { s.Exec(t, `drop function public.full_disk cascade`) },
	})
}

// rehearseServer rehearses the pages during which the server is away.
func (s *scene) rehearseServer(t *testing.T, stack *devstack.Stack) {
	t.Helper()
	stop := func(immediate bool) func(*testing.T) {
		return func(t *testing.T) {
			for range 3 {
				s.Upload(t, "before.csv", []byte("a\n1\n"))
			}
			if err := stack.StopPostgres(t.Context(), immediate); err != nil {
				t.Fatal(err)
			}
		}
	}
	start := func(t *testing.T) {
		if err := stack.StartPostgres(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	allDone := func(t *testing.T) {
		await.Until(t, "every task is COMPLETED", func() bool { return s.allCompleted(t) })
	}
	s.rehearse(t, rehearsal{page: "database-down", shown: "database.reach", breaks: stop(true), mends: start, after: allDone})
	s.rehearse(t, rehearsal{page: "grow-the-server", shown: "database.reach", breaks: stop(false), mends: start, after: allDone})
}

// allCompleted asks by a session of its own, since those from before a restart are gone, whether every task is COMPLETED.
func (s *scene) allCompleted(t *testing.T) (all bool) {
	t.Helper()
	session := s.connect(t, s.env["PGDATABASE"], "rehearsal")
	defer session.Close(t.Context())
	if err := session.QueryRow(t.Context(), `select not exists (select from sheetdrop.task where status <> 'COMPLETED')`).Scan(&all); err != nil {
		t.Fatal(err)
	}
	return all
}

// connect opens a session of a program of that name, until the test ends.
func (s *scene) connect(t *testing.T, database, application string) *pgx.Conn {
	t.Helper()
	config, err := pgx.ParseConfig(s.Database.URL)
	if err != nil {
		t.Fatal(err)
	}
	config.Database, config.RuntimeParams["application_name"] = database, application
	session, err := pgx.ConnectConfig(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close(context.WithoutCancel(t.Context())) })
	return session
}

func pidOf(session *pgx.Conn) string { return fmt.Sprint(session.PgConn().PID()) }

// withLogin is a database's URL with another login.
func withLogin(t *testing.T, database, user, password string) string {
	t.Helper()
	u, err := url.Parse(database)
	if err != nil {
		t.Fatal(err)
	}
	u.User = url.UserPassword(user, password)
	query := u.Query()
	query.Del("passfile")
	u.RawQuery = query.Encode()
	return u.String()
}
