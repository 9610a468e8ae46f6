package database_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"

	"sheetdrop/internal/postgres/database"
)

// pairUp runs two transactions at once, each of which meets the other, on its first run, between its first and its second step.
func pairUp(t *testing.T, db *database.Pool, first, second func(ctx context.Context, tx pgx.Tx, me int) error) *[2]inTx {
	t.Helper()
	counts := new([2]inTx)
	var both, ended sync.WaitGroup
	both.Add(2)
	for me := range counts {
		ended.Go(func() {
			meet := sync.OnceFunc(func() { both.Done(); both.Wait() })
			err := counts[me].do(t.Context(), db, never(t), func(ctx context.Context, tx pgx.Tx) error {
				err := first(ctx, tx, me)
				meet()
				if err != nil {
					return err
				}
				return second(ctx, tx, me)
			})
			if err != nil {
				t.Errorf("transaction %d: %v", me, err)
			}
		})
	}
	ended.Wait()
	return counts
}

func TestInTxRunsAgainAfterASerializationFailure(t *testing.T) {
	t.Parallel()
	items := newItems(t)
	counts := pairUp(t, open(t, items.url), func(ctx context.Context, tx pgx.Tx, _ int) error {
		return exec(ctx, tx, `set transaction isolation level repeatable read`, `select n from item`)
	}, func(ctx context.Context, tx pgx.Tx, _ int) error {
		return exec(ctx, tx, `update item set n = n + 1 where id = 1`)
	})
	if n := items.number(`select n from item where id = 1`); n != 2 {
		t.Errorf("two increments made %d", n)
	}
	if runs := counts[0].runs.Load() + counts[1].runs.Load(); runs != 3 {
		t.Errorf("%d runs, want 3: one of the two had to run again", runs)
	}
}

func TestInTxRunsAgainAfterADeadlock(t *testing.T) {
	t.Parallel()
	items := newItems(t)
	increment := func(ctx context.Context, tx pgx.Tx, id int) error {
		_, err := tx.Exec(ctx, `update item set n = n + 1 where id = $1`, id)
		return err
	}
	counts := pairUp(t, open(t, items.url), func(ctx context.Context, tx pgx.Tx, me int) error {
		return increment(ctx, tx, 1+me)
	}, func(ctx context.Context, tx pgx.Tx, me int) error {
		return increment(ctx, tx, 2-me)
	})
	if n := items.number(`select min(n) + max(n) from item`); n != 4 {
		t.Errorf("min and max add up to %d, want 2 + 2", n)
	}
	if runs := counts[0].runs.Load() + counts[1].runs.Load(); runs < 3 { // more, where the one that runs again is quicker than the one that waited
		t.Errorf("%d runs, want 3 or more: one of the two had to run again", runs)
	}
}

// A conflict that does not end is not tried for ever.
func TestInTxGivesUpAfterItsTries(t *testing.T) {
	t.Parallel()
	items := newItems(t)
	var calls inTx
	err := calls.do(t.Context(), open(t, items.url), never(t), func(ctx context.Context, tx pgx.Tx) error {
		return exec(ctx, tx, `insert into entry values (1)`, `do $$ begin raise sqlstate '40001'; end $$`)
	})
	if sqlState(err) != "40001" {
		t.Errorf("ended with %v, want the conflict", err)
	}
	calls.want(t, database.MaxTries, 0)
	items.wantEntries(0)
}

// Only what the server asks to have again is run again: any other error is the caller's, whose function may have had its reasons.
func TestOrdinaryErrorsAreNotRetried(t *testing.T) {
	t.Parallel()
	errOrdinary := errors.New("ordinary")
	for name, c := range map[string]struct {
		fn    func(ctx context.Context, tx pgx.Tx) error
		is    error
		state string
	}{
		"of the function": {is: errOrdinary, fn: func(context.Context, pgx.Tx) error { return errOrdinary }},
		"unique violation": {state: "23505", fn: func(ctx context.Context, tx pgx.Tx) error {
			return exec(ctx, tx, `create unique index on entry (n)`, `insert into entry values (1)`)
		}},
		"unique violation at COMMIT": {state: "23505", fn: func(ctx context.Context, tx pgx.Tx) error {
			return exec(ctx, tx, `insert into item values (1, 0)`)
		}},
		"unknown table": {state: "42P01", fn: func(ctx context.Context, tx pgx.Tx) error { return exec(ctx, tx, `select from nowhere`) }},
		"cancelled": {state: "57014", fn: func(ctx context.Context, tx pgx.Tx) error {
			return exec(ctx, tx, `do $$ begin raise sqlstate '57014'; end $$`)
		}},
		"a lock not to have": {state: "55P03", fn: func(ctx context.Context, tx pgx.Tx) error {
			return exec(ctx, tx, `do $$ begin raise sqlstate '55P03'; end $$`)
		}},
		"swallowed by the function": {is: pgx.ErrTxCommitRollback, fn: func(ctx context.Context, tx pgx.Tx) error {
			if exec(ctx, tx, `select from nowhere`) == nil {
				return errors.New("no error to swallow")
			}
			return nil
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			items := newItems(t)
			var calls inTx
			err := calls.do(t.Context(), open(t, items.url), never(t), func(ctx context.Context, tx pgx.Tx) error {
				if err := insertEntry(ctx, tx); err != nil {
					return err
				}
				return c.fn(ctx, tx)
			})
			if c.is != nil && !errors.Is(err, c.is) || sqlState(err) != c.state {
				t.Errorf("ended with %v, want %v %s", err, c.is, c.state)
			}
			calls.want(t, 1, 0)
			items.wantEntries(0)
		})
	}
}
