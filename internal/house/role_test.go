//go:build unix

package house_test

import (
	"context"
	"errors"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"sheetdrop/internal/devstack/devtest"
	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/migrate"
	"sheetdrop/internal/postgres/pgtest"
	"sheetdrop/internal/postgres/sheetview"
	"sheetdrop/internal/task"
)

// Names as Entra has them, and plain SQL has not; and what Entra has people and apps log in with.
const (
	administrator = "sheetdrop-Dev-database"
	appLogin      = "id-sheetdrop-Dev-0a1b2c3d"
	token         = "a-token-for-the-database"
)

// A database that was made through Azure's API belongs to the platform, and all that a deployment wants there would be refused.
func TestDatabaseOfThePlatformIsRefused(t *testing.T) {
	t.Parallel()
	server := newServer(t)
	superuser := connect(t, server.DatabaseURL)
	mustExec(t, superuser, `create role azuresu`)
	mustExec(t, superuser, `create database sheetdrop owner azuresu`)
	if _, err := migrate.Up(t.Context(), server.as(t, administrator)); !isRefused(err) {
		t.Errorf("migrations: %v, want insufficient privilege", err)
	}
	if out, err := server.deploy(t); err == nil || !strings.Contains(out, "database sheetdrop belongs to azuresu") {
		t.Errorf("%v\n%s", err, out)
	}
	mustExec(t, superuser, `drop database sheetdrop`)
	if out, err := server.deploy(t, "SSL_CERT_FILE="); err == nil {
		t.Errorf("the token goes to a server that cannot show who it is:\n%s", out)
	}
	if out, err := server.deploy(t); err != nil {
		t.Errorf("without it: %v\n%s", err, out)
	}
}

