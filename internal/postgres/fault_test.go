package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"sheetdrop/internal/chaos/faultproxy"
	"sheetdrop/internal/chaos/pgproxy"
	"sheetdrop/internal/devstack/devtest"
	"sheetdrop/internal/fault"
	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/pgtest"
	"sheetdrop/internal/task"
)

// P2: a connection can be closed while it lies in the pool. Who finds that out when it is to be used met an outage, and no fault of ours.
func TestServiceFaultOfAConnectionFoundClosed(t *testing.T) {
	t.Parallel()
	conn, err := pgx.Connect(t.Context(), devtest.Database(t))
	if err != nil {
		t.Fatal(err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := conn.Exec(ended, `select`); err == nil || fault.Of(err) == fault.Service {
		t.Errorf("%v, want an error that is the caller's", err)
	}
	if err := conn.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := conn.Begin(t.Context()); err == nil || fault.Of(fmt.Errorf("begin load: %w", err)) != fault.Service {
		t.Errorf("%v, want an error that is the service's fault", err)
	}
}

// M8, S6: whose fault an error is decides whether a task is tried for ever or charged. Each error here comes from the server, by what
// really causes it or, where that would need a full disk, by its code.
func TestServiceFaultsOfStatements(t *testing.T) {
	t.Parallel()
	url := devtest.Database(t)
	raise := func(code string) string { return `do $$ begin raise exception using errcode = '` + code + `'; end $$` }
	for name, c := range map[string]struct {
		sql   string
		state string
		want  bool
	}{
		"connection failure":     {raise("08006"), "08006", true},
		"serialization failure":  {raise("40001"), "40001", true},
		"deadlock":               {raise("40P01"), "40P01", true},
		"disk full":              {raise("53100"), "53100", true},
		"too many connections":   {raise("53300"), "53300", true},
		"lock not available":     {`set lock_timeout = 1; lock table sheetdrop.reconciler`, "55P03", true},
		"statement time-out":     {`set statement_timeout = 1; select pg_sleep(60)`, "57014", true},
		"terminated":             {`select pg_terminate_backend(pg_backend_pid())`, "57P01", true},
		"division by zero":       {`select 1 / 0`, "22012", false},
		"no such text":           {`select convert_from('\xff', 'UTF8')`, "22021", false},
		"unique violation":       {`insert into sheetdrop.reconciler default values`, "23505", false},
		"check violation":        {`update sheetdrop.reconciler set one = false`, "23514", false},
		"no such table":          {`select from sheetdrop.no_such_table`, "42P01", false},
		"syntax":                 {`selec`, "42601", false},
		"limit of the program":   {`select chr(0)`, "54000", false},
		"sequence not yet asked": {`select currval('sheetdrop.sheet_id')`, "55000", false},
		"internal error":         {raise("XX000"), "XX000", false},
		"exception":              {raise("P0001"), "P0001", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pool, err := pgxpool.New(t.Context(), url)
			if err != nil {
				t.Fatal(err)
			}
			defer pool.Close()
			if c.state == "55P03" {
				holder, err := pool.Begin(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				defer func() { _ = holder.Rollback(context.Background()) }()
				if _, err := holder.Exec(t.Context(), `lock table sheetdrop.reconciler`); err != nil {
					t.Fatal(err)
				}
			}
			conn, err := pool.Acquire(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Release()
			_, err = conn.Conn().PgConn().Exec(t.Context(), c.sql).ReadAll()
			if state := sqlState(err); state != c.state {
				t.Fatalf("%v, want SQLSTATE %s", err, c.state)
			}
			if got := fault.Of(err) == fault.Service; got != c.want {
				t.Errorf("service's fault: %t, want %t: %v", got, c.want, err)
			}
		})
	}
}

// The same for errors on the way to the server.
func TestServiceFaultsOfConnections(t *testing.T) {
	t.Parallel()
	database := devtest.Database(t)
	for name, cause := range map[string]func(t *testing.T, p *pgproxy.Proxy, db *postgres.DB) error{
		"refused": func(t *testing.T, p *pgproxy.Proxy, db *postgres.DB) error {
			p.Refuse()
			_, err := db.Now(t.Context())
			return err
		},
		"broken in a statement": func(t *testing.T, p *pgproxy.Proxy, db *postgres.DB) error {
			p.CutAfterStatement("select now()", 1)
			_, err := db.Now(t.Context())
			return err
		},
		"time-out of the caller": func(t *testing.T, _ *pgproxy.Proxy, db *postgres.DB) error {
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
			defer cancel()
			return db.InTx(ctx, never(t), func(ctx context.Context, tx postgres.Tx) error {
				_, err := postgres.Pgx(tx).Exec(ctx, `select pg_sleep(60)`)
				return err
			})
		},
		"unknown outcome of a commit": func(t *testing.T, p *pgproxy.Proxy, db *postgres.DB) error {
			p.CutAfterCommit(1)
			ctx, cancel := context.WithCancel(t.Context())
			err := db.InTx(ctx, func(context.Context) (bool, error) {
				cancel()
				return false, errors.New("nobody knows")
			}, func(ctx context.Context, tx postgres.Tx) error {
				_, err := postgres.Pgx(tx).Exec(ctx, `select $1::int`, 1)
				return err
			})
			if !errors.Is(err, postgres.ErrAmbiguous) {
				t.Errorf("%v, want %v", err, postgres.ErrAmbiguous)
			}
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			proxy := pgproxy.New(t, database)
			err := cause(t, proxy, pgtest.Open(t, proxy.URL()))
			if err == nil || fault.Of(err) != fault.Service {
				t.Errorf("service's fault: false, want true: %v", err)
			}
		})
	}
	_, err := pgtest.Open(t, "postgres://"+refusesTLS(t)+"/?sslmode=require").Now(t.Context())
	if err == nil || fault.Of(err) != fault.Service {
		t.Errorf("TLS refused: service's fault: false, want true: %v", err)
	}
	for _, lost := range []error{postgres.ErrConnectionLost, postgres.ErrAmbiguous} {
		if err := fmt.Errorf("%w: %w", lost, &pgconn.PgError{Severity: "FATAL", Code: "25P03"}); fault.Of(err) != fault.Service {
			t.Errorf("whatever the server said last: service's fault: false, want true: %v", err)
		}
	}
	if fault.Of(errors.New("index out of range")) != fault.Unknown {
		t.Error("any error is the service's")
	}
}

// refusesTLS is the address of something that answers as a server without TLS does when it is asked for it.
func refusesTLS(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var ended sync.WaitGroup
	ended.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return // closed
			}
			_, _ = conn.Write([]byte("N"))
			_ = conn.Close()
		}
	})
	t.Cleanup(func() {
		_ = listener.Close()
		ended.Wait()
	})
	return listener.Addr().String()
}

