// Package provision prepares a deployed database for the app: it makes the database, the login of the app's identity,
// and that login's rights. It is for the command line and for tests; the schema between them is package migrate's.
// Everything may be run again.
package provision

import (
	"context"
	_ "embed"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

//go:embed login.sql
var loginSQL string

//go:embed application-role.sql
var roleSQL string

// App is the identity that the deployed app logs in with.
type App struct {
	Login    string // the identity's name
	ObjectID string // its object id in Entra
}

// Database makes a database that belongs to who connects, and fails where there is one in which they may create
// nothing: made through Azure's API it belongs to a role of the platform, and every migration would be refused.
// serverURL leads to any other database of the server.
func Database(ctx context.Context, serverURL, name string) error {
	return connected(ctx, serverURL, func(conn *pgx.Conn) error {
		const duplicateDatabase = "42P04"
		_, err := conn.Exec(ctx, `create database `+pgx.Identifier{name}.Sanitize())
		pgErr, refused := errors.AsType[*pgconn.PgError](err)
		if err != nil && (!refused || pgErr.Code != duplicateDatabase) {
			return fmt.Errorf("create database %s: %w", name, err)
		}
		var owner, user string
		var mayCreate bool
		err = conn.QueryRow(ctx, `select pg_get_userbyid(datdba), current_user, has_database_privilege(oid, 'CREATE') from pg_database where datname = $1`, name).
			Scan(&owner, &user, &mayCreate)
		if err != nil {
			return fmt.Errorf("owner of database %s: %w", name, err)
		}
		if !mayCreate {
			return fmt.Errorf("database %s belongs to %s, and %s may create nothing in it: drop it if it is empty, and run this again", name, owner, user)
		}
		return nil
	})
}

// Login makes the login of the app's identity where it is missing. serverURL leads to database postgres of an Azure
// server, as an Entra administrator.
func Login(ctx context.Context, serverURL string, app App) error {
	return run(ctx, serverURL, "login", loginSQL, app)
}

// Rights grants the login what it needs, after each migration. databaseURL leads to the app's database, as the owner of its schema.
func Rights(ctx context.Context, databaseURL string, app App) error {
	return run(ctx, databaseURL, "rights", roleSQL, app)
}

// run runs a file, which finds the app in the session's settings.
func run(ctx context.Context, databaseURL, what, sql string, app App) error {
	return connected(ctx, databaseURL, func(conn *pgx.Conn) error {
		_, err := conn.Exec(ctx, `select set_config('sheetdrop.login', $1, false), set_config('sheetdrop.object_id', $2, false)`, app.Login, app.ObjectID)
		if err == nil {
			_, err = conn.PgConn().Exec(ctx, sql).ReadAll()
		}
		if err != nil {
			return fmt.Errorf("%s of %s: %w", what, app.Login, err)
		}
		return nil
	})
}

func connected(ctx context.Context, databaseURL string, do func(*pgx.Conn) error) error {
	conn, err := pgx.Connect(ctx, databaseURL)
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	return do(conn)
}
