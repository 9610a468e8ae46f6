package house_test

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"sheetdrop/internal/devstack/devtest"
	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/migrate"
	"sheetdrop/internal/postgres/pgtest"
	"sheetdrop/internal/task"
)

// Names as Entra has them, and plain SQL has not.
const (
	administrator = "sheetdrop-Dev-database"
	appLogin      = "id-sheetdrop-Dev-0a1b2c3d"
)

// The role that the SQL files make is enough for all that the handler does, and for nothing else: who gets hold of the handler's login
// cannot change the schema. Made twice, it is the same. A server of its own, because roles belong to the whole server.
func TestApplicationRole(t *testing.T) {
	t.Parallel()
	server := devtest.Private(t).DatabaseURL
	provideServer(t, connect(t, server))
	databaseURL := as(t, server, administrator, "sheetdrop")
	if _, err := migrate.Up(t.Context(), databaseURL); err != nil {
		t.Fatal(err)
	}
	owner := connect(t, databaseURL)
	for range 2 {
		runFile(t, connect(t, as(t, server, administrator, "postgres")), "login.sql")
		runFile(t, owner, "application-role.sql")
	}
	appURL := as(t, server, appLogin, "sheetdrop")

	t.Run("is enough for the handler", func(t *testing.T) { workAsApp(t, appURL) })
	t.Run("is enough for tables of later migrations", func(t *testing.T) {
		mustExec(t, owner, `create table sheetdrop.later (id bigint)`)
		mustExec(t, connect(t, appURL), `insert into sheetdrop.later values (1)`)
	})
	t.Run("may empty a slot of the history", func(t *testing.T) {
		mustExec(t, connect(t, appURL), `truncate sheetdrop.outbox_history_07`)
	})
	t.Run("may do nothing else", func(t *testing.T) {
		app := connect(t, appURL)
		for _, sql := range []string{
			`create table sheetdrop.mine (id int)`,
			`create table public.mine (id int)`,
			`create schema mine`,
			`create role mine`,
			`alter table sheetdrop.task add column mine int`,
			`drop table sheetdrop.row_reject`,
			`truncate sheetdrop.sheet_row`,
			`update sheetdrop.schema_version set is_applied = false`,
		} {
			if _, err := app.Exec(t.Context(), sql); !isRefused(err) {
				t.Errorf("%s: %v, want insufficient privilege", sql, err)
			}
		}
	})
}

// workAsApp goes the way of a file with the handler's own statements: upload, relay, parse, read, delete, reconcile.
func workAsApp(t *testing.T, appURL string) {
	app := &pgtest.Database{DB: pgtest.Open(t, appURL), URL: appURL}
	ctx, token := t.Context(), uuid.New()
	must(t, app.SchemaReady(ctx))
	upload := app.AddUpload(t)

	messages, err := app.ClaimMessages(ctx, token, time.Minute, time.Time{}, 10)
	must(t, err)
	if len(messages) != 1 {
		t.Fatalf("%d messages claimed, want 1", len(messages))
	}
	_, err = app.Settle(ctx, token, postgres.Settlement{Sent: []uuid.UUID{upload.MessageID}})
	must(t, err)

	var claimed *postgres.ClaimedTask
	must(t, app.InTx(ctx, nil, func(ctx context.Context, tx postgres.Tx) error {
		claimed, _, err = tx.ClaimTask(ctx, upload.TaskID, token, time.Minute)
		return err
	}))
	if claimed == nil {
		t.Fatal("the task was not claimed")
	}
	load(t, app, claimed.Claim)
	sheet, err := app.Sheet(ctx, upload.File.Owner, upload.TaskID, 1)
	must(t, err)
	if rows, _, err := app.Rows(ctx, sheet.ID, 0, 10); err != nil || len(rows) != 1 {
		t.Errorf("%d rows, %v; want 1", len(rows), err)
	}
	must(t, app.InTx(ctx, nil, func(ctx context.Context, tx postgres.Tx) error {
		file, err := tx.LockFile(ctx, upload.File.Owner, upload.File.ID)
		if err != nil {
			return err
		}
		return tx.DeleteFile(ctx, file, uuid.New())
	}))
	lease, err := app.TakeReconciler(ctx, token, time.Minute, 0)
	must(t, err)
	if lease == nil {
		t.Fatal("the reconciler was not taken")
	}
	must(t, app.ReleaseReconciler(ctx, token, true))
	_, err = app.OutboxStats(ctx)
	must(t, err)
}

// load writes a sheet of one row and one reject.
func load(t *testing.T, app *pgtest.Database, claim postgres.Claim) {
	l, err := app.BeginLoad(t.Context(), claim)
	must(t, err)
	defer l.Rollback(t.Context())
	id, err := l.NewSheetID(t.Context())
	must(t, err)
	must(t, l.Row(id, 2, 2, [][]byte{[]byte("x")}))
	must(t, l.Reject(postgres.LoadReject{SheetID: id, RowNo: 3, Errors: []postgres.RejectError{{Code: "missing_cell"}}}))
	counts := task.Counts{Read: 2, Loaded: 1, Rejected: 1}
	sheets := []postgres.Sheet{{ID: id, Number: 1, Name: "1", Visible: true, Dialect: []byte(`{}`), Columns: []byte(`[]`),
		Warnings: []byte(`[]`), Counts: counts}}
	if held, err := l.Complete(t.Context(), pgtest.Sheets(sheets...), task.Summary{Counts: counts}, task.Progress{}); err != nil || !held {
		t.Fatalf("complete: %t, %v", held, err)
	}
}

// provideServer makes what Azure's server has: the database, an administrator who is no superuser, and the function that makes logins for
// identities; this one makes them without an identity.
func provideServer(t *testing.T, superuser *pgx.Conn) {
	t.Helper()
	quoted := pgx.Identifier{administrator}.Sanitize()
	mustExec(t, superuser, `create role `+quoted+` login createrole`)
	mustExec(t, superuser, `create database sheetdrop owner `+quoted)
	mustExec(t, superuser, `create function pgaadauth_create_principal_with_oid(name text, object_id text, kind text, is_admin bool, is_mfa bool)
returns text security definer language plpgsql as $$
begin
  if object_id <> 'an-object-id' or kind <> 'service' or is_admin or is_mfa then
    raise 'a login for %, %, %, % was asked for', object_id, kind, is_admin, is_mfa;
  end if;
  execute format('create role %I login', name);
  return name;
end $$`)
}

// runFile runs a file of infra/sql as psql does: all its statements as they stand there.
func runFile(t *testing.T, conn *pgx.Conn, name string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "infra", "sql", name))
	must(t, err)
	settings := fmt.Sprintf(`set sheetdrop.login = '%s'; set sheetdrop.object_id = 'an-object-id';`, appLogin)
	if _, err := conn.PgConn().Exec(t.Context(), settings+string(text)).ReadAll(); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

func connect(t *testing.T, databaseURL string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), databaseURL)
	must(t, err)
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	return conn
}

// as names a user and a database in a server's URL.
func as(t *testing.T, server, user, database string) string {
	t.Helper()
	u, err := url.Parse(server)
	must(t, err)
	u.User, u.Path = url.User(user), "/"+database
	return u.String()
}

func isRefused(err error) bool {
	const insufficientPrivilege = "42501"
	pgErr, ok := errors.AsType[*pgconn.PgError](err)
	return ok && pgErr.Code == insufficientPrivilege
}

func mustExec(t *testing.T, conn *pgx.Conn, sql string) {
	t.Helper()
	if _, err := conn.Exec(t.Context(), sql); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
