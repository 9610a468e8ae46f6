package database_test

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"sheetdrop/internal/chaos/pgproxy"
	"sheetdrop/internal/postgres/database"
)

// throughProxy returns a database, a proxy in front of it, and a pool that goes through the proxy.
func throughProxy(t *testing.T) (items, *pgproxy.Proxy, *database.Pool) {
	t.Helper()
	items := newItems(t)
	proxy := pgproxy.New(t, items.url)
	return items, proxy, open(t, proxy.URL())
}

func TestInTxRunsAgainWhenTheConnectionIsLostBeforeCommit(t *testing.T) {
	t.Parallel()
	for name, loseIt := range map[string]func(ctx context.Context, tx pgx.Tx, proxy *pgproxy.Proxy){
		"cut on the way": func(_ context.Context, _ pgx.Tx, proxy *pgproxy.Proxy) { proxy.Cut() },
		"ended by the server (57P01)": func(ctx context.Context, tx pgx.Tx, _ *pgproxy.Proxy) {
			_ = exec(ctx, tx, `select pg_terminate_backend(pg_backend_pid())`)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			items, proxy, db := throughProxy(t)
			var calls inTx
			err := calls.do(t.Context(), db, never(t), func(ctx context.Context, tx pgx.Tx) error {
				if calls.runs.Load() == 1 {
					loseIt(ctx, tx, proxy)
				}
				return insertEntry(ctx, tx)
			})
			if err != nil {
				t.Error(err)
			}
			calls.want(t, 2, 0)
			items.wantEntries(1)
		})
	}
}

// A pool keeps connections that broke while nobody looked: the first use fails, and nobody must notice.
func TestInTxSurvivesConnectionsThatBrokeInThePool(t *testing.T) {
	t.Parallel()
	items, proxy, db := throughProxy(t)
	if err := ask(t, db); err != nil {
		t.Fatal(err)
	}
	proxy.Cut()
	var calls inTx
	if err := calls.do(t.Context(), db, never(t), insertEntry); err != nil {
		t.Error(err)
	}
	calls.want(t, 1, 0)
	items.wantEntries(1)
	if proxy.Cuts() != 1 {
		t.Errorf("%d cuts, want 1", proxy.Cuts())
	}
}

func TestInTxRunsAgainWhenCommitDidNotArrive(t *testing.T) {
	t.Parallel()
	items, proxy, db := throughProxy(t)
	proxy.CutBeforeCommit(2)
	var calls inTx
	if err := calls.do(t.Context(), db, hasEntry(db), insertEntry); err != nil {
		t.Error(err)
	}
	calls.want(t, 3, 2)
	items.wantEntries(1)
	if proxy.Cuts() != 2 {
		t.Errorf("%d cuts, want 2", proxy.Cuts())
	}
}

// Whoever repeats a COMMIT whose answer was lost inserts twice.
func TestLostCommitAnswerInsertsOnce(t *testing.T) {
	t.Parallel()
	items, proxy, db := throughProxy(t)
	proxy.CutAfterCommit(1)
	var calls inTx
	if err := calls.do(t.Context(), db, hasEntry(db), insertEntry); err != nil {
		t.Error(err)
	}
	calls.want(t, 1, 1)
	items.wantEntries(1)
	if proxy.Cuts() != 1 {
		t.Errorf("%d cuts, want 1", proxy.Cuts())
	}
}

// Why nobody may ask pgconn.SafeToRetry after a COMMIT: it says yes to one that took effect, as it does to one that never arrived. When a
// newer pgx tells the two apart, this test says so.
func TestSafeToRetryIsWrongAboutALostCommit(t *testing.T) {
	t.Parallel()
	for name, cut := range map[string]struct {
		order   func(*pgproxy.Proxy, int)
		entries int
	}{
		"before": {(*pgproxy.Proxy).CutBeforeCommit, 0},
		"after":  {(*pgproxy.Proxy).CutAfterCommit, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			items, proxy, db := throughProxy(t)
			cut.order(proxy, 1)
			tx, err := db.Begin(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if _, err := tx.Exec(t.Context(), `insert into entry values ($1)`, 1); err != nil {
				t.Fatal(err)
			}
			if err := tx.Commit(t.Context()); !pgconn.SafeToRetry(err) {
				t.Errorf("pgx does not call it safe to retry any more: %v", err)
			}
			items.wantEntries(cut.entries)
		})
	}
}
