package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"sheetdrop/internal/postgres/database"
)

// ReadIn reads a page of up to limit rows of a query for limit + 1, fewer where they are big, and reports whether there are more: for a
// package that holds the statements of a subject of its own. It does so in a transaction that begins with the statements of begin, and is
// rolled back.
func ReadIn[T any](
	ctx context.Context, db *DB, begin string, limit int, scan pgx.RowToFunc[T], sql string, args ...any,
) (page []T, more bool, err error) {
	return database.ReadPageIn(ctx, db.pool, begin, database.PageLimit{Rows: limit, Bytes: pageBytes}, scan, sql, args...)
}
