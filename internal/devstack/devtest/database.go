package devtest

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"sheetdrop/internal/devstack"
	"sheetdrop/internal/postgres/migrate"
)

// Database creates a database with all migrations applied and returns its URL. It is dropped after the test, even if
// somebody is still connected.
func Database(t testing.TB) string {
	t.Helper()
	return DatabaseOn(t, Shared(t))
}

// DatabaseOn creates a database like Database, on a stack that the test has opened.
func DatabaseOn(t testing.TB, stack *devstack.Stack) string {
	t.Helper()
	url := createDatabase(t, stack, template)
	// The template has the time at which its migrations were applied.
	if err := execute(t.Context(), url, `update sheetdrop.reconciler set ran_at = now()`); err != nil {
		t.Fatalf("begin the database: %v", err)
	}
	return url
}

// EmptyDatabase creates a database without migrations, like Database.
func EmptyDatabase(t testing.TB) string {
	t.Helper()
	return EmptyDatabaseOn(t, Shared(t))
}

// EmptyDatabaseOn creates a database like EmptyDatabase, on a stack that the test has opened.
func EmptyDatabaseOn(t testing.TB, stack *devstack.Stack) string {
	t.Helper()
	return createDatabase(t, stack, func(context.Context, string) (string, error) { return "template0", nil })
}

// CopyOf creates a database with the current state of another one, as a restore would. Sessions of the other one are
// ended.
func CopyOf(t testing.TB, source string) string {
	t.Helper()
	config, err := pgx.ParseConfig(source)
	if err != nil {
		t.Fatal(err)
	}
	allow := func(ctx context.Context, server string, connections bool) error {
		return execute(ctx, server, fmt.Sprintf(`alter database %s allow_connections %t`, quote(config.Database), connections))
	}
	stack := Shared(t)
	copied := createDatabase(t, stack, func(ctx context.Context, server string) (string, error) {
		if err := allow(ctx, server, false); err != nil { // a database in use cannot be copied
			return "", err
		}
		return config.Database, execute(
			ctx,
			server,
			fmt.Sprintf(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '%s'`, config.Database),
		)
	})
	if err := allow(t.Context(), stack.DatabaseURL, true); err != nil {
		t.Fatal(err)
	}
	return copied
}

func createDatabase(t testing.TB, stack *devstack.Stack, template func(ctx context.Context, server string) (string, error)) string {
	t.Helper()
	server := stack.DatabaseURL
	from, err := template(t.Context(), server)
	if err != nil {
		t.Fatalf("template database: %v", err)
	}
	name := uniqueName()
	if err := execute(t.Context(), server, `create database `+quote(name)+` template `+quote(from)); err != nil {
		t.Fatalf("create database: %v", err)
	}
	t.Cleanup(func() {
		ctx, cancel := ending()
		defer cancel()
		if err := execute(ctx, server, `drop database if exists `+quote(name)+` with (force)`); err != nil {
			t.Errorf("drop database: %v", err)
		}
	})
	return withDatabase(server, name)
}

// template returns the name of a database with all migrations applied, and creates it if it does not exist. The name
// contains a hash of the migrations. If several processes need it, one creates it while the others wait. It gets its
// name last, so that an incomplete one is never cloned, and admits no connections, because a database in use cannot be
// cloned.
func template(ctx context.Context, server string) (string, error) {
	name := "sheetdrop-template-" + migrate.Hash()
	conn, err := pgx.Connect(ctx, server)
	if err != nil {
		return "", err
	}
	defer conn.Close(ctx)
	if _, err := conn.Exec(ctx, `select pg_advisory_lock(hashtextextended($1, 0))`, name); err != nil {
		return "", err
	}
	var exists bool
	err = conn.QueryRow(ctx, `select exists (select from pg_database where datname = $1)`, name).Scan(&exists)
	if err != nil || exists {
		return name, err
	}
	unfinished := name + "-new"
	for _, sql := range []string{
		`drop database if exists ` + quote(unfinished) + ` with (force)`,
		`create database ` + quote(unfinished) + ` template template0`,
	} {
		if _, err := conn.Exec(ctx, sql); err != nil {
			return "", err
		}
	}
	if _, err := migrate.Up(ctx, withDatabase(server, unfinished)); err != nil {
		return "", err
	}
	for _, sql := range []string{
		`alter database ` + quote(unfinished) + ` allow_connections false`,
		`alter database ` + quote(unfinished) + ` rename to ` + quote(name),
	} {
		if _, err := conn.Exec(ctx, sql); err != nil {
			return "", err
		}
	}
	return name, nil
}

func execute(ctx context.Context, server, sql string) error {
	conn, err := pgx.Connect(ctx, server)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, sql)
	return err
}

func quote(name string) string { return pgx.Identifier{name}.Sanitize() }

// withDatabase returns the address of another database on the same server, whether the address is a URL or of the form
// "host=… port=…".
func withDatabase(server, name string) string {
	if !strings.Contains(server, "://") {
		return fmt.Sprintf("%s dbname='%s'", server, name)
	}
	u, err := url.Parse(server)
	if err != nil {
		panic(err) // a connection has been made with this address
	}
	u.Path = "/" + name
	return u.String()
}
