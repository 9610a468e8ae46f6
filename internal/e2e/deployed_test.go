//go:build unix

package e2e_test

import (
	"encoding/base64"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"sheetdrop/internal/e2e"
	"sheetdrop/internal/funchost"
)

// The app as Flex Consumption runs it: the package's files and nothing else, a host for each function that shares no process with the
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

// unpacked is a folder with what the package holds, as the script that makes it says.
func unpacked(t *testing.T) string {
	t.Helper()
	checkout, root := filepath.Join("..", ".."), t.TempDir()
	script, err := os.ReadFile(filepath.Join(checkout, "infra", "package.sh"))
	if err != nil {
		t.Fatal(err)
	}
	list := regexp.MustCompile(`(?m)^zip .* dist/app\.zip (.+)$`).FindSubmatch(script)
	if list == nil {
		t.Fatal("the script packs nothing")
	}
	for name := range strings.FieldsSeq(string(list[1])) {
		from := filepath.Join(checkout, name)
		if name == "bin/handler" {
			from = e2e.HandlerProgram(t, "")
		}
		content, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		to := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to, content, 0o700); err != nil { // one of them is a program
			t.Fatal(err)
		}
	}
	return root
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
