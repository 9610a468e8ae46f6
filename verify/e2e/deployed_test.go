//go:build linux && amd64

package e2e_test

import (
	"archive/zip"
	"bytes"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"sheetdrop/verify/e2e"
)

// The app as Flex Consumption runs it: what the package holds and nothing else, a host for each function that shares no process with the
// others, an identity in place of keys and passwords, the app's own rights at the database, and callers whom the platform has signed in.
func TestDeployed(t *testing.T) {
	t.Parallel()
	cloud := newCloud(t)
	root := unpacked(t)
	api := &e2e.App{Host: cloud.startHost(t, root, "", "upload-api")}
	cloud.startHost(t, root, "", "outbox-relay")
	cloud.startHost(t, root, "", "parse-worker")

	if answer := api.Do(t, http.MethodGet, "/api/files", nil, nil); answer.StatusCode != http.StatusUnauthorized {
		t.Errorf("without a sign-in: %s, want 401", answer.Status)
	}
	api.Principal = somebody
	if answer := api.Do(t, http.MethodGet, "/api/ready", nil, nil); answer.StatusCode != http.StatusOK {
		t.Fatalf("not ready: %s %s", answer.Status, answer.Text)
	}
	const rows = 2000
	for _, name := range []string{"a.csv", "b.csv", "c.csv"} {
		task := api.Upload(t, name, csv(rows, 100))
		if done := api.Await(t, task.ID); done.Status != "COMPLETED" || done.Summary.RowsLoaded != rows {
			t.Errorf("task: %+v, want COMPLETED with %d rows", done, rows)
		}
	}
	cloud.await(t, `select count(*) = 3 * 2000 from sheetdrop.sheet_row`)
	file := "/api/files/" + api.Upload(t, "d.csv", csv(rows, 100)).FileID.String()
	if answer := api.Do(t, http.MethodGet, file+"/content", nil, nil); answer.StatusCode != http.StatusOK || !bytes.Equal(answer.Text, csv(rows, 100)) {
		t.Errorf("content: %s, %d bytes", answer.Status, len(answer.Text))
	}
	if answer := api.Do(t, http.MethodDelete, file, nil, nil); answer.StatusCode != http.StatusNoContent {
		t.Errorf("delete: %s %s", answer.Status, answer.Text)
	}
	cloud.await(t, `select count(*) = 1 from sheetdrop.outbox_history where event_type = 'BLOB_DELETE'`)
	cloud.await(t, `select bool_and(ran_at is not null) from sheetdrop.reconciler`) // the timer has its host, too
	cloud.roles.wantAsked(t, "files blobs/delete", "files blobs/read", "files blobs/write", "files containers/read", "files containers/write",
		"parse-tasks messages/process", "parse-tasks messages/write", "parse-tasks queues/read", "parse-tasks-poison messages/process", "parse-tasks-poison queues/read")
}

// unpacked makes the package and returns a folder with what it holds.
func unpacked(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	made := makePackage(t)
	archive, err := zip.NewReader(bytes.NewReader(made), int64(len(made)))
	if err != nil {
		t.Fatal(err)
	}
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
