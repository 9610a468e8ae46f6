package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"sheetdrop/internal/task"
)

// MaxTries is how often InTx tries.
const MaxTries = maxTries

// SetTryTimeout changes how long one try of InTx, or one look, may take.
func SetTryTimeout(db *DB, d time.Duration) { db.tryTimeout = d }

// SetCommitGrace changes how long a COMMIT may still be answered after its caller's context has ended.
func SetCommitGrace(db *DB, d time.Duration) { db.commitGrace = d }

// CloseGuarded does with an idle connection of the pool what the end of a context does in the moment in which COMMIT is answered.
func CloseGuarded(ctx context.Context, db *DB) error {
	conn, err := db.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	g := guardOf(conn.Conn())
	g.commit.Store(new(commitWatch))
	contextEnd{&pgconn.DeadlineContextWatcherHandler{Conn: conn.Conn().PgConn().Conn()}, g}.HandleCancel(ctx)
	return nil
}

// Pgx returns the transaction's own handle, so that a test can run statements that no step has.
func Pgx(tx Tx) pgx.Tx { return tx.tx }

// Pool returns the pool, so that a test can see what is left in it.
func Pool(db *DB) *pgxpool.Pool { return db.pool }

// PgxOfLoad is the same of a load.
func PgxOfLoad(l *Load) pgx.Tx { return l.tx }

// LastWord does what a load of no sheets does last, but for COMMIT.
func LastWord(ctx context.Context, l *Load) (held bool, err error) {
	return l.lastWord(ctx, func(func(Sheet, error) bool) {}, task.Summary{}, task.Progress{}, nil)
}
