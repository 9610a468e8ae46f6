package main

import (
	"context"

	"sheetdrop/cmd/sheetdrop/internal/terminal"
	"sheetdrop/internal/azure"
	"sheetdrop/internal/postgres/migrate"
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
	if applied == 0 {
		c.Printf("The database is up to date.\n")
	} else {
		c.Printf("Applied %d migrations. The database is up to date.\n", applied)
	}
	if m.Storage == "" {
		return nil
	}
	if err := azure.Provision(ctx, azure.Settings{Connection: m.Storage, Container: m.Container, Queue: m.Queue}); err != nil {
		return err
	}
	c.Printf("The container %s and the queue %s are there.\n", m.Container, m.Queue)
	return nil
}
