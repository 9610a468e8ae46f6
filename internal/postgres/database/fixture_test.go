package database_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"sheetdrop/internal/devstack/await"
	"sheetdrop/internal/devstack/devtest"
	"sheetdrop/internal/postgres/database"
)

// items is a database with three tables: item (id, n) with the rows 1 and 2, whose key is looked at by COMMIT; entry (n), which has no key,
// so that an insert that is done twice can be seen; uploaded (id), which is empty.
type items struct {
	t      *testing.T
	url    string
	direct *pgxpool.Pool // for looking around InTx
}

func newItems(t *testing.T) items {
	t.Helper()
	url := devtest.EmptyDatabase(t)
	direct, err := pgxpool.New(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(direct.Close)
	_, err = direct.Exec(t.Context(), `
create table item (id int primary key deferrable initially deferred, n int not null);
insert into item values (1, 0), (2, 0);
create table entry (n int);
create table uploaded (id int primary key)`)
	if err != nil {
		t.Fatal(err)
	}
	return items{t, url, direct}
}

// number asks a question that is answered with one number.
func (i items) number(query string, args ...any) int {
	i.t.Helper()
	var n int
	if err := i.direct.QueryRow(i.t.Context(), query, args...).Scan(&n); err != nil {
		i.t.Fatal(err)
	}
	return n
}

func (i items) wantEntries(want int) {
	i.t.Helper()
	if got := i.number(`select count(*) from entry`); got != want {
		i.t.Errorf("%d entries, want %d", got, want)
	}
}

// waitUntil waits until the question is answered with a number above 0.
func (i items) waitUntil(query string, args ...any) {
	i.t.Helper()
	await.Until(i.t, query, func() bool { return i.number(query, args...) > 0 })
}

// open opens a pool, and closes it at the test's end.
func open(t *testing.T, url string) *database.Pool {
	t.Helper()
	db, err := database.Open(database.Settings{URL: url, MaxConns: 10})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(db.Close)
	return db
}

// ask has the database answer a statement outside of a transaction.
func ask(t *testing.T, db *database.Pool) error {
	t.Helper()
	_, err := db.Exec(t.Context(), `select now()`)
	return err
}

// insertEntry is the statement of most tests. It has an argument, so that pgx reports truly how it ended.
func insertEntry(ctx context.Context, tx pgx.Tx) error {
	_, err := tx.Exec(ctx, `insert into entry values ($1)`, 1)
	return err
}

// inTx runs InTx and counts how often the function ran and how often the look-up was asked.
type inTx struct{ runs, asked atomic.Int32 }

func (c *inTx) do(ctx context.Context, db *database.Pool, committed database.Committed, fn func(ctx context.Context, tx pgx.Tx) error) error {
	return db.InTx(ctx, func(ctx context.Context) (bool, error) {
		c.asked.Add(1)
		return committed(ctx)
	}, func(ctx context.Context, tx pgx.Tx) error {
		c.runs.Add(1)
		return fn(ctx, tx)
	})
}

func (c *inTx) want(t *testing.T, runs, asked int32) {
	t.Helper()
	if c.runs.Load() != runs || c.asked.Load() != asked {
		t.Errorf("the function ran %d times, want %d; the look-up was asked %d times, want %d", c.runs.Load(), runs, c.asked.Load(), asked)
	}
}

// hasEntry is the look-up that belongs to insertEntry.
func hasEntry(db *database.Pool) database.Committed {
	return func(ctx context.Context) (found bool, err error) {
		err = db.QueryRow(ctx, `select exists (select from entry)`).Scan(&found)
		return found, err
	}
}

// never is the look-up of a transaction whose COMMIT cannot be lost.
func never(t *testing.T) database.Committed {
	return func(context.Context) (bool, error) {
		t.Error("the look-up was asked though the outcome was known")
		return false, nil
	}
}

func sqlState(err error) string {
	if pgErr, ok := errors.AsType[*pgconn.PgError](err); ok {
		return pgErr.Code
	}
	return ""
}

func exec(ctx context.Context, tx pgx.Tx, statements ...string) error {
	for _, sql := range statements {
		if _, err := tx.Exec(ctx, sql); err != nil {
			return err
		}
	}
	return nil
}
