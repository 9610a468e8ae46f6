// Package inspect reads what an operator has to know about a database: how the server stands, whether the schema is whole, who may do
// what, and whether the server keeps up. It writes nothing: every statement runs in a transaction that is read-only and rolled back.
package inspect

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"sheetdrop/internal/postgres/database"
)

// Database is one connection to the database under inspection. It is not safe for concurrent use.
type Database struct {
	conn *pgx.Conn

	// Host, Port, Name and Login are where the connection leads, and as whom.
	Host  string
	Port  uint16
	Name  string
	Login string
}

// connectTimeout is of one attempt to connect, unless the address has one.
const connectTimeout = 5 * time.Second

// Open connects. url "" takes the PG* variables, as every command does. What fails is a *Refusal.
func Open(ctx context.Context, url string) (*Database, error) {
	config, err := pgx.ParseConfig(url)
	if err != nil {
		return nil, &Refusal{Kind: BadAddress, err: err}
	}
	if config.ConnectTimeout == 0 {
		config.ConnectTimeout = connectTimeout
	}
	config.RuntimeParams["application_name"] = "sheetdrop doctor"
	config.DefaultQueryExecMode = pgx.QueryExecModeExec // a pooler may not know prepared statements
	d := &Database{Host: config.Host, Port: config.Port, Name: config.Database, Login: config.User}
	if d.conn, err = pgx.ConnectConfig(ctx, config); err != nil {
		return d, &Refusal{Kind: kindOf(err), err: err}
	}
	return d, nil
}

// Close ends the connection.
func (d *Database) Close(ctx context.Context) {
	if d.conn != nil {
		_ = d.conn.Close(ctx)
	}
}

// Kind is why no connection was made.
type Kind int

// Kinds of refusals.
const (
	Unreachable Kind = iota // nobody answers, or no name leads there
	BadAddress              // the settings cannot be read
	Untrusted               // TLS: the server cannot show who it is, or has none
	BadLogin                // the password, the role or pg_hba.conf
	NoDatabase              // the server has no database of this name
	NoConnectionLeft
	Starting // the server starts, stops or recovers
	Refused  // for another reason, which the server gives
)

// Refusal is why no connection was made.
type Refusal struct {
	Kind Kind
	err  error
}

// Error returns what the driver says, which has no password in it, on one line.
func (r *Refusal) Error() string {
	if reported, ok := errors.AsType[*pgconn.PgError](r.err); ok {
		return reported.Error()
	}
	return strings.Join(strings.Fields(r.err.Error()), " ")
}

func (r *Refusal) Unwrap() error { return r.err }

// kinds are those of SQLSTATEs and their classes. Source: https://www.postgresql.org/docs/current/errcodes-appendix.html
var kinds = map[string]Kind{
	"28": BadLogin, "42501": BadLogin, "3D000": NoDatabase, "53300": NoConnectionLeft, "57P01": Starting, "57P03": Starting,
}

func kindOf(err error) Kind {
	if reported, ok := errors.AsType[*pgconn.PgError](err); ok {
		if kind, known := kinds[reported.Code]; known {
			return kind
		}
		if kind, known := kinds[reported.Code[:2]]; known {
			return kind
		}
		return Refused
	}
	_, unknownAuthority := errors.AsType[x509.UnknownAuthorityError](err)
	_, wrongName := errors.AsType[x509.HostnameError](err)
	_, unverified := errors.AsType[*tls.CertificateVerificationError](err)
	if unknownAuthority || wrongName || unverified || strings.Contains(err.Error(), "server refused TLS connection") {
		return Untrusted
	}
	return Unreachable
}

// Limits of one statement.
const (
	statementTimeout = "15s"
	lockTimeout      = "2s"
)

// Read calls fn with a transaction that is read-only and rolled back. It is no setting of the session, which behind a pooler others share.
func (d *Database) Read(ctx context.Context, fn func(database.Querier) error) error {
	tx, err := d.conn.BeginTx(ctx, pgx.TxOptions{AccessMode: pgx.ReadOnly})
	if err != nil {
		return err
	}
	defer tx.Rollback(context.WithoutCancel(ctx)) //nolint:errcheck // the connection is of no further use then
	if _, err := tx.Exec(ctx, `set local statement_timeout = '`+statementTimeout+`'; set local lock_timeout = '`+lockTimeout+`'`); err != nil {
		return err
	}
	return fn(tx)
}

// all returns the rows of a query.
func all[T any](ctx context.Context, d *Database, what, sql string, args ...any) (rows []T, err error) {
	err = d.Read(ctx, func(q database.Querier) (err error) {
		rows, err = database.All[T](ctx, q, sql, args...)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	return rows, nil
}

// one returns the only row of a query.
func one[T any](ctx context.Context, d *Database, what, sql string, args ...any) (row T, err error) {
	rows, err := all[T](ctx, d, what, sql, args...)
	if err == nil && len(rows) != 1 {
		err = fmt.Errorf("%s: %d rows", what, len(rows))
	}
	if err != nil {
		return row, err
	}
	return rows[0], nil
}

// column returns the only column of a query, of texts.
func column(ctx context.Context, d *Database, what, sql string, args ...any) (texts []string, err error) {
	err = d.Read(ctx, func(q database.Querier) (err error) {
		texts, err = database.Column[string](ctx, q, sql, args...)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	return texts, nil
}
