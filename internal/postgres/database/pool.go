// Package database connects sheetdrop to PostgreSQL: the pool and its settings, transactions that survive a lost connection and a COMMIT
// whose answer was lost, and what the server's errors mean. It knows no table; package postgres holds the statements.
package database

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/pgxpool"
	pgxuuid "github.com/vgarvardt/pgx-google-uuid/v5"
)

// Settings say where the database is and how many connections one process may hold.
type Settings struct {
	URL      string `env:"DATABASE_URL"` // what it leaves open, or "", is taken from the PG* variables
	MaxConns int32  `env:"DB_MAX_CONNS" envDefault:"10"`

	// Password, unless it is nil, returns the password of each new connection, in place of one in the settings.
	Password func(ctx context.Context) (string, error) `env:"-"`

	// GiveUp is for a pool that must not wait for a dead network path: the timeout of connecting, and that the end of a context closes the
	// connection at once. 0 leaves it to the driver, which cancels the statement first and waits for the server, for up to 15 s.
	GiveUp time.Duration `env:"-"`

	// Tracer, unless it is nil, sees each statement.
	Tracer pgx.QueryTracer `env:"-"`

	// Configure, unless it is nil, may change how each connection is made, after everything else has been set.
	Configure func(*pgx.ConnConfig) `env:"-"`
}

func (s Settings) configure(c *pgx.ConnConfig) {
	if s.Configure != nil {
		s.Configure(c)
	}
}

// How long a connection is kept: for less time than revoked rights may be used, and than a frozen instance that nobody calls.
const (
	maxConnLifetime = 30 * time.Minute
	lifetimeJitter  = 10 * time.Minute // so that not all of them log in again at once
	maxConnIdleTime = 3 * time.Minute
)

// connectTimeout is of connecting, unless the settings have one, and of the ping of a connection that was idle.
const connectTimeout = 5 * time.Second

// Pool is a pool of connections. It is safe for concurrent use.
type Pool struct {
	*pgxpool.Pool

	tryTimeout  time.Duration
	commitGrace time.Duration
}

// Open makes a pool. It does not connect: a handler must start while its database is away.
func Open(s Settings) (*Pool, error) {
	config, err := pgxpool.ParseConfig(s.URL)
	if err != nil {
		return nil, fmt.Errorf("database settings: %w", err)
	}
	config.MaxConns = s.MaxConns
	config.PingTimeout = connectTimeout
	if config.ConnConfig.ConnectTimeout == 0 {
		config.ConnConfig.ConnectTimeout = connectTimeout
	}
	if s.GiveUp > 0 {
		config.PingTimeout, config.ConnConfig.ConnectTimeout = s.GiveUp, s.GiveUp
	}
	config.MaxConnLifetime, config.MaxConnLifetimeJitter, config.MaxConnIdleTime = maxConnLifetime, lifetimeJitter, maxConnIdleTime
	if s.Password != nil {
		if err := checkForPassword(config.ConnConfig); err != nil {
			return nil, fmt.Errorf("database settings: %w", err)
		}
	}
	config.BeforeConnect = func(ctx context.Context, c *pgx.ConnConfig) error {
		guardCommits(c, s.GiveUp > 0)
		return setPassword(ctx, s.Password, c)
	}
	config.AfterConnect = func(_ context.Context, conn *pgx.Conn) error {
		conn.TypeMap().RegisterType(&pgtype.Type{
			Name: "timestamptz", OID: pgtype.TimestamptzOID, Codec: &pgtype.TimestamptzCodec{ScanLocation: time.UTC},
		})
		pgxuuid.Register(conn.TypeMap()) // as bytes; they would be written as text and parsed again
		return nil
	}
	config.PrepareConn = endGuard
	config.ConnConfig.Tracer = s.Tracer
	s.configure(config.ConnConfig)
	pool, err := pgxpool.NewWithConfig(context.Background(), config)
	if err != nil {
		return nil, fmt.Errorf("database pool: %w", err)
	}
	return &Pool{Pool: pool, tryTimeout: TryTimeout, commitGrace: commitGrace}, nil
}