// infra/database.sh makes a database with a login that is enough for all that the handler does, and for nothing else: who gets hold of the
// handler's login cannot change the schema. Run again, it changes nothing. A server of its own, because roles belong to the whole server.
func TestApplicationRole(t *testing.T) {
	t.Parallel()
	server := newServer(t)
	for range 2 {
		if out, err := server.deploy(t); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	owner, appURL := connect(t, server.as(t, administrator)), server.as(t, appLogin)

	t.Run("is enough for the handler", func(t *testing.T) { workAsApp(t, appURL) })
	t.Run("is enough for tables of later migrations", func(t *testing.T) {
		mustExec(t, owner, `create table sheetdrop.later (id bigint)`)
		mustExec(t, connect(t, appURL), `insert into sheetdrop.later values (1)`)
	})
	t.Run("leaves functions of views to later migrations", func(t *testing.T) {
		files, err := filepath.Glob("../postgres/migrations/*_views_and_comments.sql")
		if err != nil || len(files) != 1 {
			t.Fatalf("%q, %v", files, err)
		}
		text, err := os.ReadFile(files[0])
		must(t, err)
		mustExec(t, owner, string(text)) // every statement may be run again
	})
	t.Run("may empty a slot of the history", func(t *testing.T) {
		mustExec(t, connect(t, appURL), `truncate sheetdrop.outbox_history_07`)
	})
	t.Run("may have views made for analysts, which", func(t *testing.T) { viewsForAnalysts(t, server) })
	t.Run("may load into targets, whose", func(t *testing.T) { loadsIntoTargets(t, server) })
	t.Run("may have targets' tables made, which", func(t *testing.T) { tablesOfTargets(t, server) })
	t.Run("may load into tables of others, which", func(t *testing.T) { adoptedTables(t, server) })
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
	must(t, app.Settle(ctx, token, postgres.Settlement{Sent: []uuid.UUID{upload.MessageID}}))

	var claimed *postgres.ClaimedTask
	must(t, app.InTx(ctx, nil, func(ctx context.Context, tx postgres.Tx) error {
		claimed, _, err = tx.ClaimTask(ctx, upload.TaskID, token, time.Minute, false)
		return err
	}))
	if claimed == nil {
		t.Fatal("the task was not claimed")
	}
	load(t, app, claimed.Claim)
	sheet, err := app.Sheet(ctx, upload.File.Owner, upload.TaskID, 1)
	must(t, err)
	if rows, _, err := app.RowReader(sheet.ID).Page(ctx, 0, 10); err != nil || len(rows) != 1 {
		t.Errorf("%d rows, %v; want 1", len(rows), err)
	}
	makeViewOf(t, app, upload, sheet.ID)
	must(t, app.InTx(ctx, nil, func(ctx context.Context, tx postgres.Tx) error {
		file, err := tx.LockFile(ctx, upload.File.Owner, upload.File.ID)
		if err != nil {
			return err
		}
		return tx.DeleteFile(ctx, file, uuid.New())
	}))
	must(t, app.InTx(ctx, nil, func(ctx context.Context, tx postgres.Tx) error {
		if view, err := sheetview.Refresh(ctx, tx); err != nil || view == nil || view.Done != sheetview.Dropped {
			t.Errorf("the deleted file's view: %+v, %v", view, err)
		}
		return nil
	}))
	lease, err := app.TakeReconciler(ctx, token, time.Minute, 0)
	must(t, err)
	if lease == nil {
		t.Fatal("the reconciler was not taken")
	}
	alerts, err := app.Alerts(ctx, 1)
	must(t, err)
	must(t, app.DeleteAlerts(ctx, alerts))
	must(t, app.ReleaseReconciler(ctx, token, true))
	_, err = app.OutboxStats(ctx)
	must(t, err)
}

// makeViewOf makes, points, lists and drops views, and leaves one.
func makeViewOf(t *testing.T, app *pgtest.Database, upload postgres.Upload, sheet int64) {
	ctx, owner := t.Context(), upload.File.Owner
	kept, dropped := sheetview.New{ID: uuid.New(), Owner: owner, Name: "kept", SheetID: sheet}, sheetview.New{ID: uuid.New(), Owner: owner, Name: "dropped", SheetID: sheet}
	must(t, app.InTx(ctx, nil, func(ctx context.Context, tx postgres.Tx) error {
		_, _, err := sheetview.NamesInUse(ctx, tx, owner)
		return errors.Join(err, sheetview.Lock(ctx, tx, owner), sheetview.Create(ctx, tx, kept), sheetview.Create(ctx, tx, dropped), sheetview.Point(ctx, tx, kept), sheetview.Drop(ctx, tx, owner, dropped.ID))
	}))
	_, err := sheetview.Dependants(ctx, app.DB, kept.ID)
	must(t, err)
	if views, _, err := sheetview.List(ctx, app.DB, owner, uuid.Max, 10); err != nil || len(views) != 1 {
		t.Errorf("%d views, %v; want 1", len(views), err)
	}
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
	if held, err := l.Complete(t.Context(), pgtest.Sheets(sheets...), task.Summary{Counts: counts}, task.Progress{}, nil); err != nil || !held {
		t.Fatalf("complete: %t, %v", held, err)
	}
}

// azureServer is a server as Azure has them: over TLS alone, people and apps log in with tokens.
type azureServer struct{ *devtest.SecureStack }

// newServer makes what Azure's server has: an administrator who is no superuser, and the function that makes logins for
// identities; this one makes them without an identity.
func newServer(t *testing.T) azureServer {
	t.Helper()
	stack := devtest.Secure(t)
	stack.RequireTLS(t)
	superuser := connect(t, stack.DatabaseURL)
	mustExec(t, superuser, `create role `+pgx.Identifier{administrator}.Sanitize()+` login createrole createdb password '`+token+`'`)
	mustExec(t, superuser, `create function pgaadauth_create_principal_with_oid(name text, object_id text, kind text, is_admin bool, is_mfa bool)
returns text security definer language plpgsql as $$
begin
  if object_id <> 'an-object-id' or kind <> 'service' or is_admin or is_mfa then
    raise 'a login for %, %, %, % was asked for', object_id, kind, is_admin, is_mfa;
  end if;
  execute format('create role %I login password %L', name, '`+token+`');
  return name;
end $$`)
	return azureServer{stack}
}

// deploy runs infra/database.sh, signed in as the administrator, and returns what it prints. The environment has also these variables.
func (s azureServer) deploy(t *testing.T, variables ...string) (string, error) {
	t.Helper()
	server, err := pgx.ParseConfig(s.DatabaseURL)
	must(t, err)
	signedIn := t.TempDir()
	az := `#!/bin/sh
[ "$*" = "account get-access-token --resource-type oss-rdbms --query accessToken --output tsv" ] && echo ` + token
	must(t, os.WriteFile(filepath.Join(signedIn, "az"), []byte(az), 0o700))
	path := filepath.Join("..", "..", "infra", "database.sh")
	_, err = os.Stat(path) // and the result of the test is not kept when the script changes
	must(t, err)
	script := exec.CommandContext(t.Context(), "bash", path)
	script.Env = append(os.Environ(), "PATH="+signedIn+":"+os.Getenv("PATH"), "SSL_CERT_FILE="+s.Certificate,
		"PGHOST="+server.Host, "PGPORT="+strconv.Itoa(int(server.Port)), "PGUSER="+administrator, "APP_LOGIN="+appLogin, "APP_OBJECT_ID=an-object-id")
	script.Env = append(script.Env, variables...)
	out, err := script.CombinedOutput()
	return string(out), err
}

// as is the address of database sheetdrop for a user with a token.
func (s azureServer) as(t *testing.T, user string) string {
	t.Helper()
	u, err := url.Parse(s.URL(t, user, "sheetdrop"))
	must(t, err)
	u.User = url.UserPassword(user, token)
	return u.String()
}

func connect(t *testing.T, databaseURL string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), databaseURL)
	must(t, err)
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	return conn
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
