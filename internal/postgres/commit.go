package postgres

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

// guard keeps a connection from cancelling its COMMIT. The driver sends a CancelRequest for every statement whose connection fails or
// whose context ends. A COMMIT that waits for a synchronous standby is ended by that: it takes effect on the primary alone, everybody sees
// it, and a failover loses it. So while COMMIT is on its way no CancelRequest is sent, and the end of a context closes the socket at once.
type guard struct {
	commit atomic.Pointer[commitWatch]
	always bool // also for statements other than COMMIT
	closed atomic.Bool
}

// closes reports that the connection is closed without a CancelRequest.
func (g *guard) closes() bool { return g.always || g.commit.Load() != nil }

// commitWatch is one COMMIT.
type commitWatch struct {
	warned atomic.Bool // the server reported a WARNING: it may not have waited for its standby
}

const guardKey = "sheetdrop.guard"

func guardOf(conn *pgx.Conn) *guard { return conn.PgConn().CustomData()[guardKey].(*guard) }

// guardConnection prepares the settings of one connection. A CancelRequest is dialed with them, too.
func guardConnection(c *pgx.ConnConfig, always bool) {
	g := &guard{always: always}
	connected := false
	dial := c.DialFunc
	c.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
		if g.closes() && connected {
			return nil, errors.New("statements of this connection are not cancelled")
		}
		return dial(ctx, network, address)
	}
	c.BuildContextWatcherHandler = func(conn *pgconn.PgConn) ctxwatch.Handler {
		conn.CustomData()[guardKey] = g
		connected = true
		return contextEnd{&pgconn.DeadlineContextWatcherHandler{Conn: conn.Conn()}, g}
	}
	c.OnNotice = func(_ *pgconn.PgConn, n *pgconn.Notice) {
		if w := g.commit.Load(); w != nil && n.SeverityUnlocalized == "WARNING" {
			w.warned.Store(true)
		}
	}
}

// contextEnd ends a statement whose context has ended.
type contextEnd struct {
	*pgconn.DeadlineContextWatcherHandler

	guard *guard
}

func (e contextEnd) HandleCancel(ctx context.Context) {
	if e.guard.closes() {
		e.guard.closed.Store(true)
		_ = e.Conn.Close()
		return
	}
	e.DeadlineContextWatcherHandler.HandleCancel(ctx)
}

// readyAgain takes the guard from a connection that comes out of the pool: its last COMMIT was answered. One that was
// closed in the very moment in which the answer came is left out.
func readyAgain(_ context.Context, conn *pgx.Conn) (bool, error) {
	g := guardOf(conn)
	g.commit.Store(nil)
	return !g.closed.Load(), nil
}

// commit sends COMMIT and reads its outcome, which is ambiguous also where the server answered that it did not wait for its standby.
func (db *DB) commit(caller context.Context, tx pgx.Tx, timeout time.Duration) (outcome, error) {
	ctx, cancel := db.commitContext(caller, timeout)
	defer cancel()
	watch := new(commitWatch)
	guardOf(tx.Conn()).commit.Store(watch)
	outcome, err := commitOutcome(tx.Commit(ctx))
	if err == nil && watch.warned.Load() {
		return ambiguous, fmt.Errorf("%w: the server has not waited for its standby", ErrAmbiguous)
	}
	return outcome, err
}

// commitContext ends after timeout, or commitGrace after caller.
func (db *DB) commitContext(caller context.Context, timeout time.Duration) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(caller), timeout)
	stop := context.AfterFunc(caller, func() {
		grace := time.NewTimer(db.commitGrace)
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

// confirm returns once everything that could be seen before is on the synchronous standby, too, where the server has one. What was
// committed is usually seen only then; but a server that was restarted, or told to cancel the wait, shows it earlier. A COMMIT that writes
// something waits for all before it. The error wraps ErrAmbiguous.
func (db *DB) confirm(ctx context.Context) error {
	for try := 1; ; try++ {
		_, err := db.tryTx(ctx, func(ctx context.Context, tx Tx) error {
			_, err := tx.tx.Exec(ctx, `select pg_logical_emit_message(true, 'sheetdrop', '')`)
			return err
		})
		if err == nil {
			return nil
		}
		if try == maxTries || pause(ctx, try) != nil {
			return fmt.Errorf("%w: confirming it: %w", ErrAmbiguous, err)
		}
	}
}
