package database

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgconn/ctxwatch"
)

// commitGuard keeps a connection from cancelling its COMMIT. The driver sends a CancelRequest for every statement whose connection fails or
// whose context ends. A COMMIT that waits for a synchronous standby is ended by that: it takes effect on the primary alone, everybody sees
// it, and a failover loses it. So while COMMIT is on its way no CancelRequest is sent, and the end of a context closes the socket at once.
type commitGuard struct {
	commit atomic.Pointer[commitWatch]
	always bool // also for statements other than COMMIT
	closed atomic.Bool
}

// closes reports that the connection is closed without a CancelRequest.
func (g *commitGuard) closes() bool { return g.always || g.commit.Load() != nil }

// commitWatch is one COMMIT.
type commitWatch struct {
	warned atomic.Bool // the server reported a WARNING: it may not have waited for its standby
}

// begin has the connection's next statement not be cancelled, which is COMMIT, or commits by itself.
func (g *commitGuard) begin() *commitWatch {
	w := new(commitWatch)
	g.commit.Store(w)
	return w
}

// outcome reads the error of what commits.
func (w *commitWatch) outcome(err error) (outcome, error) {
	ended, err := commitOutcome(err)
	if err == nil && w.warned.Load() {
		return ambiguous, fmt.Errorf("%w: the server has not waited for its standby", ErrAmbiguous)
	}
	return ended, err
}

const commitGuardKey = "sheetdrop.commit_guard"

func guardOf(conn *pgx.Conn) *commitGuard {
	return conn.PgConn().CustomData()[commitGuardKey].(*commitGuard)
}

// guardCommits prepares the settings of one connection. A CancelRequest is dialed with them, too.
func guardCommits(c *pgx.ConnConfig, always bool) {
	g := &commitGuard{always: always}
	connected := false
	dial := c.DialFunc
	c.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
		if g.closes() && connected {
			return nil, errors.New("statements of this connection are not cancelled")
		}
		return dial(ctx, network, address)
	}
	c.BuildContextWatcherHandler = func(conn *pgconn.PgConn) ctxwatch.Handler {
		conn.CustomData()[commitGuardKey] = g
		connected = true
		return contextWatcher{&pgconn.DeadlineContextWatcherHandler{Conn: conn.Conn()}, g}
	}
	c.OnNotice = func(_ *pgconn.PgConn, n *pgconn.Notice) {
		if w := g.commit.Load(); w != nil && n.SeverityUnlocalized == "WARNING" {
			w.warned.Store(true)
		}
	}
}

// contextWatcher ends a statement whose context has ended.
type contextWatcher struct {
	*pgconn.DeadlineContextWatcherHandler

	guard *commitGuard
}

func (w contextWatcher) HandleCancel(ctx context.Context) {
	if w.guard.closes() {
		w.guard.closed.Store(true)
		_ = w.Conn.Close()
		return
	}
	w.DeadlineContextWatcherHandler.HandleCancel(ctx)
}

// endGuard ends the guard of a connection that comes out of the pool: its last COMMIT was answered. One that was closed just when the
// answer came is not used again.
func endGuard(_ context.Context, conn *pgx.Conn) (bool, error) {
	g := guardOf(conn)
	g.commit.Store(nil)
	return !g.closed.Load(), nil
}

// outcome is how one try of a transaction ended.
type outcome int

const (
	final        outcome = iota // committed, or failed for good
	notCommitted                // surely not committed, and worth another try
	ambiguous                   // COMMIT was sent, its answer did not come
)

// commit sends COMMIT and reads its outcome, which is ambiguous also where the server answered that it did not wait for its standby.
func (p *Pool) commit(caller context.Context, tx pgx.Tx, timeout time.Duration) (outcome, error) {
	ctx, cancel := p.commitContext(caller, timeout)
	defer cancel()
	watch := guardOf(tx.Conn()).begin()
	return watch.outcome(tx.Commit(ctx))
}

// commitContext ends after timeout, or commitGrace after caller.
func (p *Pool) commitContext(caller context.Context, timeout time.Duration) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(caller), timeout)
	stop := context.AfterFunc(caller, func() {
		grace := time.NewTimer(p.commitGrace)
		defer grace.Stop()
		select {
		case <-ctx.Done():
		case <-grace.C:
			cancel()
		}
	})
	return ctx, func() {
		stop()
		cancel()
	}
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
			return notCommitted, err
		}
		return final, fmt.Errorf("commit: %w", err)
	default:
		return ambiguous, fmt.Errorf("%w: %w", ErrAmbiguous, err)
	}
}

// confirm returns once everything that could be seen before is on the synchronous standby, too, where the server has one. What was
// committed is usually seen only then; but a server that was restarted, or told to cancel the wait, shows it earlier. A COMMIT that writes
// something waits for all before it. The error wraps ErrAmbiguous.
func (p *Pool) confirm(ctx context.Context) error {
	for try := 1; ; try++ {
		_, err := p.tryTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
			_, err := tx.Exec(ctx, `select pg_logical_emit_message(true, 'sheetdrop', '')`)
			return err
		})
		if err == nil {
			return nil
		}
		if try == maxTries || betweenTries.Wait(ctx, try) != nil {
			return fmt.Errorf("%w: confirming it: %w", ErrAmbiguous, err)
		}
	}
}
