package targetrows

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"sheetdrop/internal/postgres/database"
)

// SmallTable is up to how many rows, as PostgreSQL estimates them, any column may be filtered by. In a larger one an index has to begin with
// one of the columns.
const SmallTable = 100_000

// Errors of a query that are its sender's.
var (
	ErrNoIndex  = errors.New("no index begins with a column of the filter, and the table is large")
	ErrBadValue = errors.New("a value is not of its column's type")
)

// fetchRows is how many rows are taken from the server at once, before their bytes are looked at.
const fetchRows = 100

// Page reads rows in the order of their keys, from behind a position on, or from the beginning where it is nil: limit.Rows of them, or fewer
// that have limit.Bytes. It says whether there are more. tx is ended by the caller.
func Page(ctx context.Context, tx pgx.Tx, t Table, q Query, after Position, limit database.PageLimit) (page []Row, more bool, err error) {
	s, err := t.statement(q, after)
	if err != nil {
		return nil, false, err
	}
	if t.Role != "" {
		if _, err := tx.Exec(ctx, `set local role `+pgx.Identifier{t.Role}.Sanitize()); err != nil {
			return nil, false, fmt.Errorf("read a target: %w", err)
		}
	}
	const settings = `select set_config('datestyle', 'ISO', true), set_config('intervalstyle', 'iso_8601', true), set_config('timezone', 'UTC', true)`
	if _, err := tx.Exec(ctx, settings); err != nil {
		return nil, false, fmt.Errorf("read a target: %w", err)
	}
	if err := t.needIndex(ctx, tx, q); err != nil {
		return nil, false, err
	}
	page, more, err = read(ctx, tx, s, limit)
	if database.HasState(err, "22P02") || database.HasState(err, "22007") || database.HasState(err, "22008") || database.HasState(err, "22003") {
		err = fmt.Errorf("%w: %w", ErrBadValue, err)
	}
	return page, more, err
}

func read(ctx context.Context, tx pgx.Tx, s *statement, limit database.PageLimit) (page []Row, more bool, err error) {
	if _, err := tx.Exec(ctx, `declare page no scroll cursor for `+s.String(), s.args...); err != nil {
		return nil, false, fmt.Errorf("read a target: %w", err)
	}
	for bytes := 0; ; {
		if len(page) > limit.Rows || bytes >= limit.Bytes {
			return page[:min(len(page), limit.Rows)], true, nil
		}
		rows, err := tx.Query(ctx, fmt.Sprintf(`fetch %d from page`, min(fetchRows, limit.Rows+1-len(page))))
		if err != nil {
			return nil, false, fmt.Errorf("read a target: %w", err)
		}
		before := len(page)
		var row Row
		_, err = pgx.ForEachRow(rows, []any{&row.Cells, &row.Position}, func() error {
			for _, cell := range row.Cells {
				bytes += len(cell)
			}
			page = append(page, row)
			row = Row{}
			return nil
		})
		if err != nil {
			return nil, false, fmt.Errorf("read a target: %w", err)
		}
		if len(page) == before {
			return page, false, nil
		}
	}
}

// needIndex keeps a filter from reading all of a large table for each page.
func (t Table) needIndex(ctx context.Context, tx pgx.Tx, q Query) error {
	if len(q.Filters) == 0 {
		return nil
	}
	columns := make([]string, len(q.Filters))
	for i, f := range q.Filters {
		columns[i] = f.Column
	}
	var allowed bool
	err := tx.QueryRow(ctx, `select c.reltuples <= $3 or exists (
  select from pg_index i join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
  where i.indrelid = c.oid and i.indisvalid and i.indpred is null and a.attname = any ($2))
from pg_class c where c.oid = $1::text::regclass`, pgx.Identifier{t.Schema, t.Name}.Sanitize(), columns, SmallTable).Scan(&allowed)
	if err != nil {
		return fmt.Errorf("look for an index: %w", err)
	}
	if !allowed {
		return ErrNoIndex
	}
	return nil
}
