package house_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/pgtest"
	"sheetdrop/internal/postgres/targetstore"
)

// tablesOfTargets makes, changes and drops tables as the handler does, with the handler's login; whoever gets hold of that login can do
// nothing else to them, nor have any other table made, changed or dropped, whatever it writes into sheetdrop's own tables.
func tablesOfTargets(t *testing.T, server azureServer) {
	operator, login := connect(t, server.as(t, administrator)), connect(t, server.as(t, appLogin))
	app := pgtest.Open(t, server.as(t, appLogin))
	create := func(name string) targetstore.Target { return createTarget(t, app, name) }
	table := func(of targetstore.Target, suffix string) string {
		return pgx.Identifier{of.SchemaName, of.TableName + suffix}.Sanitize()
	}
	drop := func(of targetstore.Target, tables bool) {
		t.Helper()
		must(t, app.InTx(t.Context(), nil, func(ctx context.Context, tx postgres.Tx) error { return targetstore.Drop(ctx, tx, of.ID, tables) }))
	}

	t.Run("come and go with their definitions", func(t *testing.T) {
		passing := create("passing")
		must(t, app.InTx(t.Context(), nil, func(ctx context.Context, tx postgres.Tx) error {
			return targetstore.Change(ctx, tx, passing, "alice", true, definition("passing", `, {"name": "note", "type": "text"}`))
		}))
		drop(passing, true)
		drop(create("passing"), false)
	})
	prices := create("prices")
	t.Run("the handler's login cannot touch", func(t *testing.T) {
		for _, sql := range []string{
			`select from ` + table(prices, ""), `insert into ` + table(prices, "") + ` values ('a', 1, 1)`, `delete from ` + table(prices, "__was"),
			`drop table ` + table(prices, ""), `alter table ` + table(prices, "") + ` add x int`, `truncate ` + table(prices, "__seen"),
			`create table ` + pgx.Identifier{prices.SchemaName, "mine"}.Sanitize() + ` (a int)`, `set role sheetdrop_tables`,
		} {
			if _, err := login.Exec(t.Context(), sql); !isRefused(err) {
				t.Errorf("%s: %v, want insufficient privilege", sql, err)
			}
		}
	})
	t.Run("are never those of others", func(t *testing.T) {
		mustExec(t, operator, `create table public.payroll (a int)`)
		mustExec(t, operator, `set role sheetdrop_tables; create view `+table(prices, "_net")+` as select 1; reset role`)
		for place, want := range map[[2]string]string{
			{"public", "payroll"}: "P0002", {"sheetdrop", "task"}: "23514", {"pg_catalog", "pg_authid"}: "23514", {prices.SchemaName, "prices_net"}: "42P07",
		} {
			if err := forgeTarget(t, login, place); stateOf(err) != want {
				t.Errorf("%s: %v, want %s", place, err, want)
			}
		}
	})
	t.Run("have names that are never SQL", func(*testing.T) {
		for _, name := range []string{`sheetdrop.task`, `pg_catalog.pg_authid`, `a"; drop table sheetdrop.task; --`, `a'; --`, `%I`, strings.Repeat("商", 19)} {
			drop(create(name), true)
		}
	})
	t.Run("belong to a role that can change nothing of sheetdrop's", func(t *testing.T) {
		mustExec(t, operator, `set role sheetdrop_tables`)
		for _, sql := range []string{
			`update sheetdrop.target set owner = 'mallory'`, `insert into sheetdrop.target_version values (gen_random_uuid(), 1, '{}', 'x')`,
			`delete from sheetdrop.target_share`, `select from sheetdrop.header_choice`,
		} {
			if _, err := operator.Exec(t.Context(), sql); !isRefused(err) {
				t.Errorf("%s: %v, want insufficient privilege", sql, err)
			}
		}
	})
}

func definition(name, more string) json.RawMessage {
	return json.RawMessage(fmt.Sprintf(`{"name": %q, "key": ["id"], "columns": [{"name": "id", "type": "text", "required": true}%s]}`, name, more))
}

func createTarget(t *testing.T, app *postgres.DB, name string) (made targetstore.Target) {
	t.Helper()
	must(t, app.InTx(t.Context(), nil, func(ctx context.Context, tx postgres.Tx) error {
		_, err := targetstore.Create(ctx, tx, uuid.New(), "alice", name, true, definition(name, ""))
		return err
	}))
	made, err := targetstore.Find(t.Context(), app, []string{"alice"}, name)
	must(t, err)
	return made
}

// forgeTarget writes, with plain SQL, a target that says that its table is another one, has that dropped, which must do nothing, and then
// made, which must fail.
func forgeTarget(t *testing.T, login *pgx.Conn, place [2]string) error {
	t.Helper()
	id := uuid.New()
	if _, err := login.Exec(t.Context(), `with made as (
  insert into sheetdrop.target (id, owner, name, kind, schema_name, table_name, ordered) values ($1, 'alice', $3::text, 'MANAGED', $2, $3::text, false)
)
insert into sheetdrop.target_version (target_id, version, definition, made_by) values ($1, 1, $4, 'alice')`,
		id, place[0], place[1], definition(place[1], "")); err != nil {
		return err
	}
	if _, err := login.Exec(t.Context(), `select sheetdrop.target_drop($1)`, id); err != nil && stateOf(err) != "42809" { // a view is no table
		t.Errorf("%s: %v", place, err)
	}
	tag, err := login.Exec(t.Context(), `select from pg_class where relnamespace = $1::regnamespace and relname = $2`, place[0], place[1])
	if err != nil || tag.RowsAffected() != 1 {
		t.Errorf("%s is gone, %v", place, err)
	}
	_, err = login.Exec(t.Context(), `select sheetdrop.target_create($1)`, id)
	return err
}

func stateOf(err error) string {
	if pgErr, ok := errors.AsType[*pgconn.PgError](err); ok {
		return pgErr.Code
	}
	return ""
}
