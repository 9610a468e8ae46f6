package database_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"sheetdrop/internal/devstack/await"
	"sheetdrop/internal/postgres/database"
)

func TestInTxWaitsForTheEndOfAShortOutage(t *testing.T) {
	t.Parallel()
	items, proxy, db := throughProxy(t)
	proxy.Refuse()
	var calls inTx
	ended := make(chan error, 1)
	go func() { ended <- calls.do(t.Context(), db, never(t), insertEntry) }()
	await.Until(t, "a connection is refused", func() bool { return proxy.Refused() > 0 })
	proxy.Restore()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	calls.want(t, 1, 0)
	items.wantEntries(1)
}

func TestInTxGivesUpAnOutageAfterItsTries(t *testing.T) {
	t.Parallel()
	_, proxy, db := throughProxy(t)
	proxy.Refuse()
	var calls inTx
	if err := calls.do(t.Context(), db, never(t), insertEntry); err == nil {
		t.Error("no error without a database")
	}
	calls.want(t, 0, 0)
	if n := proxy.Refused(); n < database.MaxTries || n > 2*database.MaxTries {
		t.Errorf("%d connections were refused, want one or two for each of %d tries", n, database.MaxTries)
	}
}

func TestInTxEndsWithItsCallerInAnOutage(t *testing.T) {
	t.Parallel()
	_, proxy, db := throughProxy(t)
	proxy.Refuse()
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	var calls inTx
	err := calls.do(ctx, db, never(t), insertEntry)
	if !errors.Is(err, context.DeadlineExceeded) || errors.Is(err, database.ErrAmbiguous) {
		t.Errorf("ended with %v, want that the time is over, and no doubt about the outcome", err)
	}
	calls.want(t, 0, 0)
	if proxy.Refused() >= database.MaxTries {
		t.Errorf("it was ended by its %d tries, not by its caller", proxy.Refused())
	}
}

// The answer of COMMIT is lost and then the database is away: the look-up has to wait for it.
func TestInTxLooksACommitUpAfterAnOutage(t *testing.T) {
	t.Parallel()
	items, proxy, db := throughProxy(t)
	proxy.CutAfterCommit(1)
	var calls inTx
	err := calls.do(t.Context(), db, func(ctx context.Context) (bool, error) {
		switch calls.asked.Load() {
		case 1:
			proxy.Refuse()
		case 3:
			proxy.Restore()
		}
		return hasEntry(db)(ctx)
	}, insertEntry)
	if err != nil {
		t.Error(err)
	}
	calls.want(t, 1, 3)
	items.wantEntries(1)
}

// Whoever gave up before the look-up was answered must hear that the outcome is unknown, not that it failed.
func TestInTxSaysThatItDoesNotKnow(t *testing.T) {
	t.Parallel()
	t.Run("the look-up was not answered", func(t *testing.T) {
		t.Parallel()
		items, proxy, db := throughProxy(t)
		proxy.CutAfterCommit(1)
		ctx, giveUp := context.WithCancel(t.Context())
		var calls inTx
		err := calls.do(ctx, db, func(ctx context.Context) (bool, error) {
			proxy.Refuse()
			if calls.asked.Load() == 2 {
				giveUp()
			}
			return hasEntry(db)(ctx)
		}, insertEntry)
		if !errors.Is(err, database.ErrAmbiguous) || !errors.Is(err, context.Canceled) {
			t.Errorf("ended with %v", err)
		}
		calls.want(t, 1, 2)
		items.wantEntries(1)
	})
	// A COMMIT that was not found may still be executed, whatever the next try meets.
	t.Run("the next try failed", func(t *testing.T) {
		t.Parallel()
		items, proxy, db := throughProxy(t)
		held := proxy.HoldCommit()
		ctx, giveUp := context.WithCancel(t.Context())
		var calls inTx
		err := calls.do(ctx, db, hasEntry(db), func(ctx context.Context, tx pgx.Tx) error {
			if calls.runs.Load() == 1 {
				return insertEntry(ctx, tx)
			}
			giveUp()
			return ctx.Err()
		})
		if !errors.Is(err, database.ErrAmbiguous) || !errors.Is(err, context.Canceled) {
			t.Errorf("ended with %v", err)
		}
		calls.want(t, 2, 1)
		held.Release()
		items.wantEntries(1)
	})
}
