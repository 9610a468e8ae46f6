//go:build unix

package e2e_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"regexp"
	"strconv"
	"syscall"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sheetdrop/internal/devstack/await"
	"sheetdrop/internal/funchost"
	"sheetdrop/internal/postgres/pgtest"
	"sheetdrop/verify/e2e"
)

// Through PgBouncer in transaction mode, with fewer connections at the server than the app has, every message delivered twice, each file is
// there exactly once: nothing depends on which connection a transaction gets. It runs where pgbouncer is installed.
func TestThroughPooler(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	app := e2e.Start(t, e2e.Options{Database: db, Faults: &funchost.Faults{DeliverTimes: 2}, Settings: map[string]string{"DATABASE_URL": pooler(t, db.URL, 6)}})
	const files, rows = 12, 500
	var ids []uuid.UUID
	for i := range files {
		ids = append(ids, app.Upload(t, fmt.Sprintf("%d.csv", i), csv(rows, 100)).ID)
	}
	for _, id := range ids {
		if done := app.Await(t, id); done.Status != "COMPLETED" || done.Attempt != 1 {
			t.Errorf("task: %+v, want COMPLETED by its only attempt", done)
		}
	}
	wantExactRows(t, app, files, rows)
	app.Database.Await(t, `select count(*) = 0 from sheetdrop.outbox_message`)
}

// pooler starts PgBouncer with so many connections to a database, and returns the address that leads through it.
func pooler(t *testing.T, databaseURL string, size int) string {
	t.Helper()
	program, err := exec.LookPath("pgbouncer")
	switch {
	case err != nil && os.Getenv("SHEETDROP_CI_RUN") != "":
		t.Fatal("pgbouncer is not installed: .ci/run does that")
	case err != nil:
		t.Skip("pgbouncer is not installed") //nolint:forbidigo // no package registry that a laptop has for sure offers it
	}
	server, err := pgx.ParseConfig(databaseURL)
	if err != nil {
		t.Fatal(err)
	}
	folder := poolerFolder(t)
	password := "" // which it does not take as an empty word
	if server.Password != "" {
		password = " password=" + server.Password
	}
	settings, mode := fmt.Sprintf(`[databases]
* = host=%s port=%d user=%s%s
[pgbouncer]
listen_addr =
listen_port = 6432
unix_socket_dir = %s
auth_type = any
pool_mode = transaction
default_pool_size = %d
`, server.Host, server.Port, server.User, password, folder, size), "cache_statement"
	if keepsStatements(t, program) {
		settings += "max_prepared_statements = 500\n"
	} else {
		mode = "cache_describe" // older ones know nothing of prepared statements
	}
	file := filepath.Join(folder, "pgbouncer.ini")
	if err := os.WriteFile(file, []byte(settings), 0o644); err != nil {
		t.Fatal(err)
	}
	args := []string{"-q", file}
	if os.Geteuid() == 0 {
		args = append([]string{"-u", "nobody"}, args...)
	}
	cmd := exec.CommandContext(context.WithoutCancel(t.Context()), program, args...)
	cmd.Stderr = t.Output()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		_ = cmd.Wait()
	})
	through := fmt.Sprintf("postgres://%s@/%s?host=%s&port=6432&default_query_exec_mode=%s", server.User, server.Database, folder, mode)
	awaitPooler(t, through)
	return through
}

// poolerFolder is for the settings and the socket of PgBouncer: who reaches them is in the database. Started by root it runs as nobody.
func poolerFolder(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	err := errors.Join(os.Chmod(filepath.Dir(folder), 0o711), os.Chmod(folder, 0o700))
	if os.Geteuid() == 0 && err == nil {
		var nobody *user.User
		if nobody, err = user.Lookup("nobody"); err == nil {
			uid, _ := strconv.Atoi(nobody.Uid)
			err = os.Chown(folder, uid, -1)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return folder
}

// keepsStatements reports whether this PgBouncer keeps prepared statements in transaction mode, as it does since 1.21.
func keepsStatements(t *testing.T, program string) bool {
	t.Helper()
	said, err := exec.CommandContext(t.Context(), program, "--version").Output()
	version := regexp.MustCompile(`PgBouncer (\d+)\.(\d+)`).FindSubmatch(said)
	if err != nil || version == nil {
		t.Fatalf("version of pgbouncer: %s, %v", said, err)
	}
	major, _ := strconv.Atoi(string(version[1]))
	minor, _ := strconv.Atoi(string(version[2]))
	t.Logf("PgBouncer %d.%d", major, minor)
	return major > 1 || minor >= 21
}

// awaitPooler waits until somebody is let in. A pooler that has a fault in its settings never lets anybody in.
func awaitPooler(t *testing.T, address string) {
	t.Helper()
	connect := func() error {
		conn, err := pgx.Connect(t.Context(), address)
		if err == nil {
			_ = conn.Close(t.Context())
		}
		return err
	}
	await.Value(t, "the pooler lets somebody in", connect, func(err error) bool { return err == nil })
}
