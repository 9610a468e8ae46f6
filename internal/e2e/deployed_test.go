//go:build linux && amd64

package e2e_test

import (
	"archive/zip"
	"encoding/base64"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/jackc/pgx/v5"

	"sheetdrop/internal/e2e"
	"sheetdrop/internal/funchost"
)

// The app as Flex Consumption runs it: what the package holds and nothing else, a host for each function that shares no process with the
// others, an identity in place of keys and passwords, the app's own rights at the database, and callers whom the platform has signed in.
func TestDeployed(t *testing.T) {
	t.Parallel()
	cloud := newCloud(t)
	root := unpacked(t)
	door := &e2e.App{Host: cloud.startHost(t, root, "upload-api")}
	cloud.startHost(t, root, "outbox-relay")
	cloud.startHost(t, root, "parse-worker")

	if answer := door.Do(t, http.MethodGet, "/api/files", nil, nil); answer.StatusCode != http.StatusUnauthorized {
		t.Errorf("without a sign-in: %s, want 401", answer.Status)
	}
	door.Principal = base64.StdEncoding.EncodeToString([]byte(`{"auth_typ":"aad","claims":[{"typ":"tid","val":"a-tenant"},{"typ":"oid","val":"a-person"}]}`))
	if answer := door.Do(t, http.MethodGet, "/api/ready", nil, nil); answer.StatusCode != http.StatusOK {
		t.Fatalf("not ready: %s %s", answer.Status, answer.Text)
	}
	const rows = 2000
	for _, name := range []string{"a.csv", "b.csv", "c.csv"} {
		task := door.Upload(t, name, csv(rows, 100))
		if done := door.Await(t, task.ID); done.Status != "COMPLETED" || done.Summary.RowsLoaded != rows {
			t.Errorf("task: %+v, want COMPLETED with %d rows", done, rows)
		}
	}
	cloud.await(t, `select count(*) = 3 * 2000 from sheetdrop.sheet_row`)
	cloud.await(t, `select bool_and(ran_at is not null) from sheetdrop.reconciler`) // the timer has its host, too
}

// unpacked makes the package and gives a folder with what it holds.
func unpacked(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	file := filepath.Join(t.TempDir(), "app.zip")
	program := exec.CommandContext(t.Context(), "go", "run", "./cmd/sheetdrop", "package", "--out", file)
	program.Dir = filepath.Join("..", "..")
	if output, err := program.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	archive, err := zip.OpenReader(file)
	if err != nil {
		t.Fatal(err)
	}
	defer archive.Close()
	for _, packed := range archive.File {
		if err := unpack(packed, filepath.Join(root, packed.Name)); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// unpack writes a file of a zip, with its mode.
func unpack(packed *zip.File, path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	from, err := packed.Open()
	if err != nil {
		return err
	}
	defer from.Close()
	content, err := io.ReadAll(from)
	if err != nil {
		return err
	}
	return os.WriteFile(path, content, packed.Mode())
}

// startHost runs a host that serves one function.
func (c *cloud) startHost(t *testing.T, root, function string) *funchost.Host {
	t.Helper()
	log := io.Discard
	if testing.Verbose() {
		log = t.Output()
	}
	settings := maps.Clone(c.settings)
	settings["WEBSITE_INSTANCE_ID"] = function
	host, err := funchost.Start(t.Context(), funchost.Config{
		Root: root, Settings: settings, Functions: []string{function}, Logger: slog.New(slog.NewTextHandler(log, nil)),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := host.Stop(t.Context()); err != nil && t.Context().Err() == nil {
			t.Errorf("stop the host: %v", err)
		}
	})
	return host
}

// await waits until a query of the database's owner gives true.
func (c *cloud) await(t *testing.T, sql string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), c.owner)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	for came := false; !came; {
		if err := conn.QueryRow(t.Context(), `select coalesce((`+sql+`), false) from (select pg_sleep(0.05)) pause`).Scan(&came); err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
	}
}
