package database_test

import (
	"context"
	"errors"
	"testing"

	"github.com/jackc/pgx/v5"

	"sheetdrop/internal/chaos/pgproxy"
	"sheetdrop/internal/postgres/database"
)

const insertUploaded = `insert into uploaded values ($1) on conflict do nothing returning id`

// inserts runs a query with an argument, and reports whether it returned a row.
func inserts(ctx context.Context, q database.Querier, sql string) (bool, error) {
	rows, err := q.Query(ctx, sql, 1)
	if err != nil {
		return false, err
	}
	found, err := pgx.CollectRows(rows, pgx.RowTo[int])
	return len(found) > 0, err
}

// Whatever becomes of the statement, the row is there once, and whoever asked is told so.
func TestStatementTakesEffectOnce(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		order func(*testing.T, items, *pgproxy.Proxy) (then func()) // then is called as soon as the transaction waits for the statement
		runs  int32                                                 // of the transaction
	}{
		"it is answered": {runs: 0},
		"it never arrives": {runs: 1, order: func(_ *testing.T, _ items, p *pgproxy.Proxy) func() {
			p.CutBeforeStatement(insertUploaded, 1)
			return nil
		}},
		"its answer is lost": {runs: 1, order: func(_ *testing.T, _ items, p *pgproxy.Proxy) func() {
			p.CutAfterStatement(insertUploaded, 1)
			return nil
		}},
		"it takes effect late": {runs: 1, order: func(t *testing.T, items items, p *pgproxy.Proxy) func() {
			t.Helper()
			held := p.HoldStatement(insertUploaded)
			holder, err := items.direct.Begin(t.Context())
			if err == nil {
				_, err = holder.Exec(t.Context(), insertUploaded, 1) // which both wait for
			}
			if err != nil {
				t.Error(err)
			}
			t.Cleanup(func() { _ = holder.Rollback(context.WithoutCancel(t.Context())) })
			return func() {
				go held.Release()
				items.waitUntil(`select (count(*) > 1)::int from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
				if err := holder.Rollback(t.Context()); err != nil {
					t.Error(err)
				}
			}
		}},
		"the row is there already": {runs: 1, order: func(t *testing.T, items items, _ *pgproxy.Proxy) func() {
			t.Helper()
			if _, err := items.direct.Exec(t.Context(), insertUploaded, 1); err != nil {
				t.Error(err)
			}
			return nil
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			items, proxy, db := throughProxy(t)
			if err := ask(t, db); err != nil {
				t.Fatal(err)
			}
			var then func()
			if c.order != nil {
				then = c.order(t, items, proxy)
			}
			var calls inTx
			err := db.InStatement(t.Context(), func(ctx context.Context, q database.Querier) (bool, error) {
				return inserts(ctx, q, insertUploaded)
			}, never(t), func(ctx context.Context, tx pgx.Tx) error {
				calls.runs.Add(1)
				if then != nil {
					go then()
				}
				_, err := inserts(ctx, tx, insertUploaded)
				return err
			})
			if err != nil {
				t.Error(err)
			}
			calls.want(t, c.runs, 0)
			if n := items.number(`select count(*) from uploaded`); n != 1 {
				t.Errorf("%d rows, want 1", n)
			}
		})
	}
}

// What the server itself refuses has not taken effect: there is nothing to doubt. A constraint that is looked at by the commit refuses a
// statement that has been answered already.
func TestRefusedStatement(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		sql   string
		state string // "" where the transaction does what the statement could not
	}{
		"by a value":           {`insert into entry values (1 / ($1::int - 1)) returning n`, "22012"},
		"by the commit":        {`insert into item values ($1, 0) returning id`, "23505"},
		"to have it again":     {`select raise('40001', $1)`, ""},
		"after a deadlock":     {`select raise('40P01', $1)`, ""},
		"by somebody's cancel": {`select raise('57014', $1)`, "57014"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			items := newItems(t)
			_, err := items.direct.Exec(t.Context(), `create function raise(state text, n int) returns int language plpgsql as $$
begin raise exception using errcode = state; end $$`)
			if err != nil {
				t.Fatal(err)
			}
			db := open(t, items.url)
			runs := 0
			err = db.InStatement(t.Context(), func(ctx context.Context, q database.Querier) (bool, error) {
				return inserts(ctx, q, c.sql)
			}, never(t), func(ctx context.Context, tx pgx.Tx) error {
				runs++
				return insertEntry(ctx, tx)
			})
			if sqlState(err) != c.state || errors.Is(err, database.ErrAmbiguous) || (runs > 0) != (c.state == "") {
				t.Errorf("ended with %v after %d runs of the transaction, want SQLSTATE %q", err, runs, c.state)
			}
			items.wantEntries(runs)
		})
	}
}
