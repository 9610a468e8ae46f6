package main

import (
	"context"

	"sheetdrop/cmd/sheetdrop/internal/terminal"
	"sheetdrop/internal/azure"
	"sheetdrop/internal/postgres/migrate"
	"sheetdrop/internal/postgres/provision"
)

type migrateCommand struct {
	DatabaseURL string `env:"DATABASE_URL" help:"The database, over a direct connection, as the owner of its schema. If it is empty, the PG* variables say where."`
	Storage     string `env:"DATA_STORAGE" help:"A storage connection string: container and queues are created there, too, where they are missing. If it is empty, nothing is."`
	Container   string `env:"BLOB_CONTAINER" default:"files" help:"The container's name."`
	Queue       string `env:"PARSE_QUEUE" default:"parse-tasks" help:"The queue's name."`
}

func (m *migrateCommand) Run(ctx context.Context, c *terminal.Console) error {
	applied, err := migrate.Up(ctx, m.DatabaseURL)
	if err != nil {
		return err
	}
	done := map[string]any{"applied": applied}
	if applied == 0 {
		c.Result(done, "The database is up to date.\n")
	} else {
		c.Result(done, "Applied %d migrations. The database is up to date.\n", applied)
	}
	if m.Storage == "" {
		return nil
	}
	if err := azure.Provision(ctx, azure.Settings{Connection: m.Storage, Container: m.Container, Queue: m.Queue}); err != nil {
		return err
	}
	made := map[string]string{"container": m.Container, "queue": m.Queue}
	c.Result(made, "The container %s and the queue %s are there.\n", m.Container, m.Queue)
	return nil
}

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
	c.Result(map[string]any{"applied": applied, "login": p.Login}, "Applied %d migrations. The database is up to date, and %s may use it.\n", applied, p.Login)
	return nil
}
