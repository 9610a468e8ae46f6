package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// pageBytes is about what a page may weigh: a row may have megabytes, and limit says nothing of that.
const pageBytes = 8 << 20

// readPage reads up to limit rows of a query for limit + 1, or until they weigh pageBytes, and tells whether there are more.
func readPage[T any](
	ctx context.Context, db *DB, limit int, scan pgx.RowToFunc[T], sql string, args ...any,
) (page []T, more bool, err error) {
	return readLightPage(ctx, db, limit, pageBytes, scan, sql, args...)
}

// readLightPage is readPage for pages of another weight.
func readLightPage[T any](
	ctx context.Context, db *DB, limit, weight int, scan pgx.RowToFunc[T], sql string, args ...any,
) (page []T, more bool, err error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	rows, err := db.pool.Query(ctx, sql, args...)
	if err != nil {
		return nil, false, fmt.Errorf("read page: %w", err)
	}
	defer rows.Close()
	page, more, err = collectPage(rows, limit, weight, scan)
	if err != nil || more && len(page) < limit {
		stop() // gives the connection up rather than read what is left
	}
	if err != nil {
		return nil, false, fmt.Errorf("read page: %w", err)
	}
	return page, more, nil
}

func collectPage[T any](rows pgx.Rows, limit, weight int, scan pgx.RowToFunc[T]) (page []T, more bool, err error) {
	for bytes := 0; rows.Next(); {
		if len(page) == limit || bytes >= weight {
			return page, true, nil
		}
		for _, value := range rows.RawValues() {
			bytes += len(value)
		}
		item, err := scan(rows)
		if err != nil {
			return nil, false, err
		}
		page = append(page, item)
	}
	return page, false, rows.Err()
}

// readSheetPage is readPage for what a sheet has. That vanishes only after its file is marked as deleted, so a page has no gap if the mark
// is not there when it has been read.
func readSheetPage[T any](
	ctx context.Context, db *DB, sheetID int64, limit int, scan pgx.RowToFunc[T], sql string, args ...any,
) (page []T, more bool, err error) {
	page, more, err = readPage(ctx, db, limit, scan, sql, args...)
	if err != nil {
		return nil, false, err
	}
	return page, more, db.sheetAlive(ctx, sheetID)
}
