package postgres

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"sheetdrop/internal/fault"
)

const (
	maxTries   = 10
	firstPause = 10 * time.Millisecond
	maxPause   = time.Second
	tryTimeout = 15 * time.Second // of one try, or one look: a connection that hangs would never fail by itself

	// commitGrace is how long a COMMIT may still be answered after its caller's context has ended: a program that stops, or a client that
	// hangs up, just then would otherwise leave the outcome in doubt.
	commitGrace = 2 * time.Second
)

// limitIdle has the server end the transaction, with its locks, when a frozen or vanished client leaves it open. The limit is the
// transaction's and not the session's: so it holds behind a pooler too, and a load has none while it waits for its file.
const limitIdle = `set local idle_in_transaction_session_timeout = '30s'`

// beginShort opens a transaction with that limit.
const beginShort = `begin isolation level read committed; ` + limitIdle

// ErrAmbiguous says that COMMIT was sent, its answer was lost, and nobody could say whether it took effect.
var ErrAmbiguous = fault.New(fault.Service, "the outcome of the commit is unknown")

// InTx runs fn in one READ COMMITTED transaction and commits it. fn must be free of effects outside tx, because it is run again, after a
// pause that grows, when the server reports a serialization failure or a deadlock and when the connection is lost, or hangs, before COMMIT
// was sent. Any other error of fn rolls back and comes back as it is.
//
// COMMIT is never cancelled. When its answer is lost or late, or still missing soon after ctx ended, the connection is closed, and InTx asks
// committed, over another one, until it gets an answer: true ends well once a synchronous standby has it, too, false runs fn again. fn must be
// idempotent against a lost COMMIT that takes effect after that answer (ids that exist already tell it so). Where fn is idempotent anyway,
// committed is nil, and fn simply runs again. An error that wraps ErrAmbiguous says that a COMMIT was lost and may yet take effect.
func (db *DB) InTx(
	ctx context.Context, committed func(ctx context.Context) (bool, error), fn func(ctx context.Context, tx Tx) error,
) error {
	var err, lost error // the last try's, and that of a COMMIT which was not found
	for try := range maxTries {
		if try > 0 {
			if ended := pause(ctx, try); ended != nil {
				return inDoubt(lost, fmt.Errorf("%w: %w", ended, err))
			}
		}
		var outcome outcome
		switch outcome, err = db.tryTx(ctx, fn); outcome {
		case final:
			if err == nil && lost != nil {
				return db.confirm(ctx) // what this try found may be what the lost COMMIT has left
			}
			return inDoubt(lost, err)
		case ambiguous:
			lost = err
			done, err := db.askCommitted(ctx, committed, lost)
			if err != nil {
				return err
			}
			if done {
				return db.confirm(ctx)
			}
		}
	}
	return inDoubt(lost, fmt.Errorf("given up after %d tries: %w", maxTries, err))
}

// inDoubt adds to an error that a COMMIT was lost before it, because that may yet take effect, whatever a later try has met.
func inDoubt(lost, err error) error {
	if lost == nil || err == nil || errors.Is(err, ErrAmbiguous) {
		return err
	}
	return fmt.Errorf("%w; before that: %w", err, lost)
}

// outcome is how one try ended.
type outcome int

const (
	final     outcome = iota // committed, or failed for good
	again                    // surely not committed, and worth another try
	ambiguous                // COMMIT was sent, its answer did not come
)

func (db *DB) tryTx(caller context.Context, fn func(ctx context.Context, tx Tx) error) (outcome, error) {
	ctx, cancel := context.WithTimeout(caller, db.tryTimeout)
	defer cancel()
	tx, err := db.pool.BeginTx(ctx, pgx.TxOptions{BeginQuery: beginShort})
	if err != nil {
		if isConnectionLoss(err) {
			return again, fmt.Errorf("begin: %w", err)
		}
		return final, fmt.Errorf("begin: %w", err)
	}
	defer rollback(ctx, tx) // also when fn panics; after Commit it does nothing
	if err := fn(ctx, Tx{tx}); err != nil {
		if tx.Conn().IsClosed() {
			return again, fmt.Errorf("%w: %w", ErrConnectionLost, err)
		}
		if isConflict(err) {
			return again, err
		}
		return final, err
	}
	if err := caller.Err(); err != nil {
		return final, err // COMMIT was not sent: no doubt about the outcome
	}
	return db.commit(caller, tx, db.tryTimeout)
}

// commitOutcome reads COMMIT's error. Only an ERROR that the server itself reports proves that nothing was committed; pgconn.SafeToRetry
// must not be asked, since it says yes also to a COMMIT that took effect. A FATAL may come after the commit and so proves nothing.
func commitOutcome(err error) (outcome, error) {
	pgErr, reported := errors.AsType[*pgconn.PgError](err)
	switch {
	case err == nil:
		return final, nil
	case errors.Is(err, pgx.ErrTxCommitRollback):
		return final, fmt.Errorf("commit: %w", err)
	case reported && pgErr.SeverityUnlocalized == "ERROR":
		if isConflict(err) {
			return again, err
		}
		return final, fmt.Errorf("commit: %w", err)
	default:
		return ambiguous, fmt.Errorf("%w: %w", ErrAmbiguous, err)
	}
}

// askCommitted asks until the database answers or ctx ends.
func (db *DB) askCommitted(ctx context.Context, committed func(ctx context.Context) (bool, error), cause error) (bool, error) {
	if committed == nil {
		return false, nil
	}
	for try := 1; ; try++ {
		lookCtx, cancel := context.WithTimeout(ctx, db.tryTimeout)
		done, err := committed(lookCtx)
		cancel()
		if err == nil {
			return done, nil
		}
		if pause(ctx, try) != nil {
			return false, fmt.Errorf("%w; looking it up: %w", cause, err)
		}
	}
}

// isConflict reports the two errors with which the server itself asks for another try: serialization_failure and deadlock_detected.
func isConflict(err error) bool {
	pgErr, reported := errors.AsType[*pgconn.PgError](err)
	return reported && (pgErr.Code == "40001" || pgErr.Code == "40P01")
}

// isConnectionLoss reports that the server could not be reached, or ended the connection for reasons of its own.
func isConnectionLoss(err error) bool {
	if pgErr, ok := errors.AsType[*pgconn.PgError](err); ok {
		return pgErr.SeverityUnlocalized == "FATAL" && (strings.HasPrefix(pgErr.Code, "57") || strings.HasPrefix(pgErr.Code, "08"))
	}
	return true
}

// rollback ends the transaction even when the caller's context has ended, so that no lock outlives the call.
func rollback(ctx context.Context, tx pgx.Tx) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	_ = tx.Rollback(ctx) // a connection that cannot roll back is closed by pgx, which rolls back too
}

func pause(ctx context.Context, try int) error {
	d := min(firstPause<<min(try, 20), maxPause)
	timer := time.NewTimer(rand.N(d) + d/2) //nolint:gosec // jitter, no secret
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-timer.C:
		return nil
	}
}
