package database_test

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"sheetdrop/internal/devstack/await"
	"sheetdrop/internal/postgres/database"
)

// Not parallel, so that all goroutines of the driver that it sees are its own.
func TestInTxEndsWithItsCaller(t *testing.T) {
	for name, c := range map[string]struct {
		connections int64 // that were made until the next transaction has ended
		fn          func(ctx context.Context, items items, tx pgx.Tx, cancel func()) error
	}{
		"during a statement": {2, func(ctx context.Context, items items, tx pgx.Tx, cancel func()) error {
			ended := make(chan error, 1)
			go func() { ended <- exec(ctx, tx, `select pg_sleep(600)`) }()
			items.waitUntil(`select count(*) from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`)
			cancel()
			return <-ended
		}},
		"between two statements": {1, func(ctx context.Context, _ items, _ pgx.Tx, cancel func()) error {
			cancel()
			return ctx.Err()
		}},
		"before COMMIT": {1, func(_ context.Context, _ items, _ pgx.Tx, cancel func()) error {
			cancel()
			return nil
		}},
	} {
		t.Run(name, func(t *testing.T) {
			items := newItems(t)
			db := open(t, items.url)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			var calls inTx
			err := calls.do(ctx, db, never(t), func(ctx context.Context, tx pgx.Tx) error {
				if err := insertEntry(ctx, tx); err != nil {
					return err
				}
				return c.fn(ctx, items, tx, cancel)
			})
			if !errors.Is(err, context.Canceled) || errors.Is(err, database.ErrAmbiguous) {
				t.Errorf("ended with %v, want that it was cancelled, and no doubt about the outcome", err)
			}
			calls.want(t, 1, 0)
			items.wantEntries(0)
			wantUsable(t, items, db)
			if n := db.Stat().NewConnsCount(); n != c.connections {
				t.Errorf("%d connections were made, want %d: one that is sound is kept", n, c.connections)
			}

			db.Close()
			items.direct.Close()
			await.Until(t, "no goroutine of the driver is left", func() bool {
				stacks := make([]byte, 1<<20)
				return !strings.Contains(string(stacks[:runtime.Stack(stacks, true)]), "/jackc/")
			})
		})
	}
}

// A program that is told to stop while its COMMIT is on its way still learns the outcome: a worker that did not could not hand back what
// it has just claimed.
func TestCallerThatEndsDuringCommitLearnsTheOutcome(t *testing.T) {
	t.Parallel()
	items := newItems(t)
	db := open(t, items.url)
	db.SetCommitGrace(time.Minute)
	for _, sql := range []string{
		`create function wait_for_lock() returns trigger language plpgsql as $$ begin perform pg_advisory_xact_lock(1); return null; end $$`,
		`create constraint trigger waits after insert on uploaded deferrable initially deferred for each row execute function wait_for_lock()`,
	} {
		if _, err := items.direct.Exec(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
	lock, err := items.direct.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := exec(t.Context(), lock, `select pg_advisory_xact_lock(1)`); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	var calls inTx
	ended := make(chan error, 1)
	go func() {
		ended <- calls.do(ctx, db, never(t), func(ctx context.Context, tx pgx.Tx) error {
			return exec(ctx, tx, `insert into uploaded values (1)`)
		})
	}()
	items.waitUntil(`select count(*) from pg_stat_activity where datname = current_database() and wait_event = 'advisory'`)
	cancel()
	if err := lock.Rollback(t.Context()); err != nil {
		t.Error(err)
	}
	if err := <-ended; err != nil {
		t.Errorf("ended with %v, want that it committed", err)
	}
	calls.want(t, 1, 0)
}

// A caller that is gone just when its COMMIT is answered leaves nobody else a closed connection.
func TestCallerThatEndsWithItsCommitHarmsNobody(t *testing.T) {
	t.Parallel()
	db := open(t, newItems(t).url)
	if err := db.CloseGuarded(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := ask(t, db); err != nil {
		t.Errorf("the next statement: %v", err)
	}
}

// A function that panics (its caller may recover) must not keep its connection, nor the locks of its transaction.
func TestInTxFreesTheConnectionOfAPanic(t *testing.T) {
	t.Parallel()
	items := newItems(t)
	db := open(t, items.url)
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic did not come through")
			}
		}()
		_ = db.InTx(t.Context(), never(t), func(ctx context.Context, tx pgx.Tx) error {
			if err := insertEntry(ctx, tx); err != nil {
				return err
			}
			panic("on purpose")
		})
	}()
	items.wantEntries(0)
	wantUsable(t, items, db)
}

// wantUsable checks that nothing of an earlier transaction is left, in the pool or on the server, and that the next one works.
func wantUsable(t *testing.T, items items, db *database.Pool) {
	t.Helper()
	await.Until(t, "no connection is taken from the pool", func() bool { return db.Stat().AcquiredConns() == 0 })
	await.Until(t, "no transaction is left open on the server", func() bool {
		return items.number(`select count(*) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null`) == 0
	})
	if err := db.InTx(t.Context(), never(t), insertEntry); err != nil {
		t.Errorf("the next transaction: %v", err)
	}
	items.wantEntries(1)
}
