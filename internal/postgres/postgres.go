// Package postgres holds every SQL statement of sheetdrop, a file per subject. Its callers decide what is atomic; how a transaction is run
// is package database's. All times are the server's.
package postgres

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"sheetdrop/internal/postgres/database"
	"sheetdrop/internal/postgres/migrations"
)

// SchemaVersionTable is where the migrations note what they have applied.
const SchemaVersionTable = "sheetdrop.schema_version"

// NeededSchema is the version of the schema that this build needs.
var NeededSchema = migrations.Latest

// Settings say where the database is and how many connections one process may hold.
type Settings = database.Settings

// Errors of the connection; see package database.
var (
	ErrAmbiguous      = database.ErrAmbiguous
	ErrConnectionLost = database.ErrConnectionLost
)

// DB is sheetdrop's database. It is safe for concurrent use.
type DB struct {
	pool        *database.Pool
	schemaReady atomic.Bool
}

// Tx is an open transaction; its methods are the steps that make sense only together with others.
type Tx struct {
	tx        pgx.Tx
	cancelled *[]cancelled // what it has cancelled, for their traces; nil in a Load's
}

// SQL is the transaction itself, for a package that holds the statements of a subject of its own.
func (t Tx) SQL() pgx.Tx { return t.tx }

// SQL reads outside of a transaction, for a package that holds the statements of a subject of its own.
func (db *DB) SQL() database.Querier { return db.pool }

// Open makes the pool of connections. It does not connect: a handler must start while its database is away.
func Open(s Settings) (*DB, error) {
	pool, err := database.Open(s)
	if err != nil {
		return nil, err
	}
	return &DB{pool: pool}, nil
}

// Close ends all connections, waiting for those in use.
func (db *DB) Close() { db.pool.Close() }

// MaxConns is how many connections the pool may hold.
func (db *DB) MaxConns() int { return int(db.pool.Config().MaxConns) }

// PoolStat is how the pool stands, without asking the database.
func (db *DB) PoolStat() *pgxpool.Stat { return db.pool.Stat() }

// InTx runs fn in a transaction, again where that is needed, and commits it, as database.Pool.InTx does: fn must be free of effects
// outside tx, and committed tells whether a COMMIT without an answer took effect; nil for an fn that is idempotent.
func (db *DB) InTx(ctx context.Context, committed database.Committed, fn func(ctx context.Context, tx Tx) error) error {
	var ended []cancelled
	return traced(ctx, &ended, db.pool.InTx(ctx, committed, inTx(fn, &ended)))
}

func inTx(fn func(ctx context.Context, tx Tx) error, ended *[]cancelled) func(ctx context.Context, tx pgx.Tx) error {
	return func(ctx context.Context, tx pgx.Tx) error {
		*ended = nil
		return fn(ctx, Tx{tx, ended})
	}
}

// traced tells of what a transaction has cancelled, in its tasks' traces, and returns how it ended.
func traced(ctx context.Context, ended *[]cancelled, err error) error {
	if err == nil {
		for _, c := range *ended {
			c.trace(ctx)
		}
	}
	return err
}

// Statement is a transaction that consists of one statement, which is the only method of it that may be called, once.
type Statement struct{ q database.Querier }

// InStatement runs a single statement, and fn in a transaction where that has not done everything, as database.Pool.InStatement does: fn
// must be idempotent against the statement.
func (db *DB) InStatement(
	ctx context.Context, statement func(ctx context.Context, s Statement) (done bool, err error),
	committed database.Committed, fn func(ctx context.Context, tx Tx) error,
) error {
	var ended []cancelled
	return traced(ctx, &ended, db.pool.InStatement(ctx, func(ctx context.Context, q database.Querier) (bool, error) {
		return statement(ctx, Statement{q})
	}, committed, inTx(fn, &ended)))
}

// pageBytes is about how much a page holds.
const pageBytes = 8 << 20

// ReadPage reads a page of up to limit rows of a query for limit + 1, and reports whether there are more.
func ReadPage[T any](
	ctx context.Context, db *DB, limit int, scan pgx.RowToFunc[T], sql string, args ...any,
) (page []T, more bool, err error) {
	return database.ReadPage(ctx, db.pool, database.PageLimit{Rows: limit, Bytes: pageBytes}, scan, sql, args...)
}

// ReadIn is ReadPage in a transaction of its own that begins with the statements of begin, and is rolled back.
func ReadIn[T any](
	ctx context.Context, db *DB, begin string, limit int, scan pgx.RowToFunc[T], sql string, args ...any,
) (page []T, more bool, err error) {
	return database.ReadPageIn(ctx, db.pool, begin, database.PageLimit{Rows: limit, Bytes: pageBytes}, scan, sql, args...)
}

// Now is the database's clock, the only one that decides anything.
func (db *DB) Now(ctx context.Context) (time.Time, error) {
	var now time.Time
	err := db.pool.QueryRow(ctx, `select now()`).Scan(&now)
	return now, err
}

// ErrSchemaOld says that the database's schema is older than this build needs.
var ErrSchemaOld = errors.New("the database schema is older than this program needs: run `sheetdrop migrate`")

// SchemaReady returns nil once the schema is at least as new as this build needs (then it never asks again), ErrSchemaOld while it is
// older, or the error of asking.
func (db *DB) SchemaReady(ctx context.Context) error {
	if db.schemaReady.Load() {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, database.TryTimeout)
	defer cancel()
	var version int64
	err := db.pool.QueryRow(ctx, `select coalesce(max(version_id), 0) from sheetdrop.schema_version where is_applied`).Scan(&version)
	if database.HasState(err, database.UndefinedTable) {
		return ErrSchemaOld
	}
	if err != nil {
		return fmt.Errorf("read the schema's version: %w", err)
	}
	if version < migrations.Latest {
		return fmt.Errorf("%w (version %d, needs %d)", ErrSchemaOld, version, migrations.Latest)
	}
	db.schemaReady.Store(true)
	return nil
}
