package main

import (
	"context"

	"sheetdrop/internal/postgres/migrate"
)

type migrateCommand struct {
	DatabaseURL string `env:"DATABASE_URL" help:"The database, over a direct connection, as the owner of its schema. If it is empty, the PG* variables say where."`
}

func (m *migrateCommand) Run(ctx context.Context, c *console) error {
	applied, err := migrate.Up(ctx, m.DatabaseURL)
	if err != nil {
		return err
	}
	if applied == 0 {
		c.printf("The database is up to date.\n")
	} else {
		c.printf("Applied %d migrations. The database is up to date.\n", applied)
	}
	return nil
}
