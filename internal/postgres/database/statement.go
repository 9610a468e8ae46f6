package database

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// InStatement is InTx for what a single statement can do, which then takes one round trip in place of three. statement runs it, on q alone,
// and reports whether that has done everything; if not, it must have written nothing. Then, and where it has surely not been committed or
// its answer was lost, fn does the work in a transaction, as in InTx: so fn must be idempotent against the statement, too.
func (p *Pool) InStatement(
	ctx context.Context, statement func(ctx context.Context, q Querier) (done bool, err error),
	committed Committed, fn func(ctx context.Context, tx pgx.Tx) error,
) error {
	done, ended, err := p.tryStatement(ctx, statement)
	switch {
	case ended == ambiguous:
		return p.inTx(ctx, err, committed, fn)
	case ended == final && (done || err != nil):
		return err
	}
	return p.inTx(ctx, nil, committed, fn)
}

// tryStatement runs a statement outside of a transaction, with the same care as a COMMIT.
func (p *Pool) tryStatement(
	caller context.Context, statement func(ctx context.Context, q Querier) (done bool, err error),
) (done bool, ended outcome, err error) {
	acquiring, stop := context.WithTimeout(caller, p.tryTimeout)
	defer stop()
	conn, err := p.Acquire(acquiring)
	if err != nil {
		return false, notSent(err), fmt.Errorf("connect: %w", err)
	}
	defer conn.Release()
	if err := caller.Err(); err != nil {
		return false, final, err
	}
	ctx, cancel := p.commitContext(caller, p.tryTimeout)
	defer cancel()
	watch := guardOf(conn.Conn()).begin()
	done, err = statement(ctx, conn)
	ended, err = watch.outcome(err)
	return done, ended, err
}
