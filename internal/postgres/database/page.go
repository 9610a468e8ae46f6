package database

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// PageLimit is how much a page may hold. A row may have megabytes, so rows alone are no limit.
type PageLimit struct{ Rows, Bytes int }

// ReadPage reads the rows of a query for limit.Rows + 1 until there are limit.Rows, or until they have limit.Bytes or more, and reports
// whether there are more.
func ReadPage[T any](
	ctx context.Context, p *Pool, limit PageLimit, scan pgx.RowToFunc[T], sql string, args ...any,
) (page []T, more bool, err error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	rows, err := p.Query(ctx, sql, args...)
	if err != nil {
		return nil, false, fmt.Errorf("read page: %w", err)
	}
	defer rows.Close()
	page, more, err = collectPage(rows, limit, scan)
	if err != nil || more && len(page) < limit.Rows {
		stop() // closes the connection rather than read what is left
	}
	if err != nil {
		return nil, false, fmt.Errorf("read page: %w", err)
	}
	return page, more, nil
}

func collectPage[T any](rows pgx.Rows, limit PageLimit, scan pgx.RowToFunc[T]) (page []T, more bool, err error) {
	for bytes := 0; rows.Next(); {
		if len(page) == limit.Rows || bytes >= limit.Bytes {
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

// ReadPageIn is ReadPage in a transaction of its own, which is rolled back: begin has its first statements.
func ReadPageIn[T any](
	ctx context.Context, p *Pool, begin string, limit PageLimit, scan pgx.RowToFunc[T], sql string, args ...any,
) (page []T, more bool, err error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	tx, err := p.BeginTx(ctx, pgx.TxOptions{BeginQuery: begin})
	if err != nil {
		return nil, false, fmt.Errorf("read page: %w", err)
	}
	defer Rollback(ctx, tx)
	rows, err := tx.Query(ctx, sql, args...)
	if err != nil {
		return nil, false, fmt.Errorf("read page: %w", err)
	}
	defer rows.Close()
	page, more, err = collectPage(rows, limit, scan)
	if err != nil || more && len(page) < limit.Rows {
		stop() // closes the connection rather than read what is left
	}
	if err != nil {
		return nil, false, fmt.Errorf("read page: %w", err)
	}
	return page, more, nil
}
