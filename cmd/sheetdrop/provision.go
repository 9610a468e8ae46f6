package main

import (
	"context"

	"sheetdrop/cmd/sheetdrop/internal/terminal"
	"sheetdrop/internal/postgres/migrate"
	"sheetdrop/internal/postgres/provision"
)

type provisionCommand struct {
	Database string `default:"sheetdrop" help:"The database's name."`
	Login    string `env:"APP_LOGIN" required:"" help:"The name of the app's identity, which logs in with it."`
	ObjectID string `env:"APP_OBJECT_ID" required:"" help:"The object id of the app's identity."`
}

// Run prepares the database on the server that the PG* variables name.
func (p *provisionCommand) Run(ctx context.Context, c *terminal.Console) error {
	server, database := "dbname=postgres", "dbname="+p.Database
	app := provision.App{Login: p.Login, ObjectID: p.ObjectID}
	if err := provision.Database(ctx, server, p.Database); err != nil {
		return err
	}
	if err := provision.Login(ctx, server, app); err != nil {
		return err
	}
	applied, err := migrate.Up(ctx, database)
	if err != nil {
		return err
	}
	if err := provision.Rights(ctx, database, app); err != nil {
		return err
	}
	c.Printf("Applied %d migrations. The database is up to date, and %s may use it.\n", applied, p.Login)
	return nil
}
