// Package migrate brings a database to the schema that this build needs. It is for the command line and for tests: the handler never
// changes a schema, it only looks at its version.
package migrate

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/database"
	"github.com/pressly/goose/v3/lock"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/migrations"
)

// Up applies what is missing, under a lock of the whole database: run twice it does nothing, run by two processes at once it is done by
// one while the other waits. databaseURL must be a direct connection as the schema's owner (the lock does not survive a pooler in
// transaction mode); "" takes the PG* variables.
func Up(ctx context.Context, databaseURL string) (applied int, err error) {
	config, err := pgx.ParseConfig(databaseURL)
	if err != nil {
		return 0, fmt.Errorf("database url: %w", err)
	}
	db := stdlib.OpenDB(*config)
	defer db.Close()
	if err := createSchema(ctx, db); err != nil {
		return 0, err
	}
	provider, err := newProvider(db)
	if err != nil {
		return 0, err
	}
	results, err := provider.Up(ctx)
	if err != nil {
		return 0, fmt.Errorf("migrate: %w", err)
	}
	return len(results), nil
}

// Hash names the set of migrations: it changes whenever one of their files does.
func Hash() string {
	h := sha256.New()
	err := fs.WalkDir(migrations.Files, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := migrations.Files.ReadFile(path)
		fmt.Fprintf(h, "%s %d\n%s", path, len(text), text)
		return err
	})
	if err != nil {
		panic(err) // embedded files always read
	}
	return hex.EncodeToString(h.Sum(nil))[:12]
}

// createSchema makes the schema before the lock can be taken care of by the library, whose version table lives in it. Two processes that
// meet here collide on a system catalogue; the loser's error says that the schema is there, which is all that it wanted.
func createSchema(ctx context.Context, db *sql.DB) error {
	const duplicateSchema, uniqueViolation = "42P06", "23505"
	_, err := db.ExecContext(ctx, `create schema if not exists sheetdrop`)
	if pgErr, ok := errors.AsType[*pgconn.PgError](err); ok && (pgErr.Code == duplicateSchema || pgErr.Code == uniqueViolation) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("create schema: %w", err)
	}
	return nil
}

func newProvider(db *sql.DB) (*goose.Provider, error) {
	store, err := database.NewStore(database.DialectPostgres, postgres.SchemaVersionTable)
	if err != nil {
		return nil, fmt.Errorf("migrate: %w", err)
	}
	// Waiting by polling keeps no snapshot open, which CREATE INDEX CONCURRENTLY of the other process would wait for.
	const everySecond, fiveMinutes = 1, 300
	locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(everySecond, fiveMinutes))
	if err != nil {
		return nil, fmt.Errorf("migrate: %w", err)
	}
	provider, err := goose.NewProvider("", db, migrations.Files, goose.WithStore(store), goose.WithSessionLocker(locker))
	if err != nil {
		return nil, fmt.Errorf("migrate: %w", err)
	}
	return provider, nil
}
