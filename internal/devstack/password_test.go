package devstack

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// Who is on the machine and cannot read our files does not get into the database: that takes the password, which the URL does not show, and
// which only we can read. psql and pgx find it by the URL.
func TestLocalDatabaseNeedsAPassword(t *testing.T) {
	t.Parallel()
	dir := newDir(t)
	for name, c := range map[string]*child{"shared": open(t, "", newCache(t)), "with a folder": open(t, dir, newCache(t))} {
		url := c.mustOpen(t).Stack.DatabaseURL
		execute(t, url, `select 1`)
		wantKeptOut(t, name, url)
	}
}

// wantKeptOut tries to get in without a password and with a wrong one, and looks at who may read the right one.
func wantKeptOut(t *testing.T, name, url string) {
	t.Helper()
	config, err := pgx.ParseConfig(url)
	if err != nil {
		t.Fatal(err)
	}
	_, passfile, _ := strings.Cut(url, "&passfile=")
	info, err := os.Stat(passfile)
	if err != nil {
		t.Fatal(err)
	}
	if config.Password == "" || strings.Contains(url, config.Password) || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("%s: the password is not in a file of ours alone: %s %v", name, url, info.Mode())
	}
	for _, password := range []string{"", "sheetdrop", config.Password + "x"} {
		config.Password = password
		conn, err := pgx.ConnectConfig(t.Context(), config)
		var refused *pgconn.PgError
		if !errors.As(err, &refused) || refused.Code != "28P01" && refused.Code != "28000" {
			t.Errorf("%s: with the password %q: %v", name, password, err)
		}
		if err == nil {
			conn.Close(t.Context())
		}
	}
}

// Data of an earlier version, which asked nobody for a password, is kept and asks from now on; and so is data whose password is lost.
func TestDataOfAnEarlierVersionGetsAPassword(t *testing.T) {
	t.Parallel()
	dir := newDir(t)
	first := open(t, dir, newCache(t)).mustOpen(t)
	execute(t, first.Stack.DatabaseURL, `create table kept ()`)
	first.end()
	rules := filepath.Join(dir, "postgres", "pg_hba.conf")
	text, err := os.ReadFile(rules)
	if err == nil {
		err = os.WriteFile(rules, []byte(strings.ReplaceAll(string(text), "scram-sha-256\n", "trust\n")), 0o600)
	}
	if err == nil {
		err = os.Remove(filepath.Join(dir, "postgres.pgpass"))
	}
	if err != nil {
		t.Fatal(err)
	}
	again := open(t, dir, newCache(t)).mustOpen(t)
	execute(t, again.Stack.DatabaseURL, `select from kept`)
	wantKeptOut(t, "earlier version", again.Stack.DatabaseURL)
}
