// Package targetrows reads the rows of a target's table, filtered, page by page.
package targetrows

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/database"
)

// Reader reads tables as the role that may write targets and nothing else, so that none but a target's table is ever shown.
type Reader struct {
	DB      *postgres.DB
	Timeout time.Duration // of a page, in the server
}

// Timeout is how long a page may take to be found: without an index a filter reads the whole table.
const Timeout = 10 * time.Second

// Errors of reading.
var (
	ErrTooSlow  = errors.New("the rows were not found in time")
	ErrNoTable  = errors.New("the target's table is gone, may not be read, or lacks a column of the definition")
	ErrBadValue = errors.New("a value is not of its column's type")
)

// Row is a row of a target.
type Row struct {
	Cells    [][]byte // as text, in the order of the query's columns; nil is NULL
	Position Position
	Load     int64 // 0 where it was added by other means
	Number   int64 // in the file of the load
	Edited   bool  // by somebody other than a load
}

// Page returns up to limit rows in the order of their keys, fewer where they are big, from behind a position or, where it is nil, from the
// beginning; and whether there are more. Dates and times are in ISO 8601 with a space for its T, instants in UTC.
func (r Reader) Page(ctx context.Context, t Table, q Query, after Position, limit int) (page []Row, more bool, err error) {
	s, err := t.statement(q, after, limit)
	if err != nil {
		return nil, false, err
	}
	page, more, err = postgres.ReadIn(ctx, r.DB, r.begin(), limit, pgx.RowToStructByName[Row], s.String(), s.args...)
	return page, more, explain(err)
}

// begin starts a transaction of a role that has no right but those on targets; on a machine without that role, of the session's own.
func (r Reader) begin() string {
	return fmt.Sprintf(beginSQL, r.Timeout.Milliseconds())
}

const beginSQL = `begin read only; set local statement_timeout = %d; set local idle_in_transaction_session_timeout = '30s';
set local datestyle = 'ISO'; set local intervalstyle = 'iso_8601'; set local timezone = 'UTC'; select set_config('role', coalesce(
  (select rolname::text from pg_roles where rolname = 'sheetdrop_loader' and pg_has_role(rolname, 'MEMBER')), 'none'), true)`

// explain returns one of the package's errors for what the server says about a query; others, and nil, are returned unchanged.
func explain(err error) error {
	const (
		canceled                                       = "57014"
		undefinedTable, undefinedColumn, noPermission  = "42P01", "42703", "42501"
		undefinedSchema, undefinedFunction, dataErrors = "3F000", "42883", "22"
	)
	found, ok := errors.AsType[*pgconn.PgError](err)
	if !ok {
		return err
	}
	switch found.Code {
	case canceled:
		return fmt.Errorf("%w: %w", ErrTooSlow, err)
	case undefinedTable, undefinedColumn, noPermission, undefinedSchema, undefinedFunction:
		return fmt.Errorf("%w: %w", ErrNoTable, err)
	}
	if strings.HasPrefix(found.Code, dataErrors) {
		return fmt.Errorf("%w: %w", ErrBadValue, err)
	}
	return err
}

// Files returns the names of the files of a target's loads, by load.
func (r Reader) Files(ctx context.Context, targetID uuid.UUID, loads []int64) (map[int64]string, error) {
	type file struct {
		ID   int64
		Name string
	}
	found, err := database.All[file](ctx, r.DB.SQL(),
		`select id, file_name as name from sheetdrop.target_load where target_id = $1 and id = any ($2)`, targetID, loads)
	if err != nil {
		return nil, fmt.Errorf("find the files of rows: %w", err)
	}
	names := make(map[int64]string, len(found))
	for _, f := range found {
		names[f.ID] = f.Name
	}
	return names, nil
}
