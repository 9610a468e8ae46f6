// Package adopt makes a table that is there already a target, and releases it. Both are for the table's owner: they run in a session of
// theirs, with their own rights.
package adopt

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"sheetdrop/internal/postgres/database"
)

// Request says which table becomes whose target.
type Request struct {
	Table    string   // as SQL has it, such as public.prices
	Owner    string   // as sheetdrop knows them
	Name     string   // of the target; "": the table's
	Key      []string // "": the primary key, or the only one that there is
	LeaveOut []string // columns that loads are not to write
}

// SQL returns the statement that makes the table a target.
func (r Request) SQL() string {
	sql := `select sheetdrop.target_adopt(` + literal(r.Table) + `, ` + literal(r.Owner)
	if r.Name != "" {
		sql += `, name => ` + literal(r.Name)
	}
	if len(r.Key) > 0 {
		sql += `, key => ` + array(r.Key)
	}
	if len(r.LeaveOut) > 0 {
		sql += `, leave_out => ` + array(r.LeaveOut)
	}
	return sql + `);`
}

// ReleaseSQL returns the statement that releases an adopted table.
func ReleaseSQL(table string) string {
	return `select sheetdrop.target_release(` + literal(table) + `);`
}

func literal(text string) string { return `'` + strings.ReplaceAll(text, `'`, `''`) + `'` }

func array(texts []string) string {
	list := make([]string, len(texts))
	for i, text := range texts {
		list[i] = literal(text)
	}
	return `array[` + strings.Join(list, `, `) + `]`
}

// Column is a column of an adopted table.
type Column struct {
	Name    string
	LeftOut string // why loads leave it to the table; "" where they write it
}

// Adopt makes the table a target, in the database that the address names, and returns its columns.
func Adopt(ctx context.Context, databaseURL string, r Request) (columns []Column, err error) {
	err = inSession(ctx, databaseURL, func(conn *pgx.Conn) error {
		if _, err := conn.Exec(ctx, r.SQL(), pgx.QueryExecModeSimpleProtocol); err != nil {
			return err
		}
		columns, err = database.All[Column](ctx, conn, `select name, case when name = any ($2::text[]) then 'you said so' else coalesce(left_out, '') end as left_out
from sheetdrop.adopted_columns($1::text::regclass) where name not in ('_load', '_row', '_edited')`, r.Table, r.LeaveOut)
		return err
	})
	return columns, err
}

// Release ends the target that a table is, and takes away what Adopt has added to it.
func Release(ctx context.Context, databaseURL, table string) error {
	return inSession(ctx, databaseURL, func(conn *pgx.Conn) error {
		_, err := conn.Exec(ctx, ReleaseSQL(table), pgx.QueryExecModeSimpleProtocol)
		return err
	})
}

func inSession(ctx context.Context, databaseURL string, do func(*pgx.Conn) error) error {
	conn, err := pgx.Connect(ctx, databaseURL)
	if err != nil {
		return fmt.Errorf("connect to the database: %w", err)
	}
	defer conn.Close(context.WithoutCancel(ctx))
	return do(conn)
}