// The same for a connection that ends in good order while a statement runs, as when a proxy in between is stopped.
func TestServiceFaultOfAClosedConnection(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	db.AddUpload(t)
	address, err := url.Parse(db.URL)
	if err != nil {
		t.Fatal(err)
	}
	proxy := faultproxy.New(t, address.Host)
	address.Host = proxy.Address
	through := pgtest.Open(t, address.String())
	holder := db.Begin(t)
	if _, err := holder.Exec(t.Context(), `lock table sheetdrop.task in access exclusive mode`); err != nil {
		t.Fatal(err)
	}
	failed := make(chan error, 1)
	go func() {
		_, err := postgres.Pool(through).Exec(t.Context(), `select from sheetdrop.task for update`)
		failed <- err
	}()
	db.Await(t, `select exists (select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock')`)
	proxy.Cut()
	if err := <-failed; err == nil || fault.Of(err) != fault.Service {
		t.Errorf("service's fault: false, want true: %v", err)
	}
}

// A server that ends the connection of a load, for whatever reason, is at fault: nothing of the load is there, and another try may go well.
func TestLoadWhoseConnectionTheServerEnds(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	c := claim(t, db, db.AddUpload(t).TaskID)
	db.Exec(t, `do $$ begin execute format('alter database %I set idle_in_transaction_session_timeout = 1', current_database()); end $$`)
	impatient := pgtest.Open(t, db.URL)
	load, err := impatient.BeginLoad(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	defer load.Rollback(t.Context())
	db.Await(t, `select not exists (select from pg_stat_activity where datname = current_database() and state like 'idle in transaction%')`)
	if err := load.Row(1, 2, 2, [][]byte{[]byte("x")}); err != nil {
		t.Fatal(err)
	}
	_, err = load.Complete(t.Context(), pgtest.Sheets(), task.Summary{}, task.Progress{}, nil)
	if !errors.Is(err, postgres.ErrConnectionLost) || fault.Of(err) != fault.Service {
		t.Errorf("service's fault: %t, want true: %v", fault.Of(err) == fault.Service, err)
	}
}
