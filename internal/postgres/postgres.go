// Package postgres holds every SQL statement of sheetdrop, a file per step of the protocol, and InTx, which decides how a transaction is
// run. What is atomic is decided by the rooms that call it. All times are the server's.
package postgres

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"sheetdrop/internal/postgres/migrations"
)

// SchemaVersionTable is where the migrations note what they have applied.
const SchemaVersionTable = "sheetdrop.schema_version"

// Settings say where the database is and how many connections one process may hold.
type Settings struct {
	URL      string `env:"DATABASE_URL"` // what it leaves open, or "", is taken from the PG* variables
	MaxConns int32  `env:"DB_MAX_CONNS" envDefault:"10"`

	// Password is asked by every new connection, in place of a password in the settings; nil for those.
	Password func(ctx context.Context) (string, error) `env:"-"`

	// GiveUp is for a pool that must not wait for a path that is dead: how long connecting may take, and that the end of a context closes the
	// connection at once. 0 leaves it to the driver, which cancels the statement first and waits for the server, for up to 15 s.
	GiveUp time.Duration `env:"-"`

	// Configure, unless it is nil, may change how each connection is made, after everything else has been set.
	Configure func(*pgx.ConnConfig) `env:"-"`
}

func (s Settings) configure(c *pgx.ConnConfig) {
	if s.Configure != nil {
		s.Configure(c)
	}
}

// How long a connection is kept: shorter than rights that were taken away may be used, and than an instance that nobody calls is frozen.
const (
	lifetime       = 30 * time.Minute
	lifetimeJitter = 10 * time.Minute // so that not all of them log in again at once
	idleTime       = 3 * time.Minute
)

// DB is a pool of connections.
type DB struct {
	pool        *pgxpool.Pool
	tryTimeout  time.Duration
	commitGrace time.Duration
	schemaReady atomic.Bool
}

// Open makes the pool. It does not connect: a handler must start while its database is away.
func Open(s Settings) (*DB, error) {
	config, err := pgxpool.ParseConfig(s.URL)
	if err != nil {
		return nil, fmt.Errorf("database settings: %w", err)
	}
	config.MaxConns = s.MaxConns
	config.PingTimeout = 5 * time.Second
	if config.ConnConfig.ConnectTimeout == 0 {
		config.ConnConfig.ConnectTimeout = 5 * time.Second
	}
	if s.GiveUp > 0 {
		config.PingTimeout, config.ConnConfig.ConnectTimeout = s.GiveUp, s.GiveUp
	}
	config.MaxConnLifetime, config.MaxConnLifetimeJitter, config.MaxConnIdleTime = lifetime, lifetimeJitter, idleTime
	if s.Password != nil {
		if err := checkForPassword(config.ConnConfig); err != nil {
			return nil, fmt.Errorf("database settings: %w", err)
		}
	}
	config.BeforeConnect = func(ctx context.Context, c *pgx.ConnConfig) error {
		guardConnection(c, s.GiveUp > 0)
		return askPassword(ctx, s.Password, c)
	}
	config.PrepareConn = readyAgain
	s.configure(config.ConnConfig)
	pool, err := pgxpool.NewWithConfig(context.Background(), config)
	if err != nil {
		return nil, fmt.Errorf("database pool: %w", err)
	}
	return &DB{pool: pool, tryTimeout: tryTimeout, commitGrace: commitGrace}, nil
}

// Close ends all connections, waiting for those in use.
func (db *DB) Close() { db.pool.Close() }

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
	ctx, cancel := context.WithTimeout(ctx, tryTimeout)
	defer cancel()
	const undefinedTable = "42P01"
	var version int64
	err := db.pool.QueryRow(ctx, `select coalesce(max(version_id), 0) from sheetdrop.schema_version where is_applied`).Scan(&version)
	if pgErr, ok := errors.AsType[*pgconn.PgError](err); ok && pgErr.Code == undefinedTable {
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

// Tx is an open transaction; its methods are the steps that make sense only together with others.
type Tx struct{ tx pgx.Tx }

// MaxConns is how many connections the pool may hold.
func (db *DB) MaxConns() int { return int(db.pool.Config().MaxConns) }
