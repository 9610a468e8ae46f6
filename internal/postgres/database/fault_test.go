package database_test

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
	"sheetdrop/internal/postgres/database"
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

// The class of an error decides whether a task is retried without limit or its attempt is counted. Each error here comes from the server, by what
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
	url := devtest.Database(t)
	for name, cause := range map[string]func(t *testing.T, p *pgproxy.Proxy, db *database.Pool) error{
		"refused": func(t *testing.T, p *pgproxy.Proxy, db *database.Pool) error {
			p.Refuse()
			err := ask(t, db)
			return err
		},
		"broken in a statement": func(t *testing.T, p *pgproxy.Proxy, db *database.Pool) error {
			p.CutAfterStatement("select now()", 1)
			err := ask(t, db)
			return err
		},
		"time-out of the caller": func(t *testing.T, _ *pgproxy.Proxy, db *database.Pool) error {
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
			defer cancel()
			return db.InTx(ctx, never(t), func(ctx context.Context, tx pgx.Tx) error {
				_, err := tx.Exec(ctx, `select pg_sleep(60)`)
				return err
			})
		},
		"unknown outcome of a commit": func(t *testing.T, p *pgproxy.Proxy, db *database.Pool) error {
			p.CutAfterCommit(1)
			ctx, cancel := context.WithCancel(t.Context())
			err := db.InTx(ctx, func(context.Context) (bool, error) {
				cancel()
				return false, errors.New("nobody knows")
			}, func(ctx context.Context, tx pgx.Tx) error {
				_, err := tx.Exec(ctx, `select $1::int`, 1)
				return err
			})
			if !errors.Is(err, database.ErrAmbiguous) {
				t.Errorf("%v, want %v", err, database.ErrAmbiguous)
			}
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			proxy := pgproxy.New(t, url)
			err := cause(t, proxy, open(t, proxy.URL()))
			if err == nil || fault.Of(err) != fault.Service {
				t.Errorf("service's fault: false, want true: %v", err)
			}
		})
	}
	err := ask(t, open(t, "postgres://"+refusesTLS(t)+"/?sslmode=require"))
	if err == nil || fault.Of(err) != fault.Service {
		t.Errorf("TLS refused: service's fault: false, want true: %v", err)
	}
	for _, lost := range []error{database.ErrConnectionLost, database.ErrAmbiguous} {
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
	items := newItems(t)
	address, err := url.Parse(items.url)
	if err != nil {
		t.Fatal(err)
	}
	proxy := faultproxy.New(t, address.Host)
	address.Host = proxy.Address
	through := open(t, address.String())
	holder, err := items.direct.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = holder.Rollback(context.Background()) }()
	if err := exec(t.Context(), holder, `lock table item in access exclusive mode`); err != nil {
		t.Fatal(err)
	}
	failed := make(chan error, 1)
	go func() {
		_, err := through.Exec(t.Context(), `select from item for update`)
		failed <- err
	}()
	items.waitUntil(`select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
	proxy.Cut()
	if err := <-failed; err == nil || fault.Of(err) != fault.Service {
		t.Errorf("service's fault: false, want true: %v", err)
	}
}
