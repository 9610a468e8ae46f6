package database

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// MaxTries is how often InTx tries.
const MaxTries = maxTries

// SetTryTimeout changes the timeout of one try of InTx, and of one look-up.
func (p *Pool) SetTryTimeout(d time.Duration) { p.tryTimeout = d }

// SetCommitGrace changes how long a COMMIT may still be answered after its caller's context has ended.
func (p *Pool) SetCommitGrace(d time.Duration) { p.commitGrace = d }

// CloseGuarded does with an idle connection of the pool what the end of a context does in the moment in which COMMIT is answered.
func (p *Pool) CloseGuarded(ctx context.Context) error {
	conn, err := p.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	g := guardOf(conn.Conn())
	g.commit.Store(new(commitWatch))
	contextWatcher{&pgconn.DeadlineContextWatcherHandler{Conn: conn.Conn().PgConn().Conn()}, g}.HandleCancel(ctx)
	return nil
}
