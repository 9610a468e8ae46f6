package database

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"sheetdrop/internal/backoff"
)

const maxTries = 10

// betweenTries are the pauses of a transaction that is run again.
var betweenTries = backoff.Policy{First: 20 * time.Millisecond, Max: time.Second}

// TryTimeout is of one try of a transaction, or of one look-up: a connection that hangs would never fail by itself.
const TryTimeout = 15 * time.Second

// commitGrace is how long a COMMIT may still be answered after its caller's context has ended: a program that stops, or a client that hangs
// up, just then would otherwise leave the outcome in doubt.
const commitGrace = 2 * time.Second

// LimitIdle has the server end the transaction, with its locks, when a frozen or vanished client leaves it open. The limit is the
// transaction's and not the session's: so it holds behind a pooler too, and a load has none while it waits for its file.
const LimitIdle = `set local idle_in_transaction_session_timeout = '30s'`

// BeginShort opens a READ COMMITTED transaction with that limit.
const BeginShort = `begin isolation level read committed; ` + LimitIdle

// Committed looks up whether a transaction whose COMMIT was not answered has taken effect.
type Committed func(ctx context.Context) (bool, error)

// InTx runs fn in one READ COMMITTED transaction and commits it. fn must be free of effects outside tx, because it is run again, after a
// pause that grows, when the server reports a serialization failure or a deadlock and when the connection is lost, or hangs, before COMMIT
// was sent. Any other error of fn rolls back and is returned as it is.
//
// COMMIT is never cancelled. When its answer is lost or late, or still missing soon after ctx ended, the connection is closed, and InTx
// asks committed, over another one, until it gets an answer: true is success once a synchronous standby has it, too, false runs fn again.
// fn must be idempotent against a lost COMMIT that takes effect after that answer (ids that exist already tell it so). Where fn is
// idempotent anyway, committed is nil, and fn simply runs again. An error that wraps ErrAmbiguous says that a COMMIT was lost and may yet
// take effect.
func (p *Pool) InTx(ctx context.Context, committed Committed, fn func(ctx context.Context, tx pgx.Tx) error) error {
	return p.inTx(ctx, nil, committed, fn)
}

// inTx is InTx behind a COMMIT that was lost before; nil: there was none.
func (p *Pool) inTx(ctx context.Context, lost error, committed Committed, fn func(ctx context.Context, tx pgx.Tx) error) error {
	var err error // the last try's; lost is that of the last COMMIT which was not found
	for try := range maxTries {
		if try > 0 {
			if ended := betweenTries.Wait(ctx, try); ended != nil {
				return inDoubt(lost, fmt.Errorf("%w: %w", ended, err))
			}
		}
		var ended outcome
		switch ended, err = p.tryTx(ctx, fn); ended {
		case final:
			if err == nil && lost != nil {
				return p.confirm(ctx) // what this try found may be what the lost COMMIT has left
			}
			return inDoubt(lost, err)
		case ambiguous:
			lost = err
			done, err := p.lookUp(ctx, committed, lost)
			if err != nil {
				return err
			}
			if done {
				return p.confirm(ctx)
			}
		}
	}
	return inDoubt(lost, fmt.Errorf("given up after %d tries: %w", maxTries, err))
}

// CommitOnce commits a transaction that cannot be run again. An ambiguous COMMIT is looked up; an error that wraps ErrAmbiguous is returned
// only if it was not found. The timeout is COMMIT's; the look-up ends with ctx.
func (p *Pool) CommitOnce(ctx context.Context, tx pgx.Tx, timeout time.Duration, committed Committed) error {
	ended, err := p.commit(ctx, tx, timeout)
	if ended != ambiguous {
		return err
	}
	done, lookUpErr := p.lookUp(ctx, committed, err)
	if done || lookUpErr != nil {
		return lookUpErr
	}
	return err
}

// inDoubt adds to an error that a COMMIT was lost before it, because that may yet take effect, whatever a later try has met.
func inDoubt(lost, err error) error {
	if lost == nil || err == nil || errors.Is(err, ErrAmbiguous) {
		return err
	}
	return fmt.Errorf("%w; before that: %w", err, lost)
}

// tryTx runs fn in a transaction, once, and commits it.
func (p *Pool) tryTx(caller context.Context, fn func(ctx context.Context, tx pgx.Tx) error) (outcome, error) {
	ctx, cancel := context.WithTimeout(caller, p.tryTimeout)
	defer cancel()
	tx, err := p.BeginTx(ctx, pgx.TxOptions{BeginQuery: BeginShort})
	if err != nil {
		return notSent(err), fmt.Errorf("begin: %w", err)
	}
	defer Rollback(ctx, tx) // also when fn panics; after Commit it does nothing
	if err := fn(ctx, tx); err != nil {
		if tx.Conn().IsClosed() {
			return notCommitted, fmt.Errorf("%w: %w", ErrConnectionLost, err)
		}
		if isConflict(err) {
			return notCommitted, err
		}
		return final, err
	}
	if err := caller.Err(); err != nil {
		return final, err // COMMIT was not sent: no doubt about the outcome
	}
	return p.commit(caller, tx, p.tryTimeout)
}

// notSent is the outcome where not even a connection was had.
func notSent(err error) outcome {
	if isConnectionLoss(err) {
		return notCommitted
	}
	return final
}

// lookUp asks committed until the database answers or ctx ends; cause is why. A nil committed is false.
func (p *Pool) lookUp(ctx context.Context, committed Committed, cause error) (bool, error) {
	if committed == nil {
		return false, nil
	}
	var done bool
	err := betweenTries.Retry(ctx, backoff.Always, func() (err error) {
		ctx, cancel := context.WithTimeout(ctx, p.tryTimeout)
		defer cancel()
		done, err = committed(ctx)
		return err
	})
	if err != nil {
		return false, fmt.Errorf("%w; looking it up: %w", cause, err)
	}
	return done, nil
}

// Rollback ends the transaction even when the caller's context has ended, so that no lock outlives the call.
func Rollback(ctx context.Context, tx pgx.Tx) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	_ = tx.Rollback(ctx) // a connection that cannot roll back is closed by pgx, which rolls back too
}
